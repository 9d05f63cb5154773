/** The dialog of preferences, for every page with a board. */

import { openDialog } from './dialog.js';
import { h } from './dom.js';
import { BOARD_THEMES, preference, setPreferences, THEMES } from './preferences.js';
import { t } from './words.js';

/** Name, key of its label, key of its values' names, values. */
const CHOICES = /** @type {const} */ ([
  ['theme', 'theme', 'themes', THEMES],
  ['boardTheme', 'board', 'boards', BOARD_THEMES],
  ['numbering', 'numbering', 'numberings', ['rulebook', 'alg', 'numbers', 'rc', 'none']],
  ['animation', 'animation', 'animations', ['none', 'fast', 'normal', 'slow']],
  ['moveBy', 'moveBy', 'moveBys', ['both', 'click', 'drag']],
  ['confirm', 'confirm', 'confirms', ['auto', 'always', 'never']],
  ['engine', 'engine', 'engines', ['auto', 'device', 'server']],
]);
const SWITCHES = /** @type {const} */ (['dests', 'premoves', 'sound', 'speech', 'blindfold']);

export function openSettings() {
  openDialog('settings', t('play.do.settings'),
    h('div.stack', ...CHOICES.map(choiceField), ...SWITCHES.map(switchField)));
}

/** @param {typeof CHOICES[number]} choice */
function choiceField([name, labelKey, valuesKey, values]) {
  const id = `set-${name}`;
  const select = h('select', { id, testid: id }, ...values.map((value) =>
    h('option', { value, selected: preference(name) === value }, t(`play.${valuesKey}.${value}`))));
  select.addEventListener('change', () => setPreferences({ [name]: select.value }));
  return h('div.field.settings-row', h('label', { htmlFor: id }, t(`play.set.${labelKey}`)), select);
}

/** @param {typeof SWITCHES[number]} name */
function switchField(name) {
  const box = h('input', { type: 'checkbox', checked: preference(name), testid: `set-${name}` });
  box.addEventListener('change', () => setPreferences({ [name]: box.checked }));
  return h('label.check', box, t(`play.set.${name}`));
}
