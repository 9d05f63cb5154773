/** Names of squares in each notation, and how they are printed on the board. */

import { s } from '../lib/dom.js';
import { FRAME_WIDTH, SQUARE_SIZE } from './geometry.js';

/** @import { NotationScheme, RulebookView, Side } from '../lib/messages.js' */
/** @import { Geometry } from './geometry.js' */

/** @typedef {NotationScheme | 'rulebook' | 'none'} Numbering what the visitor prefers */

/** @param {RulebookView} book @param {Numbering} numbering @returns {NotationScheme | 'none'} */
function schemeOf(book, numbering) {
  return numbering === 'rulebook' ? book.board.scheme : numbering;
}

/**
 * Names by square; where no numbering is shown, those of the rulebook.
 * @param {RulebookView} book @param {Numbering} numbering
 */
export function squareNames(book, numbering) {
  const scheme = schemeOf(book, numbering);
  return book.board.squares.map((square) => square[scheme === 'none' ? book.board.scheme : scheme]);
}

/**
 * Numbers are printed inside the squares, other names on the frame.
 * @param {RulebookView} book @param {Numbering} numbering
 */
export function isPrintedInside(book, numbering) {
  return schemeOf(book, numbering) === 'numbers';
}

/**
 * Draws the names. Text stays readable (about 11 pixels high) however small the board is shown.
 * @param {RulebookView} book @param {Geometry} geometry @param {Numbering} numbering
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
      layer.append(text('label-inside', x + 5, y + 3 + height * 0.8, numbers, 'start'));
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
    const baseline = height * 0.36;
    layer.append(text('label-edge', middle, geometry.side - FRAME_WIDTH / 2 + baseline, columnName,
      'middle'));
    layer.append(text('label-edge', FRAME_WIDTH / 2, middle + baseline, rowName, 'middle'));
  }
  return layer;
}

/**
 * @param {string} className @param {number} x @param {number} y @param {string} content
 * @param {string} anchor
 */
function text(className, x, y, content, anchor) {
  const element = s('text', { class: className, x, y: y.toFixed(1), 'text-anchor': anchor });
  element.textContent = content;
  return element;
}
