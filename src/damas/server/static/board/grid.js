/**
 * The board as an ARIA grid: the squares that people, tests and screen readers reach.
 * It lies over the drawing, invisible but for the focus.
 */

import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { FRAME } from './geometry.js';
import { squareWords } from './spoken.js';

const STATES = ['move-dest', 'last-move', 'movable', 'selected', 'ringed', 'bound', 'marked', 'pulse'];

export class Grid {
  /** @param {import('./geometry.js').Geometry} geometry @param {string[]} ownNames the rulebook's @param {string} label */
  constructor(geometry, ownNames, label) {
    this.geometry = geometry;
    this.element = h('div.squares', { role: 'grid', 'aria-label': label, 'aria-rowcount': geometry.size, 'aria-colcount': geometry.size, dataset: { testid: 'grid' } });
    const inset = `${(FRAME / geometry.side) * 100}%`;
    for (const side of ['left', 'top', 'right', 'bottom']) this.element.style.setProperty(side, inset);
    /** @type {HTMLElement[]} */
    this.cells = Array(geometry.places.length);
    const part = 100 / geometry.size;
    for (let y = 0; y < geometry.size; y++) {
      const row = h('div.squares-row', { role: 'row', 'aria-rowindex': y + 1, style: { top: `${y * part}%`, height: `${part}%` } });
      for (const square of geometry.row(y)) {
        const { x } = geometry.places[square];
        const cell = h('div.square', {
          role: 'gridcell', tabIndex: -1, 'aria-colindex': x + 1, dataset: { square, name: ownNames[square] },
          style: { left: `${x * part}%`, width: `${part}%` },
        });
        this.cells[square] = cell;
        row.append(cell);
      }
      this.element.append(row);
    }
    this.current = -1;
    this.rove(geometry.row(geometry.size - 1)[0] ?? 0, false);
  }

  /** Makes a square the one that Tab reaches. @param {number} square @param {boolean} [focus] */
  rove(square, focus = true) {
    if (this.current >= 0) this.cells[this.current].tabIndex = -1;
    this.current = square;
    this.cells[square].tabIndex = 0;
    if (focus) this.cells[square].focus({ preventScroll: true });
  }

  /**
   * Classes and labels of every square.
   * @param {string[]} names @param {Record<string, string>} pieces
   * @param {(square: number) => {classes: string[], said: string[], path?: string}} state
   */
  update(names, pieces, state) {
    this.cells.forEach((cell, square) => {
      const { classes, said, path } = state(square);
      for (const name of STATES) cell.classList.toggle(name, classes.includes(name));
      cell.setAttribute('aria-label', squareWords(names[square], pieces[square], said));
      cell.setAttribute('aria-selected', String(classes.includes('selected')));
      if (path) cell.dataset.path = path;
      else delete cell.dataset.path;
    });
  }

  /** @param {Event} event @returns {number} */
  squareOf(event) {
    const cell = event.target instanceof Element ? event.target.closest('[data-square]') : null;
    return cell instanceof HTMLElement && this.element.contains(cell) ? Number(cell.dataset.square) : -1;
  }
}

export const said = {
  movable: () => t('board.can_move'),
  must: () => t('board.must_take'),
  selected: () => t('board.selected'),
  bound: () => t('board.bound'),
  dest: (/** @type {{takes: number}} */ { takes }) => (takes ? t('board.dest_takes', { n: takes }) : t('board.dest')),
  ringed: () => t('board.ringed'),
};

