/** A visitor's preferences, stored in the browser. Changes are shared with other tabs. */

import { loadValue, storeValue } from './storage.js';

const STORAGE_KEY = 'damas.preferences';
const CHANGE_EVENT = 'damas-preferences';

export const THEMES = /** @type {const} */ (['system', 'light', 'dark', 'contrast']);
export const BOARD_THEMES =
  /** @type {const} */ (['wood', 'azulejo', 'slate', 'contrast', 'colourblind', 'print']);

/**
 * @typedef {object} Preferences
 * @property {typeof THEMES[number]} theme
 * @property {typeof BOARD_THEMES[number]} boardTheme
 * @property {'rulebook' | 'alg' | 'numbers' | 'rc' | 'none'} numbering
 * @property {'none' | 'fast' | 'normal' | 'slow'} animation
 * @property {'both' | 'click' | 'drag'} moveBy
 * @property {boolean} dests show where a selected piece can go
 * @property {boolean} premoves enter moves before one's turn, where that costs nothing
 * @property {boolean} sound
 * @property {boolean} speech
 * @property {'auto' | 'always' | 'never'} confirm confirm moves; auto: on touch screens in slow games
 * @property {'auto' | 'device' | 'server'} engine where it thinks; auto: on this device, if that is able
 * @property {boolean} blindfold
 * @property {boolean} chat
 * @property {boolean} zen
 * @property {boolean} trainMistakes mistakes of one's own games become puzzles once a report is there
 */

/** @type {Readonly<Preferences>} */
const DEFAULTS = {
  theme: 'system', boardTheme: 'wood', numbering: 'rulebook', animation: 'normal', moveBy: 'both',
  dests: true, premoves: true, sound: true, speech: false, confirm: 'auto', engine: 'auto', blindfold: false,
  chat: true, zen: false, trainMistakes: true,
};

/** @returns {Preferences} */
const load = () => ({ ...DEFAULTS, ...loadValue(STORAGE_KEY) });

let current = load();

/** @template {keyof Preferences} Name @param {Name} name @returns {Preferences[Name]} */
export function preference(name) {
  return current[name];
}

/** @param {Partial<Preferences>} changes */
export function setPreferences(changes) {
  current = { ...current, ...changes };
  storeValue(STORAGE_KEY, current);
  window.dispatchEvent(new CustomEvent(CHANGE_EVENT));
}

/** Calls the listener now and after every change. @param {(preferences: Preferences) => void} listener */
export function onPreferences(listener) {
  window.addEventListener(CHANGE_EVENT, () => listener(current));
  listener(current);
}

window.addEventListener('storage', (event) => {
  if (event.key !== STORAGE_KEY) return;
  current = load();
  window.dispatchEvent(new CustomEvent(CHANGE_EVENT));
});
