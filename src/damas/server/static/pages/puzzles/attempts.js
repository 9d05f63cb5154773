/** How tries at puzzles reach the server: rated ones at once, the others as soon as it answers. */

import { currentAccount } from '../../lib/account.js';
import { api, ApiError } from '../../lib/api.js';
import { randomId } from '../../lib/random.js';
import { storeAttempt } from '../../local/store.js';

/** @import { PuzzleTried } from '../learning/messages.js' */
/** @import { Outcome } from './solver.js' */

/**
 * Stores a try, which is sent once the server answers; it changes no rating.
 * @param {string} rulebook @param {Outcome} outcome
 */
export function keepAttempt(rulebook, { puzzle, solved, hints, spent_ms }) {
  const attempt = { id: randomId(), account: currentAccount(), rulebook, puzzle: puzzle.id, solved, hints,
    spent_ms, at_ms: Date.now() };
  storeAttempt(attempt).catch(() => {}); // a browser without a database
}

/**
 * Sends a first try for the rating; without a connection it is kept, and sent later as one that is not rated.
 * @param {string} rulebook @param {Outcome} outcome @returns {Promise<PuzzleTried | null>}
 */
export async function sendRated(rulebook, outcome) {
  const { puzzle, solved, hints, spent_ms } = outcome;
  const attempt = { id: randomId(), account: currentAccount(), solved, hints, spent_ms };
  const path = `/api/puzzles/${rulebook}/${puzzle.id}`;
  try {
    return await api.post(path, { ...attempt, rated: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The same id: if only the answer was lost, this is the try that is there already.
    const kept = { ...attempt, rulebook, puzzle: puzzle.id, at_ms: Date.now() };
    storeAttempt(kept).catch(() => {}); // a browser without a database
    return null;
  }
}
