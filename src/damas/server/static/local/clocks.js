/** Clocks of a game in the browser: minutes for the game, and seconds that each move adds. */

import { mainTimeMs } from '../lib/times.js';

/** @import { LocalGameRecord, Side } from './records.js' */

/** @param {string} time */
const incrementMs = (time) => 1000 * Number(/\+(\d+)$/.exec(time)?.[1] ?? 0);

/**
 * What its last move left to a side.
 * @param {LocalGameRecord} record @param {number} parity of its plies
 */
function left({ time, clocks_ms: clocks }, parity) {
  const own = clocks.filter((_, ply) => ply % 2 === parity);
  return own[own.length - 1] ?? mainTimeMs(time) ?? 0;
}

/**
 * The clocks at a moment.
 * @param {LocalGameRecord} record @param {Side} turn @param {number} now
 */
export function remaining(record, turn, now) {
  if (mainTimeMs(record.time) === null) return { white: null, black: null, running: null };
  // The device's own clock may have been set back.
  const ran = record.started_ms === null ? 0 : Math.max(0, now - record.started_ms);
  const toMove = record.moves.length % 2;
  const side = (/** @type {Side} */ each) => (each === turn
    ? Math.max(0, left(record, toMove) - ran) : left(record, 1 - toMove));
  return { white: side('white'), black: side('black'), running: record.started_ms === null ? null : turn };
}

/**
 * What a move leaves on the clock.
 * @param {LocalGameRecord} record @param {Side} mover @param {number} now
 */
export function stopClock(record, mover, now) {
  const ms = remaining(record, mover, now)[mover];
  const left_ms = ms === null ? null : ms + incrementMs(record.time);
  return { clocks_ms: [...record.clocks_ms, left_ms], started_ms: null };
}

/**
 * The clock of the side to move runs from the first move on.
 * @param {LocalGameRecord} record @param {number} now
 */
export function startClock({ time, moves }, now) {
  return { started_ms: mainTimeMs(time) === null || !moves.length ? null : now };
}
