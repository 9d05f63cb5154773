/** A board to learn on: what is played, what is refused and why, what is counted. Lessons, examples, puzzles and endings share it. */

import '../../board/damas-board.js';
import { api, rulebook } from '../../lib/api.js';
import { h } from '../../lib/dom.js';
import { moveInput } from '../../lib/move-input.js';
import { RefusalPanel } from '../../lib/refusal.js';
import { t } from '../../lib/words.js';

/**
 * @typedef {object} Handlers
 * @property {(move: any, route: number[]) => void | Promise<void>} [played] a legal move was made by hand, key or text
 * @property {(answer: any, route: number[], text: string) => void} [refused] an attempt was refused and explained
 */

export class Desk {
  #rulebook = '';

  /**
   * @param {HTMLElement} place
   * @param {Handlers & {typedAt?: HTMLElement, reasonsAt?: HTMLElement, counting?: boolean}} [handlers] `typedAt` is where moves are
   *   typed, on the board of a page; `reasonsAt` is where refusals are explained, if not below the board
   */
  constructor(place, handlers = {}) {
    this.handlers = handlers;
    this.board = /** @type {any} */ (h('damas-board', handlers.typedAt ? { id: 'board' } : null));
    this.panel = /** @type {HTMLElement} */ (h('section.learning-refusal'));
    this.counts = /** @type {HTMLElement} */ (h('ul.counts', { dataset: { testid: 'counters' }, 'aria-live': 'polite' }));
    this.input = handlers.typedAt ? moveInput(this.board) : null;
    place.replaceChildren(this.board, this.counts, ...(handlers.reasonsAt ? [] : [this.panel]));
    handlers.reasonsAt?.replaceChildren(this.panel);
    if (this.input) handlers.typedAt?.replaceChildren(this.input);
    this.refusal = new RefusalPanel(this.panel, this.board);
    this.board.addEventListener('damas-move', (/** @type {CustomEvent} */ event) => this.#played(event));
    this.board.addEventListener('damas-illegal', (/** @type {CustomEvent} */ event) => this.#illegal(event));
  }

  /** @param {string} id */
  async use(id) {
    if (this.#rulebook === id) return;
    const book = await rulebook(id);
    this.#rulebook = id;
    this.board.book = book;
  }

  get book() { return this.board.book; }

  /** @param {any} view */
  show(view) {
    this.closeRefusal();
    this.board.position = view;
    this.tellCounts(view);
  }

  closeRefusal() {
    this.refusal.close();
  }

  /** @param {any} view */
  tellCounts(view) {
    const counts = this.handlers.counting === false ? [] : view.counts ?? [];
    this.counts.replaceChildren(...counts.map((/** @type {any} */ count) => h('li.count', null,
      h('span.count-numbers.numbers', null, `${Math.min(count.have, count.need)} / ${count.need}`),
      h('span.count-words', null, count.message),
      h('meter', { min: 0, max: count.need, value: count.have, 'aria-label': count.message }))));
    this.counts.hidden = !counts.length;
  }

  /** @param {CustomEvent} event */
  #played(event) {
    this.closeRefusal();
    this.handlers.played?.(event.detail.move, event.detail.route);
  }

  /** @param {CustomEvent} event */
  async #illegal(event) {
    const { route, text } = event.detail;
    const asked = { rulebook: this.#rulebook, fen: this.board.position.fen, route, text };
    const answer = await this.refusal.explain(asked);
    if (answer) this.handlers.refused?.(answer, route, text ?? '');
  }
}

/** The view after moves from a position. @param {string} book @param {string} fen @param {string[]} moves */
export function positionAfter(book, fen, moves) {
  return api.post('/api/position', { rulebook: book, fen, moves });
}

/** Steps through positions that are all there already. */
export class Player {
  #at = 0;

  /** @param {Desk} desk @param {any[]} frames @param {(at: number) => void} tell */
  constructor(desk, frames, tell) {
    this.desk = desk;
    this.frames = frames;
    this.tell = tell;
  }

  get at() { return this.#at; }

  get last() { return this.frames.length - 1; }

  /** @param {number} at */
  go(at) {
    this.#at = Math.max(0, Math.min(at, this.last));
    this.desk.show(this.frames[this.#at]);
    this.tell(this.#at);
  }
}

/** What ends a game, in a line. @param {any} view */
export function ending(view) {
  return view.outcome?.sentence ?? view.outcome?.message ?? '';
}

/** @param {number} n */
export function legalCount(n) {
  return t('rules.legal_count', { n });
}
