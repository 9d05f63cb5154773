/** What the board asks below itself, never over the squares: which path, and whether to play the move. */

import { h, icon } from '../lib/dom.js';
import { t } from '../lib/words.js';

export class Tray {
  constructor() {
    this.element = h('div.tray', { hidden: true });
    /** @type {(() => void) | null} */
    this.cancel = null;
    /** @type {((digit: number) => void) | null} */
    this.pick = null;
  }

  get open() {
    return !this.element.hidden;
  }

  close() {
    this.element.hidden = true;
    this.element.replaceChildren();
    this.cancel = this.pick = null;
  }

  /**
   * One of several paths to the same square, by click, by 1 to 9, or by Tab and Enter.
   * @param {import('./selection.js').Path[]} paths
   * @param {{chosen: (path: import('./selection.js').Path) => void, cancelled: () => void, looked: (index: number) => void}} answers
   */
  choosePath(paths, { chosen, cancelled, looked }) {
    const answer = (/** @type {number} */ index) => {
      if (!paths[index]) return;
      this.close();
      chosen(paths[index]);
    };
    const buttons = paths.slice(0, 9).map(({ move }, index) =>
      h('button.path-option', {
        type: 'button', dataset: { testid: `path-${index + 1}` }, onclick: () => answer(index),
        onfocus: () => looked(index), onpointerenter: () => looked(index),
      }, h(`span.path-number.variant-${index % 4}`, null, index + 1), h('span', null, t('board.path', { move: move.text, n: move.captured.length }))));
    this.cancel = () => { this.close(); cancelled(); };
    this.pick = (digit) => answer(digit - 1);
    this.element.replaceChildren(h('div.path-chooser', { role: 'group', 'aria-label': t('board.choose_path'), dataset: { testid: 'path-chooser' } },
      h('p.tray-title', null, t('board.choose_path'), h('kbd', null, `1–${buttons.length}`)), ...buttons,
      h('button.button-quiet', { type: 'button', dataset: { testid: 'path-cancel' }, onclick: this.cancel }, icon('close'), t('board.cancel'))));
    this.element.hidden = false;
    buttons[0].focus({ preventScroll: true });
  }

  /** @param {string} text @param {{confirmed: () => void, cancelled: () => void}} answers */
  confirm(text, { confirmed, cancelled }) {
    this.cancel = () => { this.close(); cancelled(); };
    const yes = h('button.button', { type: 'button', dataset: { testid: 'confirm-move' }, onclick: () => { this.close(); confirmed(); } }, icon('check'), t('board.confirm', { move: text }));
    this.element.replaceChildren(h('div.confirm-move', { role: 'group', 'aria-label': t('board.confirm_title') },
      yes, h('button.button-quiet', { type: 'button', dataset: { testid: 'cancel-move' }, onclick: this.cancel }, icon('close'), t('board.cancel'))));
    this.element.hidden = false;
    yes.focus({ preventScroll: true });
  }
}
