/** Questions below the board: which of several paths, and whether to play the move. */

import { h, icon } from '../lib/dom.js';
import { t } from '../lib/words.js';

/** @import { Path } from './selection.js' */

const MAX_PATHS = 9;

export class Tray {
  constructor() {
    this.element = h('div.tray', { hidden: true });
    /** Set while a question is open. @type {(() => void) | null} */
    this.cancel = null;
    /** Chooses a path by its number, from 1. @type {((number: number) => void) | null} */
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
   * Asks for one of several paths to the same square, by click, by digit, or by Tab and Enter.
   * @param {Path[]} paths
   * @param {{choose: (path: Path) => void, cancel: () => void, preview: (index: number) => void}} actions
   */
  choosePath(paths, { choose, cancel, preview }) {
    const pick = (/** @type {number} */ index) => {
      if (!paths[index]) return;
      this.close();
      choose(paths[index]);
    };
    this.pick = (number) => pick(number - 1);
    const buttons = paths.slice(0, MAX_PATHS).map(({ move }, index) => h('button.path-option', {
      testid: `path-${index + 1}`, onclick: () => pick(index),
      onfocus: () => preview(index), onpointerenter: () => preview(index),
    }, h(`span.path-number.variant-${index % 4}`, index + 1),
    h('span', t('board.path', { move: move.text, n: move.captured.length }))));
    this.#show(h('div.path-chooser', {
      role: 'group', 'aria-label': t('board.choose_path'), testid: 'path-chooser',
    }, h('p.tray-title', t('board.choose_path'), h('kbd', `1–${buttons.length}`)), ...buttons,
    this.#cancelButton('path-cancel', cancel)), buttons[0]);
  }

  /**
   * Asks before playing, with a warning where there is one.
   * @param {string} text @param {{confirm: () => void, cancel: () => void, warning?: string}} actions
   */
  confirm(text, { confirm, cancel, warning }) {
    const onclick = () => { this.close(); confirm(); };
    const confirmButton = h('button.button', { testid: 'confirm-move', onclick },
      icon('check'), t('board.confirm', { move: text }));
    const cancelButton = this.#cancelButton('cancel-move', cancel);
    this.#show(h('div.confirm-move', { role: 'group', 'aria-label': t('board.confirm_title') },
      warning ? h('p.tray-title', warning) : null, confirmButton, cancelButton),
    warning ? cancelButton : confirmButton);
  }

  /** @param {string} testid @param {() => void} cancel */
  #cancelButton(testid, cancel) {
    this.cancel = () => { this.close(); cancel(); };
    return h('button.button-quiet', { testid, onclick: this.cancel }, icon('close'), t('board.cancel'));
  }

  /** @param {HTMLElement} content @param {HTMLElement} focused */
  #show(content, focused) {
    this.element.replaceChildren(content);
    this.element.hidden = false;
    focused.focus({ preventScroll: true });
  }
}
