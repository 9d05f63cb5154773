// @ts-check
// The engine: searches, analyses in slices of time, and plays at a level.

import { LevelPlayer } from "./levels.js";

/** @typedef {import("./types").Result} Result */
/** @typedef {import("./types").Limits} Limits */
/** @typedef {import("./core.js").Game} Game */

const ANY_HORIZON = 200;
const FIRST_SLICE_S = 0.1;
const MAX_SLICE_S = 0.8;
const MOVETIME_S = 2;
const MAX_HASH_MB = 1024;
const FREED = -1;

/** A search with its memory. One search at a time; `free` gives the memory back. */
export class Engine {
  /** @param {import("./core.js").Rulebook} book @param {import("./types").EngineSettings} [settings] */
  constructor(book, { network = null, hashMb = 16, tables = 0, platformRules = true, threads = 1 } = {}) {
    this.book = book;
    this.core = book.core;
    if (!(hashMb > 0 && hashMb <= MAX_HASH_MB)) throw new RangeError(`hashMb goes up to ${MAX_HASH_MB}`);
    if (tables > book.tablePieces) throw new RangeError(`tables have up to ${book.tablePieces} pieces here`);
    this.number = this.core.call("add_engine", book.number, hashMb * 2 ** 20, platformRules ? 1 : 0, threads);
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
    return new LevelPlayer(this, level, seed).choose(game, { only, movetime });
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
