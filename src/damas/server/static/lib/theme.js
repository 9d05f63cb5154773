/** Applies the preferred theme and board style to the page. */

import { onPreferences } from './preferences.js';

/** @import { Preferences } from './preferences.js' */

/** @type {Preferences['theme'][]} */
export const THEMES = ['system', 'light', 'dark', 'contrast'];
/** @type {Preferences['boardTheme'][]} */
export const BOARD_THEMES = ['wood', 'azulejo', 'slate', 'contrast', 'colourblind', 'print'];

onPreferences(({ theme, boardTheme }) => {
  const { dataset } = document.documentElement;
  const systemTheme = matchMedia('(prefers-contrast: more)').matches ? 'contrast' : null;
  const settings = {
    theme: theme === 'system' ? systemTheme : theme,
    board: boardTheme === 'wood' ? null : boardTheme,
  };
  for (const [name, value] of Object.entries(settings)) {
    if (value === null) delete dataset[name];
    else dataset[name] = value;
  }
});
