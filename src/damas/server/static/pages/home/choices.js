/** What the visitor chose last for a new game, stored in the browser. */

const STORAGE_KEY = 'damas.play';

/** @typedef {{rulebook: string, level: number, colour: string, time: string, preset: string}} Choices */

/** @returns {Choices} */
function load() {
  const rulebook = document.documentElement.dataset.rulebookDefault ?? 'brasileira';
  const defaults = { rulebook, level: 4, colour: 'white', time: 'none', preset: 'casual' };
  const requested = new URLSearchParams(location.search).get('rulebook');
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    return { ...defaults, ...stored, ...(requested ? { rulebook: requested } : {}) };
  } catch {
    return defaults;
  }
}

export const choices = load();

/** @param {Partial<Choices>} changes */
export function setChoices(changes) {
  Object.assign(choices, changes);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(choices));
  } catch { /* without storage they last as long as this page */ }
}
