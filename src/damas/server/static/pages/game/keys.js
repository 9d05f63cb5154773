/** Keyboard shortcuts of the page, their list, and typed commands; a focused board has its own keys. */

import { openDialog } from '../../lib/dialog.js';
import { h, isWriting } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @param {Record<string, () => void>} commands by key */
export function listenToPageKeys(commands) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return;
    const command = commands[event.key];
    if (!command || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    command();
  });
}

const KEY_LIST = [
  ['←↑↓→', 'walk'], ['Enter', 'pick'], ['Esc', 'cancel'], ['1–9', 'paths'], ['m', 'moves'], ['o', 'here'],
  ['x', 'rays'], ['c', 'clocks'], ['l', 'last'], ['p', 'pieces'], ['t, i', 'type'], ['f', 'flip'],
  ['z', 'zen'], ['← →', 'replay'], ['?', 'help'],
];

export function openKeyList() {
  openDialog('keys', t('play.do.keys'), h('dl.key-list', KEY_LIST.flatMap(([key, name]) =>
    [h('dt', h('kbd', key)), h('dd', t(`play.key.${name}`))])));
}

/** @typedef {'clock' | 'last' | 'pieces' | 'resign' | 'draw' | 'take_back'} TypedCommand */

/** @type {TypedCommand[]} */
const COMMANDS = ['clock', 'last', 'pieces', 'resign', 'draw', 'take_back'];
/** After a slash, in every language. @type {Record<string, TypedCommand>} */
const SLASH_COMMANDS = {
  c: 'clock', l: 'last', p: 'pieces', scan: 'pieces', clock: 'clock', last: 'last', pieces: 'pieces',
  resign: 'resign', draw: 'draw', takeback: 'take_back',
};

/** The command that a typed text means: `/c`, `clock`, `relogio`; null if it is none. @param {string} text */
export function typedCommand(text) {
  const typed = text.trim().toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const word = typed.replace(/^\//, '');
  if (typed.startsWith('/') && SLASH_COMMANDS[word]) return SLASH_COMMANDS[word];
  return COMMANDS.find((name) => word === t(`play.command.${name}`)) ?? null;
}
