/** One game at its table: what the page asks, and what is stored of it. */

import { CoreError } from '../../core/core.js';
import { Sentences } from '../sentences.js';
import { apply, replay, storedEvents } from './arbiter.js';
import { Clock, other } from './clock.js';
import { computerActs, isComputerAwaited } from './computer.js';
import { eventOf } from './requests.js';
import { newGame, Table } from './table.js';
import { illegalMoveView, playedMoves, refusalView, tableView } from './view.js';

/** @import { LevelPlayer } from '../../core/levels.js' */
/** @import { Rulebook } from '../../core/core.js' */
/** @import { CommandMessage, GameView, RefusalView } from '../../lib/messages.js' */
/** @import { LocalWordsView } from '../messages.js' */
/** @import { LocalEvent, LocalGameRecord, Side } from '../records.js' */

/**
 * @typedef {Pick<LocalGameRecord, 'events' | 'moves' | 'result' | 'reason' | 'fen'>} Stored
 * @typedef {{event: LocalEvent | null, refusal: RefusalView | null, stored: Stored | null, view: GameView}}
 * Applied   stored: what has changed, if anything has
 */

export class Session {
  /** @param {Rulebook} book @param {LocalWordsView} words @param {LocalGameRecord} record */
  constructor(book, words, record) {
    const { rulebook, preset, time, start, level, you } = record;
    const law = words.rulebooks[rulebook];
    const shown = Object.fromEntries(book.squareNames.map((name, square) => [name, book.moveNames[square]]));
    this.sentences = new Sentences(words, rulebook, shown);
    this.you = you;
    this.level = level;
    this.createdMs = record.created_ms;
    /** The side of the computer. @type {Side | null} */
    this.computer = level === null || you === 'both' ? null : other(you);
    const bots = { white: this.computer === 'white', black: this.computer === 'black' };
    this.terms = { rulebook, preset, time, start, book, law, rules: words.regulations[preset],
      terms: law.terms[preset],
      reportable: words.reportable, bots };
    this.table = replay(this.terms, record.events);
    /** The events of the record that it has seen. */
    this.events = record.events;
  }

  /**
   * Whether it has seen these events; another page may have stored as many others.
   * @param {LocalEvent[]} events
   */
  hasSeen(events) {
    const last = events.length - 1;
    return this.events.length === events.length
      && JSON.stringify(this.events[last]) === JSON.stringify(events[last]);
  }

  /**
   * Milliseconds since the game began. The computer's time does not run out while it thinks or the page is
   * closed.
   * @param {number} nowMs
   */
  #at(nowMs) {
    const { clocks, now } = this.table;
    const at = Math.max(now, nowMs - this.createdMs); // the device's own clock may have been set back
    const last = clocks.running === this.computer ? clocks.runsOutAt : null;
    return last === null ? at : Math.max(now, Math.min(at, last));
  }

  /** @param {number} nowMs */
  view(nowMs) {
    return tableView(this.table, this.sentences, this.#at(nowMs));
  }

  /**
   * Another position, or one after other moves, as the page shows it.
   * @param {string[]} moves @param {string} [fen]
   */
  earlier(moves, fen) {
    const game = moves.reduce((played, move) => played.play(move),
      newGame(this.terms, fen ?? this.terms.start));
    const stretch = { game, ply: 0, move: 1, brokenOff: '' };
    return tableView(new Table(this.terms, [stretch], Clock.start('none', game.turn)), this.sentences, 0);
  }

  /**
   * Why a move may not be played here or in another position; null if it may.
   * @param {string} move @param {string} [fen] @returns {RefusalView | null}
   */
  explain(move, fen) {
    const game = !fen || fen === this.table.game.fen ? this.table.game : newGame(this.terms, fen);
    try {
      const refusal = game.refusal(move);
      return refusal && illegalMoveView(refusal, game, this.table, this.sentences);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      return { code: 'NOTATION', message: this.sentences.problems(move, error.problems), tried: move };
    }
  }

  /**
   * Does what a command of the page asks for.
   * @param {CommandMessage} command @param {number} nowMs
   * @returns {Applied | null}
   */
  command(command, nowMs) {
    const event = eventOf(command, this.you, this.#at(nowMs), this.table);
    return event && this.#apply(event, nowMs);
  }

  /** The time of the side whose clock runs is up. @param {number} nowMs @returns {Applied | null} */
  flag(nowMs) {
    const { running } = this.table.clocks, at = this.#at(nowMs);
    if (!running || this.table.clocks.overdue(at) !== running) return null;
    return this.#apply({ kind: 'flag', at, by: running }, nowMs);
  }

  get isComputerAwaited() {
    return this.computer !== null && isComputerAwaited(this.table, this.computer);
  }

  /**
   * Lets the computer do what it has to do.
   * @param {LevelPlayer} level @param {number} nowMs
   * @param {() => number} later the time when it has thought
   * @returns {Applied | null}
   */
  letComputerAct(level, nowMs, later = () => nowMs) {
    if (this.computer === null) return null;
    const event = computerActs(this.table, this.computer, level, this.#at(nowMs));
    return event && this.#apply({ ...event, at: this.#at(later()) }, later());
  }

  /** @param {LocalEvent} event @param {number} nowMs @returns {Applied} */
  #apply(event, nowMs) {
    const before = this.table;
    const { table, refused } = apply(event, before);
    const refusal = refused && refusalView(refused, before, this.sentences);
    const hasChanged = table !== before;
    this.table = table;
    const stored = hasChanged ? this.stored : null;
    if (stored) this.events = stored.events;
    return { event, refusal, stored, view: this.view(nowMs) };
  }

  /** @returns {Stored} */
  get stored() {
    const { table } = this;
    return {
      events: storedEvents(table), moves: playedMoves(table).map(({ text }) => text),
      result: table.outcome?.result ?? null, reason: table.outcome?.reason ?? null, fen: table.game.fen,
    };
  }
}
