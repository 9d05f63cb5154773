/** What the engine says, in the server's views: scores from White's side, and lines. */

import { SCORES } from '../core/rulebooks.js';

/** @import { Color, Line, PlayedMove, Result } from '../core/types.js' */
/** @import { Game } from '../core/core.js' */

/** @typedef {{score: number, moves: string[]}} FoundLine of the side to move; no moves: the game is over */

const DIGITS = 1e4;

/** @param {number} value */
export const rounded = (value) => Math.round(value * DIGITS) / DIGITS;

/** The chance to win for a score, a draw counting half. @param {number} score */
export function chance(score) {
  if (Math.abs(score) > SCORES.decided) return score > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score / SCORES.scale));
}

/** A score of the side to move. @param {number} score @param {Color} turn */
export function scoreView(score, turn) {
  const white = turn === 'white' ? score : -score;
  const isDecided = Math.abs(white) > SCORES.decided;
  /** @type {Color} */
  const ahead = white > 0 ? 'white' : 'black';
  const left = SCORES.win - Math.abs(white);
  return {
    score: white, chance: rounded(chance(white)),
    winner: isDecided ? ahead : null,
    plies: isDecided && left < SCORES.win - SCORES.tableWin ? left : null,
  };
}

/**
 * What is known after a depth; `done` says why the search ended.
 * @param {Game} game @param {Result} result @param {number} threads @param {string | null} [done]
 */
export function searchView(game, { lines, depth, nodes, seconds }, threads, done = null) {
  const { turn } = game;
  return {
    threads, depth, nodes, nodes_per_second: seconds ? Math.round(nodes / seconds) : 0, done,
    ...(lines.length ? scoreView(lines[0].score, turn) : {}),
    lines: lines.map((line) => ({ ...scoreView(line.score, turn), moves: movesOf(game, line) })),
  };
}

/** @param {Game} game @param {Line} line @returns {PlayedMove[]} */
function movesOf(game, { moves }) {
  let place = game.book.position(game.fen);
  return moves.slice(0, SCORES.lineMoves).map((text) => {
    place = place.play(text);
    return /** @type {PlayedMove} */ (place.last);
  });
}
