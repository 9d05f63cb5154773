/** One run of a drill: so many seconds or tasks, and a point for each task solved at the first attempt. */

/** @typedef {'30' | '60' | 'ten'} Length */

/** @type {Record<Length, {ms: number, tasks: number}>} */
const LENGTHS = {
  30: { ms: 30_000, tasks: Infinity },
  60: { ms: 60_000, tasks: Infinity },
  ten: { ms: Infinity, tasks: 10 },
};

export class Run {
  score = 0;
  /** Tasks solved. */
  done = 0;
  #isClean = true;

  /** @param {Length} length @param {number} startedMs */
  constructor(length, startedMs) {
    const { ms, tasks } = LENGTHS[length];
    this.endsMs = startedMs + ms;
    this.tasks = tasks;
  }

  /** The task is not solved yet, and gives no point any more. */
  miss() {
    this.#isClean = false;
  }

  /** The task is solved. */
  solve() {
    this.done += 1;
    this.score += Number(this.#isClean);
    this.#isClean = true;
  }

  /** Seconds left, rounded up; infinite where tasks are counted. @param {number} nowMs */
  secondsLeft(nowMs) {
    return Math.max(0, Math.ceil((this.endsMs - nowMs) / 1000));
  }

  /** @param {number} nowMs */
  isOver(nowMs) {
    return this.done >= this.tasks || nowMs >= this.endsMs;
  }
}

/**
 * Best scores of a rulebook by drill and length: of two devices, the greater one stays.
 * @typedef {{best?: Record<string, number>}} DrillProgress
 */

/** @param {DrillProgress} progress @param {string} kind @param {Length} length */
export function bestScore({ best = {} }, kind, length) {
  return best[`${kind}-${length}`] ?? 0;
}

/**
 * The progress after a run.
 * @param {DrillProgress} progress @param {string} kind @param {Length} length @param {number} score
 * @returns {DrillProgress}
 */
export function withScore(progress, kind, length, score) {
  const best = Math.max(score, bestScore(progress, kind, length));
  return { ...progress, best: { ...progress.best, [`${kind}-${length}`]: best } };
}
