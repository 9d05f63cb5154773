/**
 * Which games of this browser's visitor go on, as far as its pages have seen: the home page keeps room for
 * their list until it has asked for it (`first.js`), so that nothing moves.
 */

import { loadValue, storeValue } from './storage.js';

/** `first.js` has it too. */
const STORAGE_KEY = 'damas.own-games';

/** Notes all of them. @param {string[]} ids */
export function noteOwnGames(ids) {
  storeValue(STORAGE_KEY, ids.length ? ids : null);
}

/** Notes that one goes on, or not any more. @param {string} id @param {boolean} isOpen */
export function noteOwnGame(id, isOpen) {
  /** @type {string[]} */
  const ids = loadValue(STORAGE_KEY) ?? [];
  if (ids.includes(id) === isOpen) return;
  noteOwnGames(isOpen ? [...ids, id] : ids.filter((each) => each !== id));
}
