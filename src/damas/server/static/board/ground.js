/** The static part of the drawing: frame, squares and the marked main diagonal (the Rio). */

import { s } from '../lib/dom.js';
import { FRAME_WIDTH, SQUARE_SIZE } from './geometry.js';

/** @import { ShownRulebook } from '../lib/messages.js' */
/** @import { Geometry } from './geometry.js' */

/** @param {ShownRulebook} book @param {Geometry} geometry */
export function drawGround(book, geometry) {
  const { side, board } = geometry;
  const inner = side - 2 * FRAME_WIDTH;
  const layer = s('g', { class: 'ground' },
    s('rect', { class: 'frame', width: side, height: side, rx: 14 }),
    s('rect', {
      class: 'frame-line', x: FRAME_WIDTH - 5, y: FRAME_WIDTH - 5, width: inner + 10, height: inner + 10,
      rx: 3,
    }),
    ...cornerTiles(side),
    s('rect', {
      class: board.all_squares ? 'ground-dark' : 'ground-light', x: FRAME_WIDTH, y: FRAME_WIDTH, width: inner,
      height: inner,
    }));
  const river = new Set(book.river ? board.main_diagonal ?? [] : []);
  geometry.cells.forEach((_, square) => {
    const { x, y } = geometry.corner(square);
    const rect = { x, y, width: SQUARE_SIZE, height: SQUARE_SIZE };
    const isRiver = river.has(square);
    layer.append(s('rect', { class: isRiver ? 'ground-dark river' : 'ground-dark', ...rect }));
    if (board.all_squares) layer.append(s('rect', { class: 'thin', ...rect }));
    else if (!isRiver) layer.append(s('path', { class: 'grain', d: woodGrain(x, y, square) }));
    if (isRiver) layer.append(s('path', { class: 'wave', d: waves(x, y) }));
  });
  return layer;
}

/** An azulejo flower in each corner of the frame. @param {number} side */
function cornerTiles(side) {
  const near = FRAME_WIDTH / 2, far = side - near;
  return [[near, near], [far, near], [near, far], [far, far]].map(([x, y]) =>
    s('path', { class: 'tile', transform: `translate(${x} ${y})`,
      d: 'M0-13 4-4 13 0 4 4 0 13-4 4-13 0-4-4Z' }));
}

/** Two curves, different on every square. @param {number} x @param {number} y @param {number} square */
function woodGrain(x, y, square) {
  const first = 18 + ((square * 37) % 29), second = 58 + ((square * 53) % 31), bend = 4 + ((square * 17) % 9);
  return `M${x} ${y + first}c30-${bend} 65 ${bend} 100 0M${x} ${y + second}c35 ${bend} 60-${bend} 100 0`;
}

/** Shows the river without relying on colour. @param {number} x @param {number} y */
function waves(x, y) {
  return [24, 50, 76].map((down) => `M${x + 10} ${y + down}q10-9 20 0t20 0 20 0 20 0`).join('');
}
