/** Records of an earlier version, which had the moves of a casual game, as records of events. */

import { parseControl } from './table/clock.js';

/** @import { Kept, KeptGame } from './kept.js' */
/** @import { LocalEvent, OldLocalGameRecord, Side } from './records.js' */

/** @param {Side} side @returns {Side} */
const other = (side) => (side === 'white' ? 'black' : 'white');

/**
 * A record in the form of this version, with what else is known of the game.
 * @param {KeptGame | (OldLocalGameRecord & Kept)} record @returns {KeptGame}
 */
export function upgraded(record) {
  if (record.version) return record;
  const { clocks_ms: _left, started_ms: _started, ended, ...kept } = record;
  const events = eventsOf(record);
  return { ...kept, version: 2, hash: '', preset: 'casual', lot: null, events, reason: ended?.reason ?? null,
    created_ms: clockStart(record, events) };
}

/**
 * The side that moves first was not stored: it follows from the last position.
 * @param {OldLocalGameRecord} record
 * @returns {Side}
 */
function starterOf({ fen, moves }) {
  /** @type {Side} */
  const turn = fen.startsWith('B') ? 'black' : 'white';
  return moves.length % 2 ? other(turn) : turn;
}

/** @param {OldLocalGameRecord} record @returns {LocalEvent[]} */
function eventsOf(record) {
  const { moves, clocks_ms: left, time, ended } = record;
  const starter = starterOf(record), { base, extra } = parseControl(time);
  let at = 0;
  /** @type {LocalEvent[]} */
  const events = moves.map((move, ply) => {
    const before = left[ply - 2] ?? base, after = left[ply];
    if (typeof after === 'number') at += Math.max(0, before + extra - after);
    return { kind: /** @type {const} */ ('moved'), at, by: ply % 2 ? other(starter) : starter, move };
  });
  const toMove = moves.length % 2 ? other(starter) : starter;
  return ended ? [...events, ...endOf(ended, at, toMove, left[moves.length - 2] ?? base)] : events;
}

/**
 * How a game ended that the laws of the board did not end.
 * @param {NonNullable<OldLocalGameRecord['ended']>} ended @param {number} at @param {Side} toMove
 * @param {number} left on the clock of the side to move
 * @returns {LocalEvent[]}
 */
function endOf({ winner, reason, rule = '' }, at, toMove, left) {
  if (winner) {
    const by = other(winner);
    return [reason === 'FLAG' ? { kind: 'flag', at: at + left + 1, by } : { kind: 'resigned', at, by }];
  }
  if (reason !== 'AGREEMENT') return [{ kind: 'claimed', at, by: toMove, rule }];
  return [{ kind: 'offered', at, by: toMove }, { kind: 'accepted', at, by: other(toMove) }];
}

/**
 * When the game began, so that a clock that runs has run as long as it has.
 * @param {OldLocalGameRecord} record @param {LocalEvent[]} events
 */
function clockStart({ started_ms: started, created_ms: created }, events) {
  return started === null ? created : started - (events[events.length - 1]?.at ?? 0);
}
