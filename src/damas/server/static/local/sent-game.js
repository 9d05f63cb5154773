/** A game of this browser as it is sent to the server: its terms, and what the players did. */

/** @import { KeptGame, SentGame } from './kept.js' */

/** @param {KeptGame} record @returns {SentGame} */
export function sentGame(record) {
  const { rulebook, hash, preset, time, lot, events, level, you, start: fen = null, account = '' } = record;
  return {
    rulebook, hash, preset, time, fen, lot, begun_ms: record.created_ms, ended_ms: record.updated_ms, account,
    opponent: level === null ? { kind: 'device' } : { kind: 'level', level },
    color: you === 'black' ? 'black' : 'white', events,
  };
}
