/** The clock in the browser's storage: a page that is opened again goes on with it. */

import { loadValue, storeValue } from '../../lib/storage.js';

/** @import { MatchClock, Moment, StoredClock } from './match-clock.js' */

const STORAGE_KEY = 'damas.clock';

/** @param {number} [at] on the page's own clock @returns {Moment} */
export function moment(at = performance.now()) {
  return { at, wall: Date.now() - (performance.now() - at) };
}

/** @param {MatchClock | null} match @returns {boolean} whether the browser stores it */
export function keep(match) {
  const saved = moment();
  storeValue(STORAGE_KEY, match && { match, saved });
  return match === null || loadValue(STORAGE_KEY)?.saved?.at === saved.at;
}

/** The kept clock, or null. @returns {StoredClock | null} */
export function kept() {
  /** @type {Partial<StoredClock> | null} */
  const stored = loadValue(STORAGE_KEY);
  return stored?.match?.terms && stored.saved ? /** @type {StoredClock} */ (stored) : null;
}

/** Calls the listener when another window has changed the clock. @param {() => void} listener */
export function onKeptElsewhere(listener) {
  window.addEventListener('storage', ({ key }) => { if (key === STORAGE_KEY) listener(); });
}
