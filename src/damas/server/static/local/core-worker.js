/** Questions to the core, which runs in a worker. */

/** @import { Problem, Refusal } from '../core/types.js' */

/** @typedef {{message: string, problems: Problem[] | null, refusal: Refusal | null}} CoreFailure */

/**
 * @typedef {{resolve: (answer: any) => void, reject: (error: CoreFailure) => void,
 *   report?: (progress: any) => void}} Waiting
 *   any: each question has its own answer
 */

/** Whether something was thrown by a `CoreWorker`. @param {any} error any: of whatever was thrown */
export const isCoreFailure = (error) => error?.problems !== undefined && !(error instanceof Error);

/**
 * @typedef {'names' | 'view' | 'refusal' | 'reading' | 'choose' | 'table' | 'position' | 'explain'
 *   | 'command' | 'flag' | 'computer' | 'lens' | 'judge' | 'tableSizes' | 'exercise' | 'line' | 'analyse'
 *   | 'best' | 'report' | 'readPdn' | 'writePdn'} Question
 */
/** @typedef {{report?: (progress: any) => void, signal?: AbortSignal}} Watch any: as each question has it */

const WORKER = '/static/bundle/worker.js';

/** The level that thinks by the clock. The others count positions, which are the same on every device. */
const TIMED_LEVEL = 10;

/** What the level of a game needs. @param {number | null} level @returns {'single' | 'threads'} */
export const kindFor = (level) => (level === TIMED_LEVEL ? 'threads' : 'single');

export class CoreWorker {
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #number = 0;
  /** Why the worker could not be started. @type {CoreFailure | null} */
  #failure = null;
  #worker;

  /**
   * @param {'single' | 'threads'} [kind] `threads`: for lines of a position and for the level that thinks
   *   by the clock, where it can have them
   */
  constructor(kind = 'single') {
    this.kind = kind;
    this.#worker = new Worker(WORKER, { type: 'module', name: kind });
    this.#worker.addEventListener('message', ({ data: { n, answer, error, progress } }) => {
      const { resolve, reject, report } = this.#waiting.get(n) ?? {};
      if (progress !== undefined) return report?.(progress);
      this.#waiting.delete(n);
      if (error) reject?.(error);
      else resolve?.(answer);
    });
    this.#worker.addEventListener('error', (event) => {
      const failure = { message: event.message ?? 'worker', problems: null, refusal: null };
      this.#failure = failure;
      for (const { reject } of this.#waiting.values()) reject(failure);
      this.#waiting.clear();
    });
  }

  /**
   * Rejects with a `CoreFailure`.
   * @param {Question} ask @param {object} question @param {Watch} [watch]
   * @returns {Promise<any>} any: each question has its own answer
   */
  ask(ask, question, { report, signal } = {}) {
    const n = this.#number += 1;
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.set(n, { resolve, reject, report });
      this.#send({ n, ask, question });
      signal?.addEventListener('abort', () => this.#send({ n, ask: 'stop' }));
    });
  }

  /** @param {object} message */
  #send(message) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    this.#worker.postMessage(message);
  }

  /** Ends the worker and whatever it is doing. */
  close() {
    this.#worker.terminate();
  }
}
