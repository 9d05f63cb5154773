/** Names of squares in any numbering, and where they are written. */

import { s } from '../lib/dom.js';
import { FRAME, UNIT } from './geometry.js';

/** Which numbering is in force. @param {any} book @param {string} wanted 'rulebook' | 'alg' | 'numbers' | 'rc' | 'none' */
export function scheme(book, wanted) {
  return wanted === 'rulebook' ? book.board.scheme : wanted;
}

/** The names people hear and read, never empty. @param {any} book @param {string} wanted @returns {string[]} */
export function names(book, wanted) {
  const kind = scheme(book, wanted);
  const key = kind === 'none' ? book.board.scheme : kind;
  return book.board.squares.map((/** @type {any} */ square) => square[key]);
}

/** Whether names stand inside the squares; the others stand on the frame. @param {any} book @param {string} wanted */
export function inside(book, wanted) {
  return scheme(book, wanted) === 'numbers';
}

/**
 * The labels as SVG. Letters stay at least 10.5 pixels high, however small the board is shown.
 * @param {any} book @param {import('./geometry.js').Geometry} geometry @param {string} wanted
 * @param {string} orientation @param {number} unitsPerPixel
 */
export function drawLabels(book, geometry, wanted, orientation, unitsPerPixel) {
  const kind = scheme(book, wanted);
  const height = Math.min(36, Math.max(24, 11 * unitsPerPixel));
  const layer = s('g', { class: 'labels', 'font-size': height.toFixed(1) });
  if (kind === 'none') return layer;
  if (kind === 'numbers') {
    book.board.squares.forEach((/** @type {any} */ square, /** @type {number} */ index) => {
      const { x, y } = geometry.corner(index);
      layer.append(text('label-inside', x + 5, y + 3 + height * 0.8, square.numbers, 'start'));
    });
    return layer;
  }
  const size = geometry.size;
  for (let i = 0; i < size; i++) {
    const middle = FRAME + i * UNIT + UNIT / 2;
    const column = orientation === 'black' ? size - 1 - i : i;
    const row = orientation === 'black' ? i : size - 1 - i;
    const below = kind === 'alg' ? 'abcdefghijkl'[column] : String(column);
    const beside = kind === 'alg' ? String(row + 1) : String(row);
    layer.append(text('label-edge', middle, geometry.side - FRAME / 2 + height * 0.36, below, 'middle'));
    layer.append(text('label-edge', FRAME / 2, middle + height * 0.36, beside, 'middle'));
  }
  return layer;
}

/** @param {string} name @param {number} x @param {number} y @param {string} words @param {string} anchor */
function text(name, x, y, words, anchor) {
  const element = s('text', { class: name, x, y: y.toFixed(1), 'text-anchor': anchor });
  element.textContent = words;
  return element;
}
