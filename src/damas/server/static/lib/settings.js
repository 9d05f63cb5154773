/** The dialog of preferences, for every page with a board. */

import { h, icon } from './dom.js';
import { preference, setPreferences } from './preferences.js';
import { BOARD_THEMES, THEMES } from './theme.js';
import { t } from './words.js';

/** Name, key of its label, key of its values' names, values. */
const CHOICES = /** @type {const} */ ([
  ['theme', 'theme', 'themes', THEMES],
  ['boardTheme', 'board', 'boards', BOARD_THEMES],
  ['numbering', 'numbering', 'numberings', ['rulebook', 'alg', 'numbers', 'rc', 'none']],
  ['animation', 'animation', 'animations', ['none', 'fast', 'normal', 'slow']],
  ['moveBy', 'moveBy', 'moveBys', ['both', 'click', 'drag']],
  ['confirm', 'confirm', 'confirms', ['auto', 'always', 'never']],
]);
const SWITCHES = /** @type {const} */ (['dests', 'sound', 'speech', 'blindfold']);

export function openSettings() {
  const dialog = h('dialog.settings',
    { 'aria-labelledby': 'settings-title', dataset: { testid: 'settings-dialog' } });
  const close = h('button.button-quiet.button-icon', {
    type: 'button', 'aria-label': t('board.close'), onclick: () => dialog.close(),
  }, icon('close'));
  dialog.append(
    h('div.dialog-title', null, h('h2', { id: 'settings-title' }, t('play.do.settings')), close),
    h('div.stack', null, ...CHOICES.map(choiceField), ...SWITCHES.map(switchField)));
  showDialog(dialog);
}

/**
 * Opens a dialog that a click outside closes and that is removed when closed.
 * @param {HTMLDialogElement} dialog
 */
export function showDialog(dialog) {
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {typeof CHOICES[number]} choice */
function choiceField([name, labelKey, valuesKey, values]) {
  const id = `set-${name}`;
  const select = h('select', { id, dataset: { testid: id } },
    ...values.map((value) => h('option', { value, selected: preference(name) === value },
      t(`play.${valuesKey}.${value}`))));
  select.addEventListener('change', () => setPreferences({ [name]: select.value }));
  return h('div.field.settings-row', null, h('label', { htmlFor: id }, t(`play.set.${labelKey}`)), select);
}

/** @param {typeof SWITCHES[number]} name */
function switchField(name) {
  const box = h('input', { type: 'checkbox', checked: preference(name), dataset: { testid: `set-${name}` } });
  box.addEventListener('change', () => setPreferences({ [name]: box.checked }));
  return h('label.check', null, box, t(`play.set.${name}`));
}
