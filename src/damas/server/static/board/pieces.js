/** The pieces, put into the page once and used by every board. */

import { s } from '../lib/dom.js';
import { SHAPES } from './shapes.js';

/** @param {import('./shapes.js').Shape} shape @returns {SVGElement} */
function build([tag, attributes, ...children]) {
  return s(tag, attributes, ...children.map(build));
}

/** Puts the shapes into the page, once. */
export function provideShapes() {
  if (document.getElementById('damas-shapes')) return;
  const hidden = { id: 'damas-shapes', width: 0, height: 0, 'aria-hidden': 'true', focusable: 'false' };
  document.body.append(s('svg', hidden, ...SHAPES.map(build)));
}

/** Both sides, White first. @type {import('../lib/messages.js').Side[]} */
export const SIDES = ['white', 'black'];

/** @param {string} code w, W, b or B @returns {import('../lib/messages.js').Side} */
export function colourOf(code) {
  return code.toLowerCase() === 'w' ? 'white' : 'black';
}

/** A piece that is not placed yet. @param {string} code @returns {SVGGElement} */
export function drawPiece(code) {
  return s('g', { class: 'piece', 'data-code': code }, s('use', { href: `#damas-${code}` }));
}

/** A piece alone, for buttons and lists. @param {string} code */
export function pieceIcon(code) {
  provideShapes();
  const attributes = { class: 'piece-icon', viewBox: '-50 -50 100 100', 'aria-hidden': 'true',
    focusable: 'false' };
  return s('svg', attributes, s('use', { href: `#damas-${code}` }));
}
