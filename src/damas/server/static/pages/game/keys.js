/** Keys of the page, and the list of them. The board has its own while the focus is on its squares. */

import { h, icon, isWriting } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @param {Record<string, () => void>} commands by key */
export function listenKeys(commands) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return;
    if (document.querySelector('dialog[open]')) return;
    const command = commands[event.key];
    if (!command) return;
    event.preventDefault();
    command();
  });
}

const LIST = [
  ['←↑↓→', 'walk'], ['Enter', 'pick'], ['Esc', 'cancel'], ['1–9', 'paths'], ['m', 'moves'], ['o', 'here'], ['x', 'rays'],
  ['c', 'clocks'], ['l', 'last'], ['p', 'pieces'], ['t, i', 'type'], ['f', 'flip'], ['z', 'zen'], ['← →', 'replay'], ['?', 'help'],
];

export function openKeys() {
  const dialog = h('dialog', { 'aria-labelledby': 'keys-title', dataset: { testid: 'keys-dialog' } },
    h('div.dialog-title', null, h('h2', { id: 'keys-title' }, t('play.do.keys')),
      h('button.button-quiet.button-icon', { type: 'button', 'aria-label': t('board.close'), onclick: () => dialog.close() }, icon('close'))),
    h('dl.keys', null, ...LIST.flatMap(([key, name]) => [h('dt', null, h('kbd', null, key)), h('dd', null, t(`play.key.${name}`))])));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * What a typed word asks for, if it is a command and no move: `/c`, `clock`, `relogio`.
 * @param {string} text @returns {string | null}
 */
export function typedCommand(text) {
  const word = text.trim().toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '').replace(/^\//, '');
  /** @type {Record<string, string>} */
  const short = { c: 'clock', l: 'last', p: 'pieces', scan: 'pieces', clock: 'clock', last: 'last', pieces: 'pieces', resign: 'resign', draw: 'draw', takeback: 'take_back' };
  if (text.trim().startsWith('/') && short[word]) return short[word];
  for (const name of ['clock', 'last', 'pieces', 'resign', 'draw', 'take_back']) {
    if (word === t(`play.command.${name}`)) return name;
  }
  return null;
}
