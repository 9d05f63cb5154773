/** Day, night, high contrast and the look of the board, as the visitor prefers; loaded by every page. */

import { onPreferences, prefer, preference } from './preferences.js';

export const THEMES = ['system', 'light', 'dark', 'contrast'];
export const BOARDS = ['wood', 'azulejo', 'slate', 'contrast', 'colourblind', 'print'];

onPreferences(({ theme, boardTheme }) => {
  const root = document.documentElement;
  const contrast = theme === 'system' && matchMedia('(prefers-contrast: more)').matches;
  set(root, 'theme', contrast ? 'contrast' : theme === 'system' ? null : theme);
  set(root, 'board', boardTheme === 'wood' ? null : boardTheme);
});

/** @param {HTMLElement} root @param {string} name @param {string|null} value */
function set(root, name, value) {
  if (value === null) delete root.dataset[name];
  else root.dataset[name] = value;
}

/** The next of the themes, for a button that turns through them. */
export function nextTheme() {
  const next = THEMES[(THEMES.indexOf(preference('theme')) + 1) % THEMES.length];
  prefer({ theme: next });
  return next;
}
