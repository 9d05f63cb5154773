/** The board as an ARIA grid: transparent cells over the drawing, for keyboard, screen readers and tests. */

import { h } from '../lib/dom.js';
import { FRAME_WIDTH } from './geometry.js';
import { squareWords } from './spoken.js';

/** @import { Pieces } from '../lib/messages.js' */
/** @import { Geometry } from './geometry.js' */

/**
 * @typedef {{classes: string[], words: string[], path: string}} CellState `words` are read after the piece's
 *   name, `path` holds the numbers of the jumps that land on the square
 */

const CLASSES = ['move-dest', 'last-move', 'movable', 'selected', 'premove', 'ringed', 'bound', 'marked',
  'pulse', 'to-lift', 'uncrowned'];

export class Grid {
  /** @param {Geometry} geometry @param {string[]} names in the rulebook's notation @param {string} label */
  constructor(geometry, names, label) {
    const size = geometry.size;
    this.element = h('div.squares', {
      role: 'grid', 'aria-label': label, 'aria-rowcount': size, 'aria-colcount': size, testid: 'grid',
    });
    const inset = `${(FRAME_WIDTH / geometry.side) * 100}%`;
    for (const side of ['left', 'top', 'right', 'bottom']) this.element.style.setProperty(side, inset);
    /** By square. @type {HTMLElement[]} */
    this.cells = Array(geometry.cells.length);
    const percent = 100 / size;
    for (let y = 0; y < size; y++) {
      const style = { top: `${y * percent}%`, height: `${percent}%` };
      const row = h('div.squares-row', { role: 'row', 'aria-rowindex': y + 1, style });
      for (const square of geometry.row(y)) {
        const { x } = geometry.cells[square];
        this.cells[square] = h('div.square', {
          role: 'gridcell', tabIndex: -1, 'aria-colindex': x + 1, dataset: { square, name: names[square] },
          style: { left: `${x * percent}%`, width: `${percent}%` },
        });
        row.append(this.cells[square]);
      }
      this.element.append(row);
    }
    /** The square that Tab reaches. */
    this.current = -1;
    this.moveTo(geometry.row(size - 1)[0] ?? 0, false);
  }

  /** Makes a square the one that Tab reaches. @param {number} square @param {boolean} [focus] */
  moveTo(square, focus = true) {
    if (this.current >= 0) this.cells[this.current].tabIndex = -1;
    this.current = square;
    this.cells[square].tabIndex = 0;
    if (focus) this.cells[square].focus({ preventScroll: true });
  }

  /** @param {string[]} names @param {Pieces} pieces @param {(square: number) => CellState} stateOf */
  update(names, pieces, stateOf) {
    this.cells.forEach((cell, square) => {
      const { classes, words, path } = stateOf(square);
      for (const name of CLASSES) cell.classList.toggle(name, classes.includes(name));
      cell.setAttribute('aria-label', squareWords(names[square], pieces[square], words));
      cell.setAttribute('aria-selected', String(classes.includes('selected')));
      if (path) cell.dataset.path = path;
      else delete cell.dataset.path;
    });
  }

  /** The square of an event's cell, or -1. @param {Event} event */
  squareOf(event) {
    const cell = event.target instanceof Element ? event.target.closest('[data-square]') : null;
    return cell instanceof HTMLElement && this.element.contains(cell) ? Number(cell.dataset.square) : -1;
  }
}
