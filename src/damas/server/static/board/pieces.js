/**
 * The pieces, drawn once for the page and used by every board.
 * White has plain rings, Black a milled rim; a king is two discs with a crown: known by shape, not by hue.
 */

import { s } from '../lib/dom.js';

const CROWN = 'M-20 13V-12L-9-1 0-19 9-1 20-12V13Z';

/** @param {'white'|'black'} side */
function gradient(side) {
  return s('radialGradient', { id: `damas-face-${side}`, cx: '0.38', cy: '0.3', r: '0.85' },
    s('stop', { offset: '0', class: `stop-${side}-top` }), s('stop', { offset: '0.75', class: `stop-${side}-face` }),
    s('stop', { offset: '1', class: `stop-${side}-side` }));
}

/** One disc with its edge. @param {'white'|'black'} side @param {number} y */
function disc(side, y) {
  const rim = side === 'white'
    ? [s('circle', { cy: y, r: 30, class: `groove-${side}` }), s('circle', { cy: y, r: 21, class: `groove-${side}` })]
    : [s('circle', { cy: y, r: 32.5, class: `milled-${side}`, 'stroke-dasharray': '5.1 7.66' }), s('circle', { cy: y, r: 21, class: `groove-${side}` })];
  return [
    s('circle', { cy: y + 6, r: 39, class: `side-${side}` }),
    s('circle', { cy: y, r: 39, class: `face-${side}`, fill: `url(#damas-face-${side})` }),
    ...rim,
  ];
}

/** @param {'white'|'black'} side */
function man(side) {
  return s('symbol', { id: `damas-${side === 'white' ? 'w' : 'b'}`, overflow: 'visible' },
    s('ellipse', { cx: 2, cy: 8, rx: 41, ry: 39, class: 'piece-shadow' }), ...disc(side, -2));
}

/** @param {'white'|'black'} side */
function king(side) {
  const [edge, face] = disc(side, -9);
  const rim = side === 'white'
    ? s('circle', { cy: -9, r: 32, class: `groove-${side}` })
    : s('circle', { cy: -9, r: 32.5, class: `milled-${side}`, 'stroke-dasharray': '5.1 7.66' });
  return s('symbol', { id: `damas-${side === 'white' ? 'W' : 'B'}`, overflow: 'visible' },
    s('ellipse', { cx: 2, cy: 11, rx: 41, ry: 39, class: 'piece-shadow' }),
    ...disc(side, 6).slice(0, 2), edge, face, rim,
    s('g', { transform: 'translate(0 -8) scale(1.12)' }, s('path', { d: CROWN, class: `crown-${side}` }),
      s('path', { d: 'M-20 8H20', class: `crown-band-${side}` })));
}

/** Slanting lines and a ring over a piece that is being taken. */
function hatch() {
  const lines = [-24, -8, 8, 24].map((offset) => {
    const along = Math.sqrt(39 * 39 - offset * offset) * Math.SQRT1_2;
    const across = offset * Math.SQRT1_2;
    return `M${(across - along).toFixed(1)} ${(across + along).toFixed(1)}L${(across + along).toFixed(1)} ${(across - along).toFixed(1)}`;
  });
  return s('symbol', { id: 'damas-hatch', overflow: 'visible' },
    s('circle', { r: 39, class: 'hatch-halo' }), s('path', { d: lines.join(''), class: 'hatch-line' }), s('circle', { r: 39, class: 'hatch-line' }));
}

/** Puts the shapes into the page, once. */
export function provideShapes() {
  if (document.getElementById('damas-shapes')) return;
  const shapes = s('svg', { id: 'damas-shapes', width: 0, height: 0, 'aria-hidden': 'true', focusable: 'false' },
    s('defs', {}, gradient('white'), gradient('black')), man('white'), man('black'), king('white'), king('black'), hatch());
  document.body.append(shapes);
}

/** @param {string} code w W b B */
export function colourOf(code) {
  return code.toLowerCase() === 'w' ? 'white' : 'black';
}

/** A piece on no square yet. @param {string} code @returns {SVGGElement} */
export function drawPiece(code) {
  return s('g', { class: 'piece', 'data-code': code }, s('use', { href: `#damas-${code}` }));
}

/** A piece alone, for buttons and lists. @param {string} code */
export function pieceIcon(code) {
  provideShapes();
  return s('svg', { class: 'piece-icon', viewBox: '-50 -50 100 100', 'aria-hidden': 'true', focusable: 'false' }, s('use', { href: `#damas-${code}` }));
}
