/**
 * What a visitor likes, kept in the browser without an account.
 * `damas-preferences` is fired on the window when one changes, in this tab or another.
 */

const KEY = 'damas.preferences';

export const DEFAULTS = Object.freeze({
  theme: 'system', // system | light | dark | contrast
  boardTheme: 'wood', // wood | azulejo | slate | contrast | colourblind | print
  numbering: 'rulebook', // rulebook | alg | numbers | rc | none
  animation: 'normal', // none | fast | normal | slow
  moveBy: 'both', // both | click | drag
  dests: true,
  sound: true,
  speech: false,
  confirm: 'auto', // auto: on touch screens in slow games | always | never
  blindfold: false,
  chat: true,
  zen: false,
});

/** @typedef {typeof DEFAULTS} Preferences */

/** @returns {Record<string, any>} */
function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return {}; // a browser that keeps nothing still plays
  }
}

let now = { ...DEFAULTS, ...stored() };

/** @template {keyof Preferences} K @param {K} name @returns {any} */
export function preference(name) {
  return now[name];
}

/** @param {Partial<Record<keyof Preferences, any>>} changes */
export function prefer(changes) {
  now = { ...now, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch { /* kept for this page only */ }
  tell();
}

function tell() {
  window.dispatchEvent(new CustomEvent('damas-preferences', { detail: now }));
}

/** Calls at once and after every change. @param {(preferences: typeof now) => void} listener */
export function onPreferences(listener) {
  window.addEventListener('damas-preferences', () => listener(now));
  listener(now);
}

window.addEventListener('storage', (event) => {
  if (event.key !== KEY) return;
  now = { ...DEFAULTS, ...stored() };
  tell();
});
