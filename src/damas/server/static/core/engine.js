// @ts-check
// The engine: searches, analyses in slices of time, and plays at a level.

import { LEVELS } from "./rulebooks.js";

/** @typedef {import("./types").Result} Result */
/** @typedef {import("./types").Limits} Limits */
/** @typedef {import("./core.js").Game} Game */

const DECIDED = 25_000;
const ANY_HORIZON = 200;
const FIRST_SLICE_S = 0.1;
const MAX_SLICE_S = 0.8;
const MOVETIME_S = 2;
const MAX_HASH_MB = 1024;
const FREED = -1;

/** A search with its memory. One search at a time; `free` gives the memory back. */
export class Engine {
  /** @param {import("./core.js").Rulebook} book @param {import("./types").EngineSettings} [settings] */
  constructor(book, { network = null, hashMb = 16, tables = 0, platformRules = true } = {}) {
    this.book = book;
    this.core = book.core;
    if (!(hashMb > 0 && hashMb <= MAX_HASH_MB)) throw new RangeError(`hashMb goes up to ${MAX_HASH_MB}`);
    if (tables > book.tablePieces) throw new RangeError(`tables have up to ${book.tablePieces} pieces here`);
    this.number = this.core.call("add_engine", book.number, hashMb * 2 ** 20, platformRules ? 1 : 0);
    if (network && !this.core.call("use_network", this.number, network)) {
      const why = this.core.answer;
      this.free();
      throw new Error(`this is no network of ${book.id}: ${why}`);
    }
    if (tables) this.core.call("use_tables", this.number, tables, tables);
  }

  /**
   * Thinks until a limit is met. Blocks its thread: call it in a worker.
   * @param {Game} game
   * @param {Limits} limits
   * @param {import("./types").SearchSettings} [settings]
   * @returns {Result}
   */
  search(game, limits, { handicap = {}, onInfo, stop } = {}) {
    const { core } = this;
    if (game.book !== this.book) throw new TypeError(`an engine of ${this.book.id}, not of ${game.book.id}`);
    const { depth = 120, nodes = 0, movetime = 0, lines = 1, only = [] } = limits;
    const { noise = 0, share = 1, horizon = null, seed = 0n } = handicap;
    core.onReport = onInfo ? () => onInfo(resultOf(core.answer)) : null;
    core.interrupted = stop ? () => Atomics.load(stop, 0) !== 0 : null;
    const micros = movetime ? Math.max(1, Math.round(movetime * 1e6)) : 0;
    const halves = [Number(seed >> 32n), Number(seed & 0xffffffffn)];
    const weaker = [noise, Math.round(256 * share), horizon ?? ANY_HORIZON, ...halves];
    core.call("search", this.#held(), game.text, only.join("\n"), depth, nodes, 0, micros, lines, ...weaker);
    return resultOf(core.answer);
  }

  /**
   * The same in slices of time, so that its thread hears of `signal` within a second. The memory of one
   * serves the next, and `onInfo` is called when a slice has looked deeper.
   * @param {Game} game
   * @param {Limits} limits
   * @param {{onInfo?: (result: Result) => void, signal?: AbortSignal}} [settings]
   * @returns {Promise<Result>}
   */
  async analyse(game, limits, { onInfo, signal } = {}) {
    let best = resultOf('{"lines":[]}');
    let slice = FIRST_SLICE_S;
    let nodes = 0;
    let seconds = 0;
    for (;;) {
      if (signal?.aborted) break;
      const left = limits.movetime ? limits.movetime - seconds : slice;
      const result = this.search(game, { ...limits, movetime: Math.min(slice, left) });
      nodes += result.nodes;
      seconds += result.seconds;
      const deeper = result.depth > best.depth;
      const asDeep = result.depth === best.depth && result.lines.length > 0;
      if (deeper || asDeep) best = { ...result, nodes, seconds };
      if (deeper) onInfo?.(best);
      const enough = result.depth >= (limits.depth ?? 120) || nodes >= (limits.nodes || Infinity);
      if (enough || !result.lines.length || seconds >= (limits.movetime || Infinity)) break;
      slice = Math.min(slice * 1.5, MAX_SLICE_S);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return { ...best, nodes, seconds };
  }

  /**
   * The move that a level plays, or null where there is none. The same seed plays the same moves, but
   * for level 10, which thinks by the clock.
   * @param {Game} game
   * @param {{level: number, seed?: number, movetime?: number, only?: readonly string[]}} settings
   * @returns {string | null}
   */
  choose(game, { level, seed = 0, movetime = MOVETIME_S, only }) {
    const settings = LEVELS.levels[level - 1];
    if (!settings) throw new RangeError(`levels go from 1 to ${LEVELS.levels.length}, not ${level}`);
    const [, nodes, noise, horizon, share, window] = settings;
    if (nodes === null) return this.search(game, { movetime, only }).lines[0]?.moves[0] ?? null;
    this.forget(); // earlier searches must not matter, or a resumed game would go on differently
    if (this.#isConverting(game)) {
      const most = Math.max(nodes, LEVELS.conversionNodes);
      return this.search(game, { nodes: most, only }).lines[0]?.moves[0] ?? null;
    }
    const random = randomOf(`${seed}/${level}/${game.ply}/${game.fen}`);
    const lines = window ? Math.min(LEVELS.maxLines, game.legal.length) : 1;
    const handicap = { noise: noise ?? 0, share: share ?? 1, horizon, seed: random.bits() };
    return pick(this.search(game, { nodes, lines, only }, { handicap }), window ?? 0, random.next());
  }

  /** Whether the side to move is ahead with few pieces, and has to win before a limit. @param {Game} game */
  #isConverting(game) {
    const letters = Object.values(game.pieces);
    const worth = (/** @type {string} */ letter) => (letter === letter.toUpperCase() ? LEVELS.kingValue : 1);
    const mine = game.turn[0];
    const side = (/** @type {string} */ piece) => (piece.toLowerCase() === mine ? 1 : -1);
    const lead = letters.reduce((sum, piece) => sum + side(piece) * worth(piece), 0);
    return letters.length <= LEVELS.conversionPieces && lead > 0;
  }

  /** Forgets everything learned in earlier searches. */
  forget() {
    this.core.call("forget", this.#held());
  }

  /** Gives its memory back; whatever it is asked afterwards throws. */
  free() {
    if (this.number !== FREED) this.core.call("remove_engine", this.number);
    this.number = FREED;
  }

  /** Its number in the core. */
  #held() {
    if (this.number === FREED) throw new Error("this engine was freed");
    return this.number;
  }
}

/** @param {string} answer @returns {Result} */
function resultOf(answer) {
  const { microseconds = 0, ...rest } = JSON.parse(answer);
  return { nodes: 0, depth: 0, deepest: 0, tableHits: 0, hashFull: 0, ...rest, seconds: microseconds / 1e6 };
}

/**
 * Any of the lines that look about as good as the best; better ones are likelier.
 * @param {Result} result @param {number} window @param {number} chance from 0 to 1
 */
function pick({ lines }, window, chance) {
  if (!lines.length) return null;
  const best = lines[0].score;
  const near = lines.filter((line) => best - line.score <= window && Math.abs(line.score) <= DECIDED);
  if (near.length < 2 || best > DECIDED) return lines[0].moves[0];
  const weights = near.map((line) => Math.exp((-3 * (best - line.score)) / window));
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, weight] of weights.entries()) if ((left -= weight) < 0) return near[i].moves[0];
  return near[near.length - 1].moves[0];
}

/** Random numbers that follow from a text. @param {string} text */
function randomOf(text) {
  const mask = (1n << 64n) - 1n;
  let state = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) state = ((state ^ BigInt(byte)) * 0x100000001b3n) & mask;
  const bits = () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
  return { bits, next: () => Number(bits() >> 11n) / 2 ** 53 };
}
