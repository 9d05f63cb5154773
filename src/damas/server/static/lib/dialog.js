/** Dialogs, which a click outside closes and which are removed when closed. */

import { h, icon } from './dom.js';
import { t } from './words.js';

/** @import { Child } from './dom.js' */

/**
 * Opens a dialog with a title and a button that closes it.
 * @param {string} name class of the dialog, and part of its test id @param {string} title
 * @param {...(Child | Child[])} content
 */
export function openDialog(name, title, ...content) {
  const titleId = `${name}-title`;
  const dialog = h(`dialog.${name}`, { 'aria-labelledby': titleId, testid: `${name}-dialog` },
    h('div.dialog-title', h('h2', { id: titleId }, title), closeButton(() => dialog.close())),
    ...content);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {() => void} onclick @param {string} [testid] */
export function closeButton(onclick, testid) {
  const label = t('board.close');
  return h('button.button-quiet.button-icon', { 'aria-label': label, testid, onclick }, icon('close'));
}
