/** Which puzzle comes next: near the rating, of the day, of a run, one to review, or of a motif and grade. */

import { api, ApiError } from '../../lib/api.js';
import { findPuzzles } from '../learning/puzzle-store.js';

/** @import { NextPuzzle, PuzzleEntry, PuzzleList, PuzzleRun } from '../learning/messages.js' */
/** @import { ReviewAnswered, ReviewDeck, ReviewItem, TrainingToday } from '../learning/messages.js' */

export const MODES = /** @type {const} */ (['rated', 'daily', 'run', 'review', 'free']);
/** The next puzzle is one of this many: the easiest, or of the chosen grade those nearest to some rating. */
const NEAREST_COUNT = 12;
/** Width of a grade, from whose ratings that one is drawn. */
const GRADE_WIDTH = 250;
/** Without the server a puzzle near this rating is chosen. */
const USUAL_RATING = 1000;

/** @typedef {typeof MODES[number]} Mode */
/**
 * @typedef {{motif: string, min: number, max?: number, hasGrade: boolean, solved: string[],
 *   current?: string}} Criteria
 */
/** @typedef {{id: string, isAgain?: boolean, isUnrated?: boolean}} Choice */

/** Minutes by which the visitor's clock is ahead of UTC. */
const clockOffset = () => -new Date().getTimezoneOffset();

/** @param {string} book @returns {Promise<TrainingToday>} */
export function loadToday(book) {
  return api.get(`/api/training/${book}/today?offset=${clockOffset()}`);
}

/** @template T @param {T[]} list @returns {T | undefined} */
function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/**
 * An unsolved puzzle of what is chosen, else a solved one.
 * @param {string} book @param {Criteria} criteria @returns {Promise<Choice | null>}
 */
export async function chooseFree(book, { motif, min, max, hasGrade, solved, current }) {
  const known = new Set(solved);
  const near = hasGrade ? min + Math.floor(Math.random() * GRADE_WIDTH) : 0;
  /** @type {PuzzleEntry[]} */
  const others = [];
  for (let page = 0, seen = 0; ; page += 1) {
    /** @type {PuzzleList} */
    const { puzzles, matching } = await findPuzzles(book, { motif, near, min, max, page });
    const unsolved = puzzles.filter(({ id }) => !known.has(id) && id !== current);
    const entry = anyOf(unsolved.slice(0, NEAREST_COUNT));
    if (entry) return { id: entry.id };
    others.push(...puzzles);
    seen += puzzles.length;
    if (puzzles.length && seen < matching) continue;
    const again = anyOf(others);
    return again ? { id: again.id, isAgain: true } : null;
  }
}

/**
 * A puzzle near the solver's rating; without the server one of those that are kept, which is not rated.
 * @param {string} book @param {Criteria} criteria @returns {Promise<Choice | null>}
 */
export async function chooseRated(book, criteria) {
  try {
    /** @type {NextPuzzle} */
    const { id, met } = await api.get(
      `/api/training/${book}/next?${new URLSearchParams({ motif: criteria.motif })}`);
    return { id, isAgain: met };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status) throw error;
    const kept = await chooseFree(book, { ...criteria, min: USUAL_RATING - GRADE_WIDTH, hasGrade: true });
    return kept && { ...kept, isUnrated: true };
  }
}

/** Puzzles of a run, from the easiest to the hardest, until the first mistake. */
export class Run {
  /** @type {string[]} */
  #ids = [];
  score = 0;
  isOver = true;

  /** The next puzzle, of a new run if the last one is over; null at the end. @param {string} book */
  async next(book) {
    if (this.isOver) {
      /** @type {PuzzleRun} */
      const { puzzles } = await api.get(`/api/training/${book}/run`);
      this.#ids = puzzles;
      this.score = 0;
      this.isOver = false;
    }
    const id = this.#ids[this.score];
    if (!id) this.isOver = true;
    return id ? { id } : null;
  }

  /** @param {boolean} isClean solved without a mistake */
  take(isClean) {
    if (this.isOver) return;
    if (isClean) this.score += 1;
    else this.isOver = true;
  }
}

/** The puzzles that are due, one after the other. */
export class ReviewQueue {
  /** @type {ReviewItem | null} */
  #current = null;

  /** @param {string} book @returns {Promise<Choice | null>} */
  async next(book) {
    /** @type {ReviewDeck} */
    const { items } = await api.get(`/api/reviews/puzzle:${book}`);
    [this.#current = null] = items;
    return this.#current && { id: this.#current.item };
  }

  /**
   * When the next puzzle is due; null for an empty deck.
   * @param {string} book @returns {Promise<number | null>}
   */
  async nextDue(book) {
    /** @type {ReviewDeck} */
    const { items } = await api.get(`/api/reviews/puzzle:${book}?all=1`);
    return items[0]?.due_ms ?? null;
  }

  /**
   * Says how the current puzzle went, and when it comes back.
   * @param {string} book @param {string} id @param {'again' | 'hard' | 'good'} grade
   * @returns {Promise<ReviewAnswered | null>}
   */
  async answer(book, id, grade) {
    if (this.#current?.item !== id) return null;
    const { due_ms } = this.#current;
    return api.post(`/api/reviews/puzzle:${book}/answer`, { item: id, grade, due_ms });
  }

  /** The puzzle of the queue is there no more. @param {string} book @param {string} id */
  async forget(book, id) {
    await api.post(`/api/reviews/puzzle:${book}/forget`, { item: id });
  }
}
