// @ts-check
// Lines of play on an analysis board: only the rulebook ends a game, and where players went on after that, so
// does the board.

import { CoreError } from "./core.js";

/** @typedef {import("./core.js").Game} Game */
/** @typedef {import("./core.js").Rulebook} Rulebook */

/** The laws of an analysed line. */
const CUSTOMS = { platformRules: false, claims: false };

/** A game before its first move. Throws `CoreError`. @param {Rulebook} book @param {string} fen */
export function startOf(book, fen) {
  return book.game({ fen, customs: CUSTOMS });
}

/**
 * One ply further; beyond the end of a game, the position as it stands on the board.
 * @param {Game} game @param {string} move
 */
export function playOn(game, move) {
  try {
    return game.play(move);
  } catch (error) {
    if (!(error instanceof CoreError) || error.refusal?.code !== "GAME_OVER") throw error;
    return startOf(game.book, game.fen).play(move);
  }
}

/**
 * The same after all these moves. Throws `CoreError`.
 * @param {Rulebook} book @param {{fen: string, moves: readonly string[]}} place @returns {Game}
 */
export function gameAfter(book, { fen, moves }) {
  try {
    return book.game({ fen, moves, customs: CUSTOMS });
  } catch (error) {
    if (!(error instanceof CoreError) || error.refusal?.code !== "GAME_OVER" || !error.ply) throw error;
    const { ply } = error;
    const { fen: here } = gameAfter(book, { fen, moves: moves.slice(0, ply) });
    return gameAfter(book, { fen: here, moves: moves.slice(ply) });
  }
}

/**
 * The positions of a line from a ply on, each as the board shows it. Where a move cannot be played the line
 * ends, and `failure` says why. Throws `CoreError` for a bad first position.
 * @param {Rulebook} book
 * @param {{fen: string, moves: readonly string[], since: number}} line
 */
export function lineOf(book, { fen, moves, since }) {
  let game = startOf(book, fen);
  let isBeyond = false;
  /** @type {import("./types").GameView[]} */
  const views = [];
  for (let ply = 0; ; ply += 1) {
    const open = { counts: [], claimable: [], attention: [], outcome: null, legal: legalHere(game) };
    if (ply >= since) views.push({ ...game.view, ply, ...(isBeyond ? open : {}) });
    if (ply === moves.length) return { views, failure: null };
    isBeyond ||= game.outcome !== null;
    try {
      game = playOn(game, moves[ply]);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      const { message, problems, refusal } = error;
      return { views, failure: { message, problems, refusal, tried: moves[ply] } };
    }
  }
}

/** The legal moves of the position, also where a law has ended the game. @param {Game} game */
export function legalHere(game) {
  return (game.outcome ? startOf(game.book, game.fen) : game).legal;
}
