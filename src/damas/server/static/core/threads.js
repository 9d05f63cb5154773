// @ts-check
// The threads of a core with shared memory: workers that join its searches when they are there.

import { hasThreads } from "./instance.js";

const STACK_BYTES = 1 << 20;
const STACK_ALIGNMENT = 16;

/** Starts and ends the threads beside the one that calls the core. */
export class Threads {
  #core;
  #makeWorker;
  /** Those that are starting, asleep, at work or ending, by number. @type {Map<number, Worker>} */
  #workers = new Map();
  /** Where the block of memory of each begins: it is used again. @type {Map<number, number>} */
  #blocks = new Map();
  #areWanted = false;

  /**
   * @param {import("./core.js").Core} core
   * @param {number} count threads, the calling one included; 1 where the module has no shared memory
   * @param {() => Worker} makeWorker starts `thread.js`
   */
  constructor(core, count, makeWorker) {
    this.#core = core;
    this.#makeWorker = makeWorker;
    this.count = hasThreads(core.module) ? count : 1;
  }

  /** Threads that would take part in a search that begins now. */
  get ready() {
    return this.count === 1 ? 1 : 1 + this.#core.call("count_helpers");
  }

  /** Starts those that are not there. A search does not wait for them. */
  start() {
    this.#areWanted = true;
    for (let thread = 1; thread < this.count; thread += 1) {
      if (this.#workers.has(thread)) continue;
      try {
        this.#startOne(thread);
      } catch {
        this.#lose(thread); // one thread less
      }
    }
  }

  /** Lets them end, while no search runs. */
  end() {
    this.#areWanted = false;
    for (const thread of this.#workers.keys()) this.#core.call("end_helper", thread);
  }

  /** @param {number} thread */
  #startOne(thread) {
    const worker = this.#makeWorker();
    this.#workers.set(thread, worker);
    worker.addEventListener("error", (event) => {
      event.preventDefault?.(); // or browsers take it for an error of the worker that searches
      this.#lose(thread);
    });
    worker.addEventListener("message", () => {
      this.#workers.delete(thread);
      if (this.#areWanted) this.start(); // it was asked for again while it ended
    });
    const { module, memory } = this.#core;
    const start = { module, memory, thread, ...this.#placesOf(thread) };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    worker.postMessage(start);
  }

  /** Its stack, which grows downwards, and behind it what belongs to it alone. @param {number} thread */
  #placesOf(thread) {
    const { size, alignment } = this.#core.threadStorage;
    const block = this.#blocks.get(thread) ?? this.#core.allocate(STACK_BYTES + size + 2 * alignment);
    this.#blocks.set(thread, block);
    const end = block + STACK_BYTES;
    return { stack: end - (end % STACK_ALIGNMENT), storage: Math.ceil(end / alignment) * alignment };
  }

  /** @param {number} thread */
  #lose(thread) {
    this.#workers.get(thread)?.terminate();
    this.#workers.delete(thread);
    this.#core.call("lose_helper", thread);
  }
}
