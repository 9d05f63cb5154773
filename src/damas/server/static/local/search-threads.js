/** The threads of searches in this worker: started with the first, ended when nothing is searched. */

import { Threads } from '../core/threads.js';

/** @import { Core } from '../core/core.js' */

/** More would gain little and warm the device. */
const MAX_THREADS = 4;
/** Another position is often looked at soon; in a game the opponent thinks meanwhile. */
const ENDS_AFTER_MS = 5000;
export const ENDS_AFTER_MOVE_MS = 60_000;
/** So long a search waits for them that asks for its threads only once. */
const STARTS_WITHIN_MS = 300, LOOKS_EVERY_MS = 10;
const THREAD = new URL('../bundle/thread.js', import.meta.url);

/** Half of the device's processors, but for two; one where the page may not share memory. */
export function threadsHere() {
  const processors = navigator.hardwareConcurrency ?? 1;
  if (!self.crossOriginIsolated || !('Worker' in self) || processors < 2) return 1;
  return Math.min(MAX_THREADS, Math.max(2, Math.floor(processors / 2)));
}

export class SearchThreads {
  #threads;
  #searches = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Core} core */
  constructor(core) {
    this.#threads = new Threads(core, threadsHere(), () => new Worker(THREAD, { type: 'module' }));
  }

  /** The most of them. */
  get count() { return this.#threads.count; }

  /** Those that search now. */
  get ready() { return this.#threads.ready; }

  /** Waits a little for those that are starting. */
  async started() {
    const until = performance.now() + STARTS_WITHIN_MS;
    while (this.ready < this.count && performance.now() < until) {
      await new Promise((resolve) => { setTimeout(resolve, LOOKS_EVERY_MS); });
    }
  }

  /**
   * Has them while something is searched, and a while longer.
   * @template Answer @param {() => Promise<Answer>} search @returns {Promise<Answer>}
   */
  async during(search, endsAfterMs = ENDS_AFTER_MS) {
    this.#searches += 1;
    clearTimeout(this.#timer);
    this.#threads.start();
    try {
      return await search();
    } finally {
      this.#searches -= 1;
      if (this.#searches === 0) this.#timer = setTimeout(() => this.#threads.end(), endsAfterMs);
    }
  }
}
