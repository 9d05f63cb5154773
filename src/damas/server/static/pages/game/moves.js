/** The move list: two columns, what was refused beside the move it was tried at, and going back through the game. */

import { api } from '../../lib/api.js';
import { $, $$, allow, fill, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

export class Moves {
  /** @param {{show: (view: any | null) => void, open: (refusal: any) => void}} page `show(null)` is the position now */
  constructor(page) {
    this.page = page;
    /** @type {any[]} */
    this.moves = [];
    /** @type {{ply: number, text: string, answer: any}[]} */
    this.refused = [];
    /** How many plies are shown; null while it is the position now. @type {number | null} */
    this.shown = null;
    this.start = '';
    this.rulebook = '';
    /** @type {Map<string, any>} */
    this.views = new Map();
    for (const button of $$('[data-replay]')) button.addEventListener('click', () => this.go(button.dataset.replay));
  }

  get length() { return this.moves.length; }

  /** @param {any[]} moves @param {string} rulebook */
  set(moves, rulebook) {
    this.moves = moves;
    this.rulebook = rulebook;
    this.refused = this.refused.filter(({ ply }) => ply <= moves.length);
    if (this.shown !== null && this.shown >= moves.length) this.shown = null;
    this.#draw();
  }

  /** @param {number} ply at which it was tried @param {string} text @param {any} answer */
  refuse(ply, text, answer) {
    if (this.refused.some((other) => other.ply === ply && other.text === text)) return;
    this.refused.push({ ply, text, answer });
    this.#draw();
  }

  #draw() {
    const at = this.shown ?? this.moves.length;
    const rows = [];
    for (let i = 0; i < this.moves.length; i += 2) {
      const pair = this.moves.slice(i, i + 2);
      rows.push(h('li.moves-row', null, h('span.moves-number', { 'aria-hidden': 'true' }, `${i / 2 + 1}.`), ...pair.map((move, j) => this.#move(move, i + j + 1, at))));
      for (const refused of this.refused.filter(({ ply }) => ply === i || ply === i + 1)) rows.push(this.#refusal(refused));
    }
    for (const refused of this.refused.filter(({ ply }) => ply === this.moves.length && ply % 2 === 0)) rows.push(this.#refusal(refused));
    const list = $('#moves');
    fill(list, rows);
    list.hidden = !rows.length;
    $('#no-moves').hidden = this.moves.length > 0;
    const current = list.querySelector('[aria-current]');
    if (current) keepInSight(list, current);
    allow($$('[data-replay]').map((button) => {
      const back = button.dataset.replay === 'first' || button.dataset.replay === 'previous';
      return [button, back ? at > 0 : this.shown !== null];
    }));
  }

  /** @param {any} move @param {number} ply @param {number} at */
  #move(move, ply, at) {
    const parts = move.text.split('x');
    const short = parts.length > 2 ? `${parts[0]}x${parts[parts.length - 1]}` : move.text;
    return h('button.move', {
      type: 'button', title: move.text, 'aria-label': `${t(`board.side.${move.by}`)}: ${move.text}`, 'aria-current': ply === at ? 'step' : null,
      dataset: { testid: `move-${ply}`, move: move.text }, onclick: () => this.to(ply),
    }, short);
  }

  /** @param {any} refused */
  #refusal(refused) {
    return h('li.moves-refused', null, h('button.move-refused', { type: 'button', dataset: { testid: 'refused-move' }, onclick: () => this.page.open(refused) },
      icon('info'), t('play.refused_move', { move: refused.text })));
  }

  /** @param {string} where first, previous, next or last */
  go(where) {
    const at = this.shown ?? this.moves.length;
    return this.to({ first: 0, previous: at - 1, next: at + 1, last: this.moves.length }[/** @type {'first'} */ (where)]);
  }

  /** Shows the game after so many plies. @param {number} ply */
  async to(ply) {
    const target = Math.max(0, Math.min(ply, this.moves.length));
    this.shown = target === this.moves.length ? null : target;
    this.#draw();
    if (this.shown === null) return this.page.show(null);
    const view = await this.#view(target);
    if (this.shown === target && view) this.page.show(view);
  }

  /** @param {number} ply */
  async #view(ply) {
    const moves = this.moves.slice(0, ply).map(({ text }) => text);
    const key = moves.join(' ');
    if (!this.views.has(key)) {
      const asked = { rulebook: this.rulebook, moves, ...(this.start ? { fen: this.start } : {}) };
      this.views.set(key, await api.post('/api/position', asked).catch(() => null));
    }
    return this.views.get(key);
  }
}

/** Scrolls the list only, never the page. @param {HTMLElement} list @param {Element} item */
function keepInSight(list, item) {
  const box = list.getBoundingClientRect(), inner = item.getBoundingClientRect();
  if (inner.bottom > box.bottom) list.scrollTop += inner.bottom - box.bottom;
  if (inner.top < box.top) list.scrollTop -= box.top - inner.top;
  if (inner.right > box.right) list.scrollLeft += inner.right - box.right + 16;
  if (inner.left < box.left) list.scrollLeft -= box.left - inner.left;
}
