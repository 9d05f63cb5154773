/** Names of squares in each notation, and how they are printed on the board. */

import { s } from '../lib/dom.js';
import { FRAME_WIDTH, SQUARE_SIZE } from './geometry.js';

/** @import { NotationScheme, ShownRulebook, Side } from '../lib/messages.js' */
/** @import { Geometry } from './geometry.js' */

/** @typedef {NotationScheme | 'rulebook' | 'none'} Numbering what the visitor prefers */

/** @param {ShownRulebook} book @param {Numbering} numbering @returns {NotationScheme | 'none'} */
function schemeOf(book, numbering) {
  return numbering === 'rulebook' ? book.board.scheme : numbering;
}

/** Names by square, also where none are printed. @param {ShownRulebook} book @param {Numbering} numbering */
export function squareNames(book, numbering) {
  const scheme = schemeOf(book, numbering);
  return book.board.squares.map((square) => square[scheme === 'none' ? book.board.scheme : scheme]);
}

/** Only numbers are printed inside squares. @param {ShownRulebook} book @param {Numbering} numbering */
export function isPrintedInside(book, numbering) {
  return schemeOf(book, numbering) === 'numbers';
}

/**
 * Draws the names. Text stays readable (about 11 pixels high) however small the board is shown.
 * @param {ShownRulebook} book @param {Geometry} geometry @param {Numbering} numbering
 * @param {Side} orientation @param {number} unitsPerPixel
 */
export function drawLabels(book, geometry, numbering, orientation, unitsPerPixel) {
  const scheme = schemeOf(book, numbering);
  const height = Math.min(36, Math.max(24, 11 * unitsPerPixel));
  const layer = s('g', { class: 'labels', 'font-size': height.toFixed(1) });
  if (scheme === 'none') return layer;
  if (scheme === 'numbers') {
    book.board.squares.forEach(({ numbers }, square) => {
      const { x, y } = geometry.corner(square);
      const baseline = (y + 3 + height * 0.8).toFixed(1);
      layer.append(s('text', { class: 'label-inside', x: x + 5, y: baseline }, numbers));
    });
    return layer;
  }
  const size = geometry.size;
  for (let i = 0; i < size; i++) {
    const middle = FRAME_WIDTH + i * SQUARE_SIZE + SQUARE_SIZE / 2;
    const column = orientation === 'black' ? size - 1 - i : i;
    const row = orientation === 'black' ? i : size - 1 - i;
    const columnName = scheme === 'alg' ? 'abcdefghijkl'[column] : String(column);
    const rowName = scheme === 'alg' ? String(row + 1) : String(row);
    const baseline = height * 0.36, edge = { class: 'label-edge', 'text-anchor': 'middle' };
    const bottom = (geometry.side - FRAME_WIDTH / 2 + baseline).toFixed(1);
    layer.append(s('text', { ...edge, x: middle, y: bottom }, columnName),
      s('text', { ...edge, x: FRAME_WIDTH / 2, y: (middle + baseline).toFixed(1) }, rowName));
  }
  return layer;
}
