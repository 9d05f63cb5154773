/**
 * The table of a game in the browser: the same state as `damas.arbiter.Table`, changed by events. A value.
 */

import { CoreError } from '../../core/core.js';
import { Clock, other } from './clock.js';

/** @import { Game } from '../../core/core.js' */
/** @import { LegalMove } from '../../core/types.js' */
/** @import { LocalEvent, Side } from '../records.js' */
/** @import { Cause } from './refused.js' */
/** @import { Moment, Outcome, Stretch, TableEvent, Terms, Unfinished } from './types.js' */

export class Table {
  /** @type {TableEvent[]} */
  events = [{ kind: 'started', at: 0, by: null }];
  /** @type {Moment[]} */
  notable = [];
  /** @type {Outcome | null} */
  outcome = null;
  /** The player whose draw offer is open. @type {Side | null} */
  offer = null;
  /** The player who has asked to take a move back. @type {Side | null} */
  takeBack = null;
  /** The square of the piece that the player to move must move. @type {string | null} */
  touched = null;
  /** @type {Side[]} */
  adjusting = [];
  /** @type {Unfinished | null} */
  chain = null;
  /** Squares of captured pieces that are still to be lifted. @type {string[]} */
  lifting = [];
  /** The square of a man that is still to be crowned. @type {string | null} */
  crowning = null;
  /** What each ply left on the clock of the player who made it. @type {(number | null)[]} */
  clockMs = [];
  /**
   * The move that was read last.
   * @type {{event: LocalEvent, next: Game | null, cause: Cause | null} | null}
   */
  read = null;

  /** @param {Terms} terms @param {Stretch[]} stretches @param {Clock} clocks */
  constructor(terms, stretches, clocks) {
    this.terms = terms;
    this.stretches = stretches;
    this.clocks = clocks;
  }

  /** @param {Terms} terms */
  static open(terms) {
    const game = newGame(terms, terms.start);
    const stretch = { game, ply: 0, move: 1, brokenOff: '' };
    return new Table(terms, [stretch], Clock.start(terms.time, game.turn));
  }

  /** The same table with some fields changed. @param {Partial<Table>} fields @returns {Table} */
  with(fields) {
    return Object.assign(Object.create(Table.prototype), this, { read: null }, fields);
  }

  get stretch() { return this.stretches[this.stretches.length - 1]; }
  get game() { return this.stretch.game; }
  get toMove() { return this.game.turn; }
  get ply() { return this.stretch.ply + this.game.ply; }
  get now() { return this.events[this.events.length - 1].at; }
  get names() { return this.terms.book.squareNames; }
  get law() { return this.terms.law; }
  get rules() { return this.terms.rules; }

  /** The player who has to act. */
  get awaited() {
    const isUndecided = this.chain !== null && !this.chain.demanded;
    return isUndecided || this.lifting.length ? other(this.toMove) : this.toMove;
  }

  /** The number on the score sheet of a ply of the current stretch, counted from 1. @param {number} ply */
  moveNumber(ply, { move, game } = this.stretch) {
    return move - 1 + numberOf(game, ply);
  }

  /** The number of the move to be made. */
  get nextMove() { return this.moveNumber(this.game.ply + 1); }

  /** The article on a matter of procedure; null where the text is silent. @param {string} topic */
  topic(topic) {
    return this.law.topics[topic] ?? null;
  }

  /** The article that a capture must be completed. @param {number} [origin] */
  wholeCapture(origin) {
    const piece = origin === undefined ? '' : this.game.pieces[String(origin)] ?? '';
    return this.law.whole_capture[piece && piece === piece.toUpperCase() ? 1 : 0];
  }

  /** What may be played, whatever the player has to do first. */
  get playable() {
    const { chain, touched, game } = this;
    if (this.outcome || (chain && !chain.demanded) || this.lifting.length || this.crowning) return [];
    if (chain) return game.legal.flatMap((move) => continued(move, chain.route, this.terms.book.moveNames));
    return touched === null ? game.legal
      : game.legal.filter(({ routes }) => this.names[routes[0][0]] === touched);
  }

  /**
   * What the text of a move means to the rules of the board: the game after it, or why there is none.
   * @param {LocalEvent & {move: string}} event
   */
  reading(event) {
    if (this.read?.event === event) return this.read;
    /** @type {Game | null} */
    let next = null;
    /** @type {Cause | null} */
    let cause = null;
    try {
      next = this.game.play(event.move);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      const { refusal, problems } = error;
      // The turn is right, the piece is not.
      const isOthers = refusal?.code === 'NOT_YOUR_TURN';
      cause = { problems, text: event.move, refusal: isOthers ? { ...refusal, code: 'NOT_YOUR_PIECE' }
        : refusal };
    }
    return (this.read = { event, next, cause });
  }
}

/** @param {Terms} terms @param {string} [fen] */
export function newGame({ book, rules }, fen) {
  const { platform_rules: platformRules, claims, offers } = rules.customs;
  return book.game({ fen, recorded: rules.recorded, customs: { platformRules, claims, offers } });
}

/**
 * The number that a score sheet gives a ply: a pair of turns a number.
 * @param {Game} game @param {number} ply
 */
function numberOf(game, ply) {
  const starter = game.ply % 2 ? other(game.turn) : game.turn;
  return Math.floor((ply + (starter === game.book.starter ? 0 : 1) + 1) / 2);
}

/** Whether a route begins with another. @param {number[]} route @param {number[]} start */
export function begins(route, start) {
  return start.every((square, at) => route[at] === square);
}

/**
 * The routes of a capture that begin with another route, as a move that is named by the first of them.
 * @param {LegalMove} move @param {number[]} start @param {string[]} names @returns {LegalMove[]}
 */
function continued(move, start, names) {
  const routes = move.routes.filter((route) => begins(route, start));
  if (!routes.length) return [];
  const sign = move.text.charAt(names[routes[0][0]].length);
  return [{ ...move, routes, text: routes[0].map((square) => names[square]).join(sign) }];
}
