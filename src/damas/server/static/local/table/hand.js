/** What players do with the pieces; see `damas.arbiter.procedures.hand` and `board`. */

import { CoreError } from '../../core/core.js';
import { other } from './clock.js';
import { binds } from './fold.js';
import { continuesCapture, keepsTouched, legal } from './moves.js';
import { loss, setting } from './outcomes.js';
import { ProcedureRefused } from './refused.js';

/** @import { LocalEvent, Side } from '../records.js' */
/** @import { Moved } from './moves.js' */
/** @import { Procedure } from './procedures.js' */
/** @import { Cause, Cited } from './refused.js' */
/** @import { Table } from './table.js' */
/** @import { TableEvent } from './types.js' */

/**
 * What is no illegal move unless the first one loses: unreadable, ambiguous or out of turn; or a wrong
 * square.
 */
const NO_MOVE = ['NOTATION', 'AMBIGUOUS', 'NOT_YOUR_TURN', 'NOT_UNFINISHED', 'EMPTY_SQUARE',
  'NOT_YOUR_PIECE'];
/** Recorded moves that are legal on the board, and refused for another reason. */
const OTHER_DUTIES = ['FLAG', 'TOUCHED', 'MUST_COMPLETE', 'CROWNING_DUE'];
/** Characters of a move that an outcome keeps. */
const MAX_TRIED = 80;

/**
 * Why a move is not allowed by the rules of the board or is out of turn.
 * @param {Moved} event @param {Table} table @param {boolean | null} written null: if its code counts
 */
function refuseMistake(event, table, written) {
  const { toMove, law } = table;
  if (event.by !== toMove) {
    throw new ProcedureRefused('NOT_YOUR_TURN', law.turn || null, { color: toMove },
      { written: written ?? isWritten('NOT_YOUR_TURN', table) });
  }
  const { cause } = table.reading(event);
  if (!cause) return;
  const code = cause.refusal?.code ?? 'NOTATION';
  throw new ProcedureRefused(code, null, {}, { cause, written: written ?? isWritten(code, table) });
}

/**
 * Whether a person's refused move is recorded and counts as an illegal move.
 * @param {string} code @param {Table} table
 */
function isWritten(code, { rules, terms }) {
  return rules.registers && (terms.terms.first_invalid_loses || !NO_MOVE.includes(code));
}

/** Whose illegal move was written down. @param {TableEvent} event @returns {Side | null} */
export function illegalMoveOf(event) {
  if (event.kind !== 'refused' || OTHER_DUTIES.includes(event.code)) return null;
  return event.attempt.kind === 'moved' || event.attempt.kind === 'unfinished' ? event.attempt.by : null;
}

/** @param {TableEvent} event @param {Cited} article */
function invalid(event, article) {
  if (event.kind !== 'refused' || !('move' in event.attempt)) throw new TypeError(event.kind);
  const { by, move } = event.attempt;
  return loss(by, 'INVALID_MOVE', article,
    { tried: [...move].slice(0, MAX_TRIED).join(''), code: event.code });
}

/** @type {Procedure} */
export function illegalMoveByBot(event, table) {
  const { bots, terms } = table.terms;
  if (event.kind === 'moved' && bots[event.by]) refuseMistake(/** @type {Moved} */ (event), table,
    terms.bots_lose);
  const isInvalid = event.kind === 'refused' && event.code !== 'FLAG' && 'move' in event.attempt;
  return isInvalid && terms.bots_lose && bots[event.attempt.by]
    ? invalid(event, terms.cites.bots_illegal_moves) : null;
}

/** @type {Procedure} */
export function illegalMoveByPerson(event, table) {
  const { bots, terms } = table.terms;
  if (event.kind === 'moved' && !bots[event.by]) refuseMistake(/** @type {Moved} */ (event), table, null);
  const offender = illegalMoveOf(event);
  const limit = terms.people_lose ? 1 : table.rules.people_lose_at;
  if (!offender || !limit || bots[offender]) return null;
  const count = 1 + table.events.filter((earlier) => illegalMoveOf(earlier) === offender).length;
  if (count < limit) return null;
  if (terms.people_lose) return invalid(event, table.law.invalid_move);
  if (limit === 1) return invalid(event, setting('people_lose_at'));
  return loss(offender, 'ILLEGAL_MOVES', setting('people_lose_at'), { count });
}

/** @param {Table} table */
function bound(table) {
  return new ProcedureRefused('TOUCHED', table.terms.terms.cites.touch_move, { square: table.touched ?? '' },
    { written: table.rules.registers });
}

/** @type {Procedure} */
export function touchMove(event, table) {
  const { touched, adjusting } = table;
  switch (event.kind) {
    case 'touched':
      for (const square of [event.square, event.held_over].filter(Boolean)) knownSquare(square, table);
      if (!table.game.pieces[table.names.indexOf(event.square)]) {
        throw new ProcedureRefused('NO_PIECE_THERE', null, { square: event.square });
      }
      if (binds(event, table) && touched !== null && touched !== event.square) throw bound(table);
      break;
    case 'moved': {
      const next = legal(/** @type {Moved} */ (event), table);
      if (next && !keepsTouched(next, table)) throw bound(table);
      break;
    }
    case 'adjusting': {
      const article = table.topic('adjusting');
      if (adjusting.includes(event.by)) throw new ProcedureRefused('ALREADY_ADJUSTING', article);
      if (touched && event.by === table.toMove) {
        throw new ProcedureRefused('ADJUST_TOO_LATE', article ?? table.terms.terms.cites.touch_move,
          { square: touched });
      }
      break;
    }
    case 'adjusted':
      if (!adjusting.includes(event.by)) throw new ProcedureRefused('NOT_ADJUSTING',
        table.topic('adjusting'));
  }
  return null;
}

const CHAIN_EVENTS = ['unfinished', 'accepted_unfinished', 'demanded_completion'];
const WAITING_FOR_CHAIN = ['moved', 'unfinished', 'take_back_asked', 'take_back_granted'];

/** @type {Procedure} */
export function unfinishedChain(event, table) {
  refuseToWait(event, table);
  const { chain } = table, choice = setting('unfinished_chain');
  if (!chain && !CHAIN_EVENTS.includes(event.kind)) return null;
  if (event.kind === 'unfinished' && !chain) return stopped(event, table);
  if (chain && WAITING_FOR_CHAIN.includes(event.kind) && (event.kind === 'unfinished' || !chain.demanded)) {
    throw new ProcedureRefused('CHAIN_PENDING', choice, { color: other(chain.by), move: chain.move });
  }
  if (event.kind === 'moved' && chain) {
    const next = legal(/** @type {Moved} */ (event), table);
    if (next && !continuesCapture(next, table)) {
      throw new ProcedureRefused('MUST_COMPLETE', table.wholeCapture(chain.route[0]), { move: chain.move },
        { written: table.rules.registers });
    }
  }
  if (event.kind === 'accepted_unfinished' || event.kind === 'demanded_completion') {
    if (!chain || chain.demanded) throw new ProcedureRefused('NO_CHAIN', choice);
    if (event.by === chain.by) {
      throw new ProcedureRefused('NOT_YOURS_TO_CHOOSE', choice, { color: other(chain.by) });
    }
  }
  return null;
}

/**
 * The second tempo of a capture: who captured lifts the pieces in order; nobody moves before.
 * @param {TableEvent} event @param {Table} table
 */
function refuseToWait(event, table) {
  const { lifting } = table, mover = other(table.toMove);
  const article = table.topic('two_tempi') ?? setting('two_tempi');
  if (event.kind === 'lifted') {
    const { square } = event;
    knownSquare(square, table);
    if (!lifting.length) throw new ProcedureRefused('NOTHING_TO_LIFT', article);
    if (event.by !== mover) throw new ProcedureRefused('OTHER_HAND', article, { color: mover });
    if (square !== lifting[0]) {
      throw new ProcedureRefused('LIFT_ORDER', article, { square }, { written: table.rules.registers });
    }
  }
  if (lifting.length && ['moved', 'unfinished', 'pressed'].includes(event.kind)) {
    throw new ProcedureRefused('LIFTING_DUE', article, { color: mover });
  }
}

/** @param {LocalEvent & {move: string}} event @param {Table} table @returns {null} */
function stopped(event, table) {
  const { by, move } = event, { toMove, law, rules } = table;
  const written = isWritten('NOT_UNFINISHED', table);
  if (by !== toMove) throw new ProcedureRefused('NOT_YOUR_TURN', law.turn || null, { color: toMove },
    { written });
  const begun = started(event, table, written);
  if (!begun) throw new ProcedureRefused('NOT_UNFINISHED', table.wholeCapture(), { move }, { written });
  const [origin] = begun.route;
  if (table.touched !== null && table.touched !== table.names[origin]) throw bound(table);
  if (!table.terms.terms.judges_chain) {
    const { cause } = table.reading(event);
    const isCause = cause?.refusal && cause.refusal.code !== 'AMBIGUOUS';
    throw new ProcedureRefused('CHAIN_INCOMPLETE', table.wholeCapture(origin), { move },
      { cause: isCause ? cause : null, written: rules.registers });
  }
  return null;
}

/**
 * The capture that a text begins, or null; refused where it cannot be read.
 * @param {LocalEvent & {move: string}} event @param {Table} table @param {boolean} written
 */
function started({ move }, table, written) {
  try {
    return table.game.unfinished(move);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    /** @type {Cause} */
    const cause = { refusal: null, problems: error.problems, text: move };
    throw new ProcedureRefused('NOTATION', null, {}, { cause, written });
  }
}

/** @type {Procedure} */
export function hints(event, table) {
  if (event.kind !== 'reported') return null;
  const known = reportable(table).map(({ conduct }) => conduct);
  if (known.includes(event.conduct)) return null;
  throw new ProcedureRefused('NO_SUCH_CONDUCT', null, { conduct: event.conduct, known: known.join(' ') });
}

/** What a player may report of the opponent, each with its article. @param {Table} table */
export function reportable(table) {
  if (!table.rules.registers) return [];
  return Object.keys(table.terms.reportable)
    .flatMap((conduct) => {
      const article = articleOn(conduct, table);
      return article === null ? [] : [{ conduct, article }];
    });
}

/**
 * The article that forbids a conduct at this table; null where the text is silent.
 * @param {string} conduct @param {Table} table
 */
export function articleOn(conduct, table) {
  const { reportable: topics, terms } = table.terms;
  if (conduct === 'touching') return terms.touch_move ? terms.cites.touch_move : null;
  return table.topic(topics[conduct]);
}

// Hands

/** @type {Procedure} */
export function crowning(event, table) {
  const { crowning: square, lifting, toMove } = table;
  if (event.kind === 'crowned') {
    knownSquare(event.square, table);
    if (event.square !== square || lifting.length) {
      throw new ProcedureRefused('NOBODY_CROWNED', table.law.crowning, { square: event.square });
    }
    if (event.by !== toMove) throw new ProcedureRefused('OTHER_HAND', table.law.crowning, { color: toMove });
  }
  const isInTurn = (event.kind === 'moved' && legal(/** @type {Moved} */ (event), table))
    || (event.kind === 'unfinished' && event.by === toMove);
  if (isInTurn && square && !lifting.length) {
    throw new ProcedureRefused('CROWNING_DUE', table.law.crowning, { square },
      { written: table.rules.registers });
  }
  return null;
}

/** @param {string} square @param {Table} table */
function knownSquare(square, table) {
  if (!table.names.includes(square)) throw new ProcedureRefused('NO_SUCH_SQUARE', null, { square });
}

/** @type {Procedure} */
export function blowing(event, table) {
  if (event.kind !== 'blew') return null;
  throw new ProcedureRefused('NO_BLOWING', table.topic('blowing'), { square: event.square },
    { written: table.rules.registers });
}
