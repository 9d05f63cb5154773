/** The table after an event that the procedures have allowed, as `damas.arbiter.fold` makes it. */

import { other } from './clock.js';
import { following } from './moves.js';
import { newGame } from './table.js';

/** @import { LocalEvent, Side } from '../records.js' */
/** @import { Table } from './table.js' */
/** @import { Moment, Outcome, RefusedEvent, TableEvent } from './types.js' */

/** Events that everybody at the table sees, besides moves and offers. */
const NOTABLE = ['adjusting', 'adjusted', 'called_attention', 'unfinished', 'reported', 'refused'];

/** Fields to reset after a position was set up. @type {Partial<Table>} */
const SETTLED = {
  touched: null, chain: null, lifting: [], crowning: null, takeBack: null, offer: null, adjusting: [],
};

/** @param {TableEvent} event @param {Table} table @returns {Table} */
export function after(event, table) {
  const notable = NOTABLE.includes(event.kind) ? [...table.notable, momentOf(event, table)] : table.notable;
  return applied(event, table).with({ notable, events: [...table.events, event] });
}

/** @param {TableEvent} event @param {Table} table @returns {Moment} */
function momentOf(event, table) {
  const n = table.events.length;
  const origin = event.kind === 'unfinished' ? table.game.unfinished(event.move)?.route[0] : undefined;
  const article = origin === undefined ? '' : table.wholeCapture(origin);
  // A capture in two tempi is still the move of who captures.
  if (table.lifting.length) {
    return { n, side: other(table.toMove), move: table.moveNumber(table.game.ply), article };
  }
  return { n, side: table.toMove, move: table.nextMove, article };
}

/** @param {TableEvent} event @param {Table} table @returns {Table} */
function applied(event, table) {
  const { clocks } = table;
  switch (event.kind) {
    case 'moved': return moved(event, table);
    case 'touched': return table.with({ touched: bound(event, table) });
    case 'adjusting': return table.with({ adjusting: [...table.adjusting, event.by] });
    case 'adjusted': return table.with({ adjusting: table.adjusting.filter((side) => side !== event.by) });
    case 'lifted': {
      const lifting = table.lifting.slice(1);
      return table.with({ lifting, clocks: lifting.length ? clocks : turnOver(event.at, table) });
    }
    case 'crowned': return table.with({ crowning: null });
    case 'pressed': return table.with({ clocks: clocks.press(event.at) });
    case 'unfinished': {
      const { by, at, move } = event;
      const route = table.game.unfinished(move)?.route ?? [];
      const chain = { by, move, route, demanded: false };
      return table.with({ chain, clocks: inTurn(by, at, table).handOver(at) });
    }
    case 'demanded_completion': {
      const chain = table.chain && { ...table.chain, demanded: true };
      return table.with({ chain, clocks: clocks.handOver(event.at) });
    }
    case 'accepted_unfinished': return setUp(event, table).with(SETTLED);
    case 'called_attention': return withGame(event, table);
    case 'offered': return table.with({ offer: event.by });
    case 'declined':
    case 'withdrew': return table.with({ offer: null });
    case 'take_back_asked': return table.with({ takeBack: event.by });
    case 'take_back_refused': return table.with({ takeBack: null });
    case 'take_back_granted': {
      const back = withGame(event, table).with(SETTLED);
      return back.with({ clocks: clocks.interrupt(back.toMove, event.at),
        clockMs: table.clockMs.slice(0, back.ply) });
    }
    case 'refused': return refused(event, table);
    case 'ruled':
      return table.with({ outcome: event.outcome, lifting: [], crowning: null,
        clocks: clocks.pause(event.at) });
    default: return table;
  }
}

/** @param {LocalEvent & {kind: 'moved' | 'unfinished'}} event @param {Table} before @returns {Table} */
function moved({ by, at, ...event }, before) {
  const whole = /** @type {LocalEvent & {kind: 'moved'}} */ ({ by, at, ...event });
  const table = withGame(whole, before).with({ clocks: inTurn(by, at, before) });
  const { last } = table.game, { names, terms } = table;
  const lifts = !terms.bots[by] && terms.terms.two_tempi;
  const crowns = !terms.bots[other(by)] && terms.terms.crowning_by_hand && last?.promotes;
  const lifting = lifts && last ? last.captured.map((square) => names[square]) : [];
  const clocks = lifting.length ? table.clocks : turnOver(at, table);
  const clockMs = before.clockMs.slice(0, before.ply);
  while (clockMs.length < before.ply) clockMs.push(null);
  return table.with({
    clocks, lifting, clockMs: [...clockMs, clocks.left[by]],
    touched: null, chain: null, takeBack: null,
    crowning: crowns && last ? names[last.route[last.route.length - 1]] : null,
    adjusting: before.adjusting.filter((side) => side !== by), offer: before.offer === by ? by : null,
  });
}

/**
 * The clock after a move is complete: it changes over by itself, unless it is pressed.
 * @param {number} at @param {Table} table
 */
function turnOver(at, { clocks, rules }) {
  return rules.clock_stopped_by === 'move' ? clocks.press(at) : clocks;
}

/**
 * The clock of the player to move; if the opponent forgot to press it, this move does.
 * @param {Side} by @param {number} at @param {Table} table
 */
function inTurn(by, at, { clocks }) {
  return clocks.running === other(by) ? clocks.press(at) : clocks;
}

/**
 * Whether the player must now move the touched piece: their own, in turn, not being adjusted, under
 * touch-move.
 * @param {LocalEvent & {square: string}} event @param {Table} table
 */
export function binds({ by, square }, table) {
  const isFree = table.chain || table.lifting.length || by !== table.toMove || table.adjusting.includes(by);
  if (!table.terms.terms.touch_move || isFree) return false;
  return table.game.pieces[table.names.indexOf(square)]?.toLowerCase() === by[0];
}

/**
 * The square of the piece that must be moved after a touch, or null.
 * @param {LocalEvent & {square: string}} event @param {Table} table
 */
function bound(event, table) {
  const canMove = table.game.legal.some(({ routes }) => table.names[routes[0][0]] === event.square);
  return canMove && binds(event, table) ? event.square : table.touched;
}

/** The table with the game continued in the same stretch. @param {LocalEvent} event @param {Table} table */
function withGame(event, table) {
  const game = following(event, table) ?? table.game;
  return table.with({ stretches: [...table.stretches.slice(0, -1), { ...table.stretch, game }] });
}

/**
 * The table with a new stretch: a capture stays as it was left, and counts as a turn.
 * @param {LocalEvent} event @param {Table} table
 */
function setUp(event, table) {
  const game = following(event, table) ?? newGame(table.terms);
  const stretch = {
    game, ply: table.ply + 1, move: table.moveNumber(table.game.ply + 2), brokenOff: table.chain?.move ?? '',
  };
  return table.with({ stretches: [...table.stretches, stretch] });
}

/** A wrong claim may give the opponent time. @param {RefusedEvent} event @param {Table} table */
function refused({ code, attempt }, table) {
  const { wrong_claim: costs, wrong_claim_ms: ms } = table.rules;
  const isCharged = code === 'WRONG_CLAIM' && costs === 'time' && attempt.kind === 'claimed';
  return isCharged ? table.with({ clocks: table.clocks.add(other(attempt.by), ms) }) : table;
}

/**
 * The table with a ruling added; unchanged where there is none.
 * @param {Table} table @param {Outcome | null} outcome
 */
export function ruled(table, outcome) {
  return outcome ? after({ kind: 'ruled', at: table.now, by: null, outcome }, table) : table;
}
