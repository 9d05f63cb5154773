/** Questions to the core, which runs in a worker. */

/** @import { Problem, Refusal } from '../core/types.js' */

/** @typedef {{message: string, problems: Problem[] | null, refusal: Refusal | null}} CoreFailure */

/**
 * @typedef {{resolve: (answer: any) => void, reject: (error: CoreFailure) => void}} Waiting
 *   any: each question has its own answer
 */

export class CoreWorker {
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #number = 0;
  /** Why the worker could not be started. @type {CoreFailure | null} */
  #failure = null;
  #worker = new Worker('/static/local/worker.js', { type: 'module' });

  constructor() {
    this.#worker.addEventListener('message', ({ data: { n, answer, error } }) => {
      const { resolve, reject } = this.#waiting.get(n) ?? {};
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
   * @param {'names' | 'view' | 'refusal' | 'choose' | 'lens' | 'judge' | 'exercise'} ask
   * @param {object} question
   * @returns {Promise<any>} any: each question has its own answer
   */
  ask(ask, question) {
    const n = this.#number += 1;
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.set(n, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
      this.#worker.postMessage({ n, ask, question });
    });
  }
}
