/** A game of this browser as it is sent to the server: its terms, and what the players did. */

import { mainTimeMs } from '../lib/times.js';

/** @import { KeptGame, SentEvent, SentGame } from './kept.js' */

/**
 * Records have the arbiter's events; those of an earlier version have the moves, what they left on the clocks
 * and how the game ended.
 * @typedef {Partial<Pick<SentGame, 'hash' | 'preset' | 'lot' | 'events'>> & {start?: string}} Written
 */

/** What each move adds. @param {string} time */
const incrementMs = (time) => 1000 * Number(/\+(\d+)$/.exec(time)?.[1] ?? 0);

/** @param {KeptGame} record @returns {SentGame} */
export function sentGame(record) {
  const { hash = '', preset = 'casual', lot = null, start: fen = null, events } = /** @type {Written} */ (
    /** @type {unknown} */ (record));
  const { rulebook, level, you, time, created_ms: begun_ms, updated_ms: ended_ms, account = '' } = record;
  return {
    rulebook, hash, preset, time, fen, lot, begun_ms, ended_ms, account,
    opponent: level === null ? { kind: 'device' } : { kind: 'level', level },
    color: you === 'black' ? 'black' : 'white',
    events: events ?? earlierEvents(record),
  };
}

/** @param {KeptGame} record @returns {SentEvent[]} */
function earlierEvents(record) {
  const { moves, fen, ended } = record;
  const sides = fen.startsWith('W') === (moves.length % 2 === 0) ? ['white', 'black'] : ['black', 'white'];
  const turn = sides[moves.length % 2], other = sides[1 - (moves.length % 2)];
  const { times, left } = timesOf(record);
  const events = moves.map((move, ply) => ({ kind: 'moved', at: times[ply], by: sides[ply % 2], move }));
  const at = times[moves.length - 1] ?? 0;
  const loser = ended?.winner === 'white' ? 'black' : 'white';
  if (!ended) return events;
  if (ended.reason === 'RESIGNATION') return [...events, { kind: 'resigned', at, by: loser }];
  if (ended.reason === 'FLAG') return [...events, { kind: 'flag', at: at + left + 1, by: turn }];
  if (ended.rule) return [...events, { kind: 'claimed', at, by: turn, rule: ended.rule }];
  return [...events, { kind: 'offered', at, by: turn }, { kind: 'accepted', at, by: other }];
}

/**
 * When each move was made, from what it left on the clock, and what the side to move had left; without a
 * clock nobody knows. The first move was free.
 * @param {KeptGame} record
 */
function timesOf({ time, clocks_ms: clocks }) {
  const full = mainTimeMs(time) ?? 0;
  /** What the player of a ply had before it. @param {number} ply */
  const before = (ply) => clocks[ply - 2] ?? full;
  let now = 0;
  const times = clocks.map((left, ply) => {
    now += left === null ? 0 : Math.max(0, before(ply) + incrementMs(time) - left);
    return now;
  });
  return { times, left: before(clocks.length) };
}
