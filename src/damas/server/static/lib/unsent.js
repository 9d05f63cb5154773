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

/**
 * What is to be sent, each kind with a token of when it was last noted.
 * @returns {Partial<Record<Kind, string>>}
 */
const tokens = () => loadValue(STORAGE_KEY) ?? {};

export function hasUnsent() {
  return Object.keys(tokens()).length > 0;
}

/** A token of what is to be sent now: it changes with all that comes later. @param {Kind} kind */
export function unsentToken(kind) {
  return tokens()[kind];
}

/** Something of this kind is to be sent, now or on a later page. @param {Kind} kind */
export function noteUnsent(kind) {
  storeValue(STORAGE_KEY, { ...tokens(), [kind]: String(Math.random()) });
}

/** The same, and the page sends it at once if it can. @param {Kind} kind */
export function sendSoon(kind) {
  noteUnsent(kind);
  window.dispatchEvent(new Event(UNSENT));
}

/**
 * The server has all of this kind, unless something new was noted meanwhile.
 * @param {Kind} kind @param {string} [token] of what was sent
 */
export function clearUnsent(kind, token) {
  const { [kind]: noted, ...others } = tokens();
  if (token !== undefined && noted !== token) return;
  storeValue(STORAGE_KEY, Object.keys(others).length ? others : null);
}
