/** What does not move: the azulejo frame, the squares, the Rio. */

import { s } from '../lib/dom.js';
import { FRAME, UNIT } from './geometry.js';

/** @param {any} book @param {import('./geometry.js').Geometry} geometry */
export function drawGround(book, geometry) {
  const side = geometry.side, inner = side - 2 * FRAME;
  const layer = s('g', { class: 'ground' },
    s('rect', { class: 'frame', width: side, height: side, rx: 14 }),
    s('rect', { class: 'frame-line', x: FRAME - 5, y: FRAME - 5, width: inner + 10, height: inner + 10, rx: 3 }),
    ...tiles(side),
    s('rect', { class: geometry.board.all_squares ? 'ground-dark' : 'ground-light', x: FRAME, y: FRAME, width: inner, height: inner }));
  const river = new Set(book.river ? geometry.board.main_diagonal ?? [] : []);
  geometry.places.forEach((_, square) => {
    const { x, y } = geometry.corner(square);
    const kind = river.has(square) ? 'ground-dark river' : 'ground-dark';
    layer.append(s('rect', { class: kind, x, y, width: UNIT, height: UNIT }));
    if (geometry.board.all_squares) layer.append(s('rect', { class: 'thin', x, y, width: UNIT, height: UNIT }));
    else if (!river.has(square)) layer.append(s('path', { class: 'grain', d: grain(x, y, square) }));
    if (river.has(square)) layer.append(s('path', { class: 'wave', d: wave(x, y) }));
  });
  return layer;
}

/** A tile's flower in each corner of the frame. @param {number} side */
function tiles(side) {
  const middle = FRAME / 2;
  return [[middle, middle], [side - middle, middle], [middle, side - middle], [side - middle, side - middle]].map(([x, y]) =>
    s('path', { class: 'tile', transform: `translate(${x} ${y})`, d: 'M0-13 4-4 13 0 4 4 0 13-4 4-13 0-4-4Z' }));
}

/** Two veins of the wood, a little different on every square. @param {number} x @param {number} y @param {number} square */
function grain(x, y, square) {
  const first = 18 + ((square * 37) % 29), second = 58 + ((square * 53) % 31), bend = 4 + ((square * 17) % 9);
  return `M${x} ${y + first}c30-${bend} 65 ${bend} 100 0M${x} ${y + second}c35 ${bend} 60-${bend} 100 0`;
}

/** Water, so that the Rio is seen without colour too. @param {number} x @param {number} y */
function wave(x, y) {
  return [24, 50, 76].map((down) => `M${x + 10} ${y + down}q10-9 20 0t20 0 20 0 20 0`).join('');
}
