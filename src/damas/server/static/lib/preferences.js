/** A visitor's preferences, stored in the browser. Changes are shared with other tabs. */

const STORAGE_KEY = 'damas.preferences';
const CHANGE_EVENT = 'damas-preferences';

/**
 * @typedef {object} Preferences
 * @property {'system' | 'light' | 'dark' | 'contrast'} theme
 * @property {'wood' | 'azulejo' | 'slate' | 'contrast' | 'colourblind' | 'print'} boardTheme
 * @property {'rulebook' | 'alg' | 'numbers' | 'rc' | 'none'} numbering
 * @property {'none' | 'fast' | 'normal' | 'slow'} animation
 * @property {'both' | 'click' | 'drag'} moveBy
 * @property {boolean} dests show where a selected piece can go
 * @property {boolean} sound
 * @property {boolean} speech
 * @property {'auto' | 'always' | 'never'} confirm confirm moves; auto: on touch screens in slow games
 * @property {boolean} blindfold
 * @property {boolean} chat
 * @property {boolean} zen
 */

/** @type {Readonly<Preferences>} */
const DEFAULTS = {
  theme: 'system', boardTheme: 'wood', numbering: 'rulebook', animation: 'normal', moveBy: 'both',
  dests: true,
  sound: true, speech: false, confirm: 'auto', blindfold: false, chat: true, zen: false,
};

/** @returns {Preferences} */
function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') };
  } catch {
    return { ...DEFAULTS }; // without storage the defaults apply
  }
}

let current = load();

/** @template {keyof Preferences} Name @param {Name} name @returns {Preferences[Name]} */
export function preference(name) {
  return current[name];
}

/** @param {Partial<Preferences>} changes */
export function setPreferences(changes) {
  current = { ...current, ...changes };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch { /* without storage they last as long as this page */ }
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
