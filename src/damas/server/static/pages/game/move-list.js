/** The move list in two columns, with refused attempts, and stepping through earlier positions. */

import { api } from '../../lib/api.js';
import { $, $$, enableButtons, fill, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { PlayedMoveView, PositionView } from '../../lib/messages.js' */
/** @import { Explanation } from '../../lib/refusal.js' */

/**
 * @typedef {{ply: number, text: string, explanation: Explanation}} RefusedMove `ply`: how many plies had been
 *   played
 * @typedef {'first' | 'previous' | 'next' | 'last'} ReplayStep
 */

export class MoveList {
  #list = $('#moves');
  #replayButtons = $$('[data-replay]', HTMLButtonElement);
  /** @type {PlayedMoveView[]} */
  #moves = [];
  /** @type {RefusedMove[]} */
  #refused = [];
  #rulebook = '';
  /** Earlier positions by their moves. @type {Map<string, PositionView | null>} */
  #views = new Map();

  /** FEN of a start position that is not the rulebook's. */
  startFen = '';
  /** The earlier position that is shown, in plies; null for the current one. @type {number | null} */
  shownPly = null;

  /**
   * @param {{show: (view: PositionView | null) => void, explain: (refused: RefusedMove) => void}} actions
   *   `show(null)` shows the current position
   */
  constructor(actions) {
    this.actions = actions;
    for (const button of this.#replayButtons) {
      button.addEventListener('click', () => this.step(/** @type {ReplayStep} */ (button.dataset.replay)));
    }
  }

  /** @param {PlayedMoveView[]} moves @param {string} rulebook */
  set(moves, rulebook) {
    this.#moves = moves;
    this.#rulebook = rulebook;
    this.#refused = this.#refused.filter(({ ply }) => ply <= moves.length);
    if (this.shownPly !== null && this.shownPly >= moves.length) this.shownPly = null;
    this.#draw();
  }

  /** @param {RefusedMove} refused */
  addRefused(refused) {
    if (this.#refused.some(({ ply, text }) => ply === refused.ply && text === refused.text)) return;
    this.#refused.push(refused);
    this.#draw();
  }

  #draw() {
    const count = this.#moves.length;
    const current = this.shownPly ?? count;
    const rows = [];
    for (let i = 0; i < count; i += 2) {
      const pair = this.#moves.slice(i, i + 2).map((move, j) => this.#moveButton(move, i + j + 1, current));
      rows.push(h('li.moves-row', null, h('span.moves-number', { 'aria-hidden': 'true' }, `${i / 2 + 1}.`),
        ...pair));
      rows.push(...this.#refusedRows(({ ply }) => ply === i || ply === i + 1));
    }
    if (count % 2 === 0) rows.push(...this.#refusedRows(({ ply }) => ply === count));
    fill(this.#list, rows);
    this.#list.hidden = !rows.length;
    $('#no-moves').hidden = count > 0;
    const currentButton = this.#list.querySelector('[aria-current]');
    if (currentButton) scrollToItem(this.#list, currentButton);
    enableButtons(this.#replayButtons.map((button) => {
      const isBack = button.dataset.replay === 'first' || button.dataset.replay === 'previous';
      return [button, isBack ? current > 0 : this.shownPly !== null];
    }));
  }

  /** @param {PlayedMoveView} move @param {number} ply @param {number} current */
  #moveButton(move, ply, current) {
    const squares = move.text.split('x');
    const label = squares.length > 2 ? `${squares[0]}x${squares[squares.length - 1]}` : move.text;
    return h('button.move', {
      type: 'button', title: move.text, 'aria-label': `${t(`board.side.${move.by}`)}: ${move.text}`,
      'aria-current': ply === current ? 'step' : null, dataset: { testid: `move-${ply}`, move: move.text },
      onclick: () => this.goTo(ply),
    }, label);
  }

  /** @param {(refused: RefusedMove) => boolean} isShown */
  #refusedRows(isShown) {
    return this.#refused.filter(isShown)
      .map((refused) => h('li.moves-refused', null, h('button.move-refused', {
      type: 'button', dataset: { testid: 'refused-move' }, onclick: () => this.actions.explain(refused),
    }, icon('info'), t('play.refused_move', { move: refused.text }))));
  }

  /** @param {ReplayStep} step */
  step(step) {
    const count = this.#moves.length, current = this.shownPly ?? count;
    return this.goTo({ first: 0, previous: current - 1, next: current + 1, last: count }[step]);
  }

  /** Shows the position after a number of plies. @param {number} ply */
  async goTo(ply) {
    const target = Math.max(0, Math.min(ply, this.#moves.length));
    this.shownPly = target === this.#moves.length ? null : target;
    this.#draw();
    if (this.shownPly === null) return this.actions.show(null);
    const view = await this.#viewAt(target);
    if (this.shownPly === target && view) this.actions.show(view);
  }

  /** @param {number} ply @returns {Promise<PositionView | null>} */
  async #viewAt(ply) {
    const moves = this.#moves.slice(0, ply).map(({ text }) => text);
    const key = moves.join(' ');
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const fen = this.startFen ? { fen: this.startFen } : {};
    /** @type {PositionView | null} */
    const view = await api.post('/api/position', { rulebook: this.#rulebook, moves, ...fen })
      .catch(() => null);
    this.#views.set(key, view);
    return view;
  }
}

/**
 * Scrolls a list to one of its items, without scrolling the page.
 * @param {HTMLElement} list @param {Element} item
 */
function scrollToItem(list, item) {
  const box = list.getBoundingClientRect(), inner = item.getBoundingClientRect();
  if (inner.bottom > box.bottom) list.scrollTop += inner.bottom - box.bottom;
  if (inner.top < box.top) list.scrollTop -= box.top - inner.top;
  if (inner.right > box.right) list.scrollLeft += inner.right - box.right + 16;
  if (inner.left < box.left) list.scrollLeft -= box.left - inner.left;
}
