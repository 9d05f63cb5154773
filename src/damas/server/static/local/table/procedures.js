/**
 * The procedures of the table, one function each, by the names that regulations give them; see
 * `damas.arbiter.procedures`.
 * Each takes an event and the table before it, and gives the outcome by which the event ends the game, or
 * null; it throws
 * `ProcedureRefused` where the event is not allowed. What a regulation decides stands in the data that the
 * server sends.
 */

import { other } from './clock.js';
import {
  blowing, crowning, hints, illegalMoveByBot, illegalMoveByPerson, touchMove, unfinishedChain,
} from './hand.js';
import { following, takeBackPlies } from './moves.js';
import { ending, loss, setting } from './outcomes.js';
import { ProcedureRefused } from './refused.js';

/** @import { Game } from '../../core/core.js' */
/** @import { Outcome as CoreOutcome } from '../../core/types.js' */
/** @import { Table } from './table.js' */
/** @import { Outcome, TableEvent } from './types.js' */

/** @typedef {(event: TableEvent, table: Table) => Outcome | null} Procedure */

const ON_THE_BOARD = ['NO_PIECES', 'NO_MOVES'];
// The board

/** @param {CoreOutcome} outcome of a game @param {Game} game @param {Table} table @returns {Outcome} */
function numbered(outcome, game, { stretch }) {
  const here = { ...outcome, void: false };
  if (!stretch.ply || game.settings.fen !== stretch.game.settings.fen) return here;
  const { since, plies } = outcome.facts, facts = { ...outcome.facts };
  const shift = stretch.move - 1;
  if (typeof since === 'number') facts.since = since + shift;
  if (typeof plies === 'string') {
    facts.plies = plies.split(', ').map((ply) => Number(ply) + stretch.ply).join(', ');
  }
  const { occurrences } = outcome;
  return { ...here, facts, ...(occurrences && {
    occurrences: { ...occurrences, numbers: occurrences.numbers.map((number) => number + shift) } }) };
}

/** @type {Procedure} */
function endOnBoard(event, table) {
  const outcome = following(event, table)?.outcome;
  return outcome && ON_THE_BOARD.includes(outcome.reason) ? { ...outcome, void: false } : null;
}

/** @type {Procedure} */
function laws(event, table) {
  const game = following(event, table);
  if (!game?.outcome || ON_THE_BOARD.includes(game.outcome.reason)) return null;
  return numbered(game.outcome, game, table);
}

// The clock

/** @type {Procedure} */
function flagFall(event, table) {
  const overdue = table.clocks.overdue(event.at), article = table.law.time_out;
  if (event.kind === 'flag' && overdue !== event.by) {
    const left = table.clocks.remaining(event.by, event.at);
    const shown = left !== null && left >= 1000 ? `${Math.ceil(left / 1000)} s` : `${left ?? 0} ms`;
    const code = left === null ? 'NO_TIME_LIMIT' : 'FLAG_NOT_FALLEN';
    throw new ProcedureRefused(code, article, { color: event.by, left: shown });
  }
  if (!overdue) return null;
  if (event.kind === 'flag' || (event.kind === 'refused' && event.code === 'FLAG')) {
    return loss(overdue, 'FLAG', article);
  }
  if (event.by) throw new ProcedureRefused('FLAG', article, { color: overdue }, { written: true });
  return null;
}

/** @type {Procedure} */
function clockPress(event, { clocks, toMove, rules }) {
  if (event.kind !== 'pressed') return null;
  const hasMoved = clocks.running === event.by && toMove !== event.by;
  if (rules.clock_stopped_by === 'press' && hasMoved) return null;
  throw new ProcedureRefused('NOTHING_TO_PRESS', setting('clock_stopped_by'));
}

// Draws

/** @type {Procedure} */
function drawOffer(event, table) {
  const { offer, rules, law, terms: { terms } } = table;
  const isAnswer = event.kind === 'accepted' || event.kind === 'declined';
  if (event.kind === 'offered') {
    if (!terms.agreement) throw new ProcedureRefused('NO_AGREEMENT', terms.cites.no_agreement);
    if (table.nextMove < rules.offers_from_move) {
      throw new ProcedureRefused('OFFER_TOO_EARLY', setting('offers_from_move'),
        { move: rules.offers_from_move });
    }
    if (offer) throw new ProcedureRefused('OFFER_STANDS', null, { color: offer });
  }
  if ((isAnswer && offer !== other(event.by)) || (event.kind === 'withdrew' && offer !== event.by)) {
    throw new ProcedureRefused('NO_OFFER');
  }
  return event.kind === 'accepted' ? ending(null, 'AGREEMENT', terms.cites.agreement,
    { platform: !law.agrees }) : null;
}

/** @type {Procedure} */
function drawClaim(event, table) {
  if (event.kind === 'refused' && event.code === 'WRONG_CLAIM' && table.rules.wrong_claim === 'loses') {
    return loss(event.attempt.by, 'WRONG_CLAIM', setting('wrong_claim'));
  }
  if (event.kind !== 'claimed') return null;
  const { rule } = event, found = knownRule(rule, table);
  const article = found.counting?.article ?? found.article;
  if (found.attention && !found.counting) {
    throw new ProcedureRefused('ATTENTION_FIRST', table.topic('attention') ?? article, { rule });
  }
  if (!found.waits) throw new ProcedureRefused('NOT_CLAIMABLE', article, { rule });
  if (found.outcome) return numbered(found.outcome, table.game, table);
  throw new ProcedureRefused('WRONG_CLAIM', article,
    { rule, have: found.counting?.have ?? 0, need: found.need },
    { written: true });
}

/** @param {string} rule @param {Table} table */
function knownRule(rule, table) {
  const found = table.game.claim(rule);
  if (!found.known) {
    const known = table.game.book.drawRules.join(', ') || '–';
    throw new ProcedureRefused('UNKNOWN_RULE', null, { rule, known });
  }
  return found;
}

/** @type {Procedure} */
function attention(event, table) {
  if (event.kind !== 'called_attention') return null;
  const { rule } = event, found = knownRule(rule, table);
  const article = table.topic('attention') ?? found.article;
  if (!found.attention) throw new ProcedureRefused('ATTENTION_NOT_NEEDED', article, { rule });
  if (found.counting) throw new ProcedureRefused('ATTENTION_STANDS', article, { rule });
  if (table.game.view.attention.every((count) => count.rule !== rule)) {
    throw new ProcedureRefused('NOTHING_TO_COUNT', article, { rule });
  }
  return null;
}

// Leaving

/** @type {Procedure} */
function resignation(event) {
  return event.kind === 'resigned' ? loss(event.by, 'RESIGNATION', setting('resignation')) : null;
}

/** @type {Procedure} */
function takeBack(event, table) {
  if (event.kind === 'take_back_asked') {
    if (!table.rules.take_back) throw new ProcedureRefused('NO_TAKE_BACK', setting('take_back'));
    if (table.takeBack) throw new ProcedureRefused('TAKE_BACK_STANDS', null, { color: table.takeBack });
    if (table.game.ply < takeBackPlies(table, event.by)) throw new ProcedureRefused('NOTHING_TO_TAKE_BACK');
  }
  const isAnswer = event.kind === 'take_back_granted' || event.kind === 'take_back_refused';
  if (isAnswer && table.takeBack !== other(event.by)) throw new ProcedureRefused('NO_TAKE_BACK_ASKED');
  return null;
}

/** @type {Procedure} */
function abort(event, { ply, rules: { abort_before_ply: limit } }) {
  if (event.kind !== 'aborted') return null;
  if (ply >= limit) throw new ProcedureRefused('TOO_LATE_TO_ABORT', setting('abort_before_ply'), { limit });
  return ending(null, 'ABORTED', setting('abort_before_ply'), { result: '*', void: true });
}

/** @type {Record<string, Procedure>} */
export const PROCEDURES = {
  end_on_board: endOnBoard, laws, flag_fall: flagFall, unfinished_chain: unfinishedChain,
  illegal_move_by_bot: illegalMoveByBot, illegal_move_by_person: illegalMoveByPerson, touch_move: touchMove,
  crowning, blowing, clock_press: clockPress, draw_offer: drawOffer, draw_claim: drawClaim, attention, hints,
  resignation, take_back: takeBack, abort,
};
