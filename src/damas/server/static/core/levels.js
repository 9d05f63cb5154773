// @ts-check
// Ten levels for people, as src/damas/engine/levels.py plays them: the same seed plays the same moves in
// both.

import { Random } from "./random.js";
import { LEVELS } from "./rulebooks.js";

/** @typedef {import("./core.js").Game} Game */
/** @typedef {import("./types").Color} Color */
/** @typedef {import("./types").Result} Result */

/** A score beyond this says who wins. */
const DECIDED = 25_000;

/**
 * Plays at one level. The same seed plays the same moves, but for the last level, which thinks by the clock.
 */
export class LevelPlayer {
  /** @param {import("./engine.js").Engine} engine @param {number} level @param {number} [seed] */
  constructor(engine, level, seed = 0) {
    const settings = LEVELS.levels[level - 1];
    if (!settings) throw new RangeError(`levels go from 1 to ${LEVELS.levels.length}, not ${level}`);
    const [number, nodes, noise, horizon, share, window] = settings;
    this.engine = engine;
    this.seed = seed;
    this.level = { number, nodes, noise: noise ?? 0, horizon, share: share ?? 1, window: window ?? 0 };
  }

  /**
   * The move it plays; null where there is none.
   * @param {Game} game
   * @param {{only?: readonly string[], movetime?: number}} [settings] seconds matter to the strongest
   * @returns {string | null}
   */
  choose(game, { only, movetime } = {}) {
    const { nodes, window } = this.level, { engine } = this;
    // Earlier searches must not matter, or a resumed game would go on differently.
    if (nodes !== null) engine.forget();
    const isConverting = Object.keys(game.pieces).length <= LEVELS.conversionPieces
      && ahead(game, game.turn) > 0;
    const winning = isConverting ? winningMove(game, only) : null;
    if (winning) return winning;
    if (nodes === null) return best(engine.search(game, { movetime, only }));
    if (isConverting) return best(engine.search(game,
      { nodes: Math.max(nodes, LEVELS.conversionNodes), only }));
    const { noise, horizon, share } = this.level;
    const lines = window ? Math.min(LEVELS.maxLines, game.legal.length) : 1;
    const handicap = { noise, horizon, share, seed: this.#random(game).bits(63) };
    return this.#pick(game, engine.search(game, { nodes, lines, only }, { handicap }));
  }

  /**
   * Any of the lines that look about as good as the best; better ones are likelier.
   * @param {Game} game @param {Result} result
   */
  #pick(game, result) {
    const { window } = this.level, score = result.lines[0]?.score ?? 0;
    const near = result.lines.filter((line) => score - line.score <= window
      && Math.abs(line.score) <= DECIDED);
    if (near.length < 2 || score > DECIDED) return best(result);
    let total = 0;
    const sums = near.map((line) => (total += Math.exp((-3 * (score - line.score)) / window)));
    const chance = this.#random(game).next() * total;
    const index = sums.findIndex((sum) => chance < sum);
    return near[index < 0 ? near.length - 1 : index].moves[0];
  }

  /** @param {Game} game */
  #random(game) {
    return new Random(`${this.seed}/${this.level.number}/${game.ply}/${game.fen}`);
  }

  /**
   * Whether only a few kings are left and the tables say that a side cannot win.
   * @param {Game} game @param {Color} side
   */
  seesNoWin(game, side) {
    const verdict = probeKings(game);
    return verdict !== null && verdict.limited !== (game.turn === side ? "win" : "loss");
  }
}

/** @param {Result} result */
const best = ({ lines }) => lines[0]?.moves[0] ?? null;

/**
 * What the tables say where only a few kings are left; null elsewhere. They are made when they are first
 * asked.
 * @param {Game} game
 */
function probeKings(game) {
  const isKings = Object.values(game.pieces).every((piece) => piece === piece.toUpperCase());
  return isKings ? game.book.probe(game) : null;
}

/**
 * The move that wins soonest where only a few kings are left and it is won; else null.
 * @param {Game} game
 * @param {readonly string[]} [only]
 * @returns {string | null}
 */
function winningMove(game, only) {
  if (probeKings(game)?.limited !== "win") return null;
  /** @type {{move: string | null, plies: number}} */
  const soonest = { move: null, plies: Infinity };
  for (const { text } of game.legal) {
    if (only && !only.includes(text)) continue;
    const next = game.play(text), verdict = next.outcome ? null : probeKings(next);
    if (next.outcome?.winner === game.turn) return text;
    const plies = verdict?.limited === "loss" ? verdict.plies ?? Infinity : Infinity;
    if (plies < soonest.plies) Object.assign(soonest, { move: text, plies });
  }
  return soonest.move;
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
