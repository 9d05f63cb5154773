/** Whether this browser has something that the server does not have yet: `local/sync.js` sends it. */

import { loadValue, storeValue } from './storage.js';

const STORAGE_KEY = 'damas.unsent';
/** The event of a window in which something new is to be sent. */
export const UNSENT = 'damas:unsent';

/** The event of a window when the server has answered for a game of this browser: `Answered`. */
export const ANSWERED = 'damas:answered';
export const KINDS = /** @type {const} */ (['games', 'attempts', 'progress']);

/** @typedef {typeof KINDS[number]} Kind */
/** @typedef {{local: string, url: string}} Answered its id here, and where it is stored; empty: refused */

/** @returns {Kind[]} */
const kinds = () => loadValue(STORAGE_KEY) ?? [];

export function hasUnsent() {
  return kinds().length > 0;
}

/** @param {Kind} kind */
export function isUnsent(kind) {
  return kinds().includes(kind);
}

/** Something of this kind is to be sent, now or on a later page. @param {Kind} kind */
export function noteUnsent(kind) {
  storeValue(STORAGE_KEY, [...new Set([...kinds(), kind])]);
}

/** The same, and the page sends it at once if it can. @param {Kind} kind */
export function sendSoon(kind) {
  noteUnsent(kind);
  window.dispatchEvent(new Event(UNSENT));
}

/** The server has all of this kind. @param {Kind} kind */
export function clearUnsent(kind) {
  const left = kinds().filter((each) => each !== kind);
  storeValue(STORAGE_KEY, left.length ? left : null);
}
