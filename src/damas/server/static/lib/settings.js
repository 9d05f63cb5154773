/** The dialog of preferences: what a visitor sees at once, kept without an account. For every page with a board. */

import { h, icon } from './dom.js';
import { prefer, preference } from './preferences.js';
import { BOARDS, THEMES } from './theme.js';
import { t } from './words.js';

const CHOICES = {
  theme: ['themes', THEMES],
  boardTheme: ['boards', BOARDS],
  numbering: ['numberings', ['rulebook', 'alg', 'numbers', 'rc', 'none']],
  animation: ['animations', ['none', 'fast', 'normal', 'slow']],
  moveBy: ['moveBys', ['both', 'click', 'drag']],
  confirm: ['confirms', ['auto', 'always', 'never']],
};
const SWITCHES = ['dests', 'sound', 'speech', 'blindfold'];

export function openSettings() {
  const dialog = h('dialog.settings', { 'aria-labelledby': 'settings-title', dataset: { testid: 'settings-dialog' } },
    h('div.dialog-title', null, h('h2', { id: 'settings-title' }, t('play.do.settings')),
      h('button.button-quiet.button-icon', { type: 'button', 'aria-label': t('board.close'), onclick: () => dialog.close() }, icon('close'))),
    h('div.stack', null, ...Object.keys(CHOICES).map(choice), ...SWITCHES.map(toggle)));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (/** @type {Event} */ event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} name */
function choice(name) {
  const [words, values] = /** @type {[string, string[]]} */ (CHOICES[/** @type {keyof typeof CHOICES} */ (name)]);
  const id = `set-${name}`;
  const select = h('select', { id, dataset: { testid: id }, onchange: () => prefer({ [name]: select.value }) },
    ...values.map((value) => h('option', { value, selected: preference(/** @type {any} */ (name)) === value }, t(`play.${words}.${value}`))));
  return h('div.field.settings-row', null, h('label', { htmlFor: id }, t(`play.set.${name === 'boardTheme' ? 'board' : name}`)), select);
}

/** @param {string} name */
function toggle(name) {
  const box = h('input', { type: 'checkbox', checked: preference(/** @type {any} */ (name)), dataset: { testid: `set-${name}` }, onchange: () => prefer({ [name]: box.checked }) });
  return h('label.check', null, box, t(`play.set.${name}`));
}
