/**
 * The arbiter of a game in the browser: applies an event by asking the procedures in the order of the
 * regulation.
 */

import { after, ruled } from './fold.js';
import { allowed } from './moves.js';
import { PROCEDURES } from './procedures.js';
import { ProcedureRefused } from './refused.js';
import { Table } from './table.js';

/** @import { LocalEvent } from '../records.js' */
/** @import { Moved } from './moves.js' */
/** @import { Outcome, RefusedEvent, TableEvent, Terms } from './types.js' */

/**
 * The table after an event and the ruling on it, and why the event was refused, if it was: the table may
 * have it recorded.
 * @param {LocalEvent} event @param {Table} table @returns {{table: Table, refused: ProcedureRefused | null}}
 */
export function apply(event, table) {
  try {
    checkEvent(event, table);
    const named = event.kind === 'moved' ? inFull(/** @type {Moved} */ (event), table) : event;
    const ruling = ruleOn(named, table);
    return { table: ruled(after(named, table), ruling), refused: null };
  } catch (refused) {
    if (!(refused instanceof ProcedureRefused)) throw refused;
    return { table: refused.written ? recorded(event, table, refused) : table, refused };
  }
}

/** @param {LocalEvent} event @param {Table} table */
function checkEvent(event, table) {
  if (event.at < table.now) throw new ProcedureRefused('TIME_RUNS_BACK', null,
    { at: event.at, now: table.now });
  if (table.outcome) {
    throw new ProcedureRefused('GAME_OVER', table.outcome.article, { reason: table.outcome.reason });
  }
}

/**
 * A move in full and in the rulebook's own notation, if it may be played.
 * @param {Moved} event @param {Table} table
 */
function inFull(event, table) {
  const next = allowed(event, table);
  if (!next?.last) return event;
  const named = { ...event, move: next.last.text };
  table.read = { event: named, next, cause: null };
  return named;
}

/** @param {LocalEvent} attempt @param {Table} table @param {ProcedureRefused} refused */
function recorded(attempt, table, { code, article }) {
  /** @type {RefusedEvent} */
  const note = { kind: 'refused', at: attempt.at, by: null, attempt, code, article };
  const ruling = ruleOn(note, table);
  return ruled(after(note, table), ruling);
}

/**
 * The first ruling of the procedures in the order of the regulation.
 * @param {TableEvent} event @param {Table} table
 */
function ruleOn(event, table) {
  for (const name of table.rules.procedures) {
    /** @type {Outcome | null} */
    const ruling = PROCEDURES[name]?.(event, table) ?? null;
    if (ruling) return ruling;
  }
  return null;
}

/** The table of a record. @param {Terms} terms @param {readonly LocalEvent[]} events */
export function replay(terms, events) {
  const opened = Table.open(terms), { outcome } = opened.game;
  let table = ruled(opened, outcome && { ...outcome, void: false });
  for (const event of events) {
    const { table: next, refused } = apply(event, table);
    if (refused && !refused.written) throw new Error(`${event.kind} at ${event.at}: ${refused.code}`);
    table = next;
  }
  return table;
}

/**
 * What is stored of a table: everything but what the arbiter itself writes.
 * @param {Table} table
 * @returns {LocalEvent[]}
 */
export function storedEvents({ events }) {
  return events.flatMap((event) => {
    if (event.kind === 'refused') return [event.attempt];
    return event.kind === 'started' || event.kind === 'ruled' ? [] : [event];
  });
}
