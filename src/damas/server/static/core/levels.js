// @ts-check
// A level of the computer: what it plays, and how it judges a draw.

import { LEVELS } from "./rulebooks.js";

/** @typedef {import("./core.js").Game} Game */
/** @typedef {import("./types").Color} Color */

/** Seconds that the strongest level thinks about a move, on a device that has other things to do. */
const MOVETIME_S = 1;
/** With a clock, this part of what is left. */
const SHARES_OF_CLOCK = 30;

/**
 * Plays at one level. The same seed plays the same moves, but for the last level, which thinks by the clock.
 */
export class LevelPlayer {
  /** @param {import("./engine.js").Engine} engine @param {number} level @param {number} [seed] */
  constructor(engine, level, seed = 0) {
    this.engine = engine;
    this.level = level;
    this.seed = seed;
  }

  /**
   * The move it plays; null where there is none.
   * @param {Game} game
   * @param {{only?: readonly string[], clock?: number}} [settings] seconds left matter to the strongest
   */
  choose(game, { only, clock } = {}) {
    const movetime = clock === undefined ? MOVETIME_S : Math.min(MOVETIME_S, clock / SHARES_OF_CLOCK);
    return this.engine.choose(game, { level: this.level, seed: this.seed, only, movetime });
  }

  /** The material lead of a side in men. @param {Game} game @param {Color} side */
  ahead(game, side) {
    return ahead(game, side);
  }

  /**
   * Whether only a few kings are left and the tables say that a side cannot win.
   * @param {Game} game @param {Color} side
   */
  seesNoWin(game, side) {
    void game;
    void side;
    return false;
  }
}

/** The material lead of a side in men. @param {Game} game @param {Color} side */
export function ahead(game, side) {
  let lead = 0;
  for (const piece of Object.values(game.pieces)) {
    const worth = piece === piece.toUpperCase() ? LEVELS.kingValue : 1;
    lead += piece.toLowerCase() === side[0] ? worth : -worth;
  }
  return lead;
}
