/** What is shown upon a board: the last move, arrows, numbered paths, rings. Nothing is told by hue alone. */

import { s } from '../lib/dom.js';
import { UNIT } from './geometry.js';

/** @typedef {import('./geometry.js').Geometry} Geometry @typedef {import('./geometry.js').Point} Point */

const DASHES = { green: null, red: '22 9', blue: '9 9', yellow: '22 8 7 8' };

/** @param {Point[]} points */
function line(points) {
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
}

/** @param {Point} from @param {Point} to @param {number} distance @returns {Point} */
function towards(from, to, distance) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) * distance) / length, y: from.y + ((to.y - from.y) * distance) / length };
}

/** Outlines of the first and the last square and a thin line through the path. @param {Geometry} geometry @param {number[]} route */
export function drawLastMove(geometry, route) {
  const layer = s('g', { class: 'last-move-mark' });
  for (const name of ['shade', 'light']) {
    for (const square of new Set([route[0], route[route.length - 1]])) {
      const { x, y } = geometry.corner(square);
      layer.append(s('rect', { class: name, x: x + 5, y: y + 5, width: UNIT - 10, height: UNIT - 10, rx: 5 }));
    }
    layer.append(s('path', { class: `${name} thread`, d: line(route.map((square) => geometry.centre(square))) }));
  }
  return layer;
}

/** @param {Geometry} geometry @param {{route: number[], brush?: string}} arrow */
export function drawArrow(geometry, { route, brush = 'green' }) {
  const points = route.map((square) => geometry.centre(square));
  const end = points[points.length - 1], before = points[points.length - 2];
  const tip = towards(end, before, 8), neck = towards(tip, before, 32);
  const wing = { x: (neck.y - tip.y) * 0.55, y: (tip.x - neck.x) * 0.55 };
  const path = line([towards(points[0], points[1], 16), ...points.slice(1, -1), towards(tip, before, 26)]);
  const head = `${line([tip, { x: neck.x + wing.x, y: neck.y + wing.y }, { x: neck.x - wing.x, y: neck.y - wing.y }])}Z`;
  const dash = DASHES[/** @type {keyof typeof DASHES} */ (brush)] ?? null;
  return s('g', { class: `arrow brush-${brush}` },
    s('path', { class: 'halo', d: path }), s('path', { class: 'halo head', d: head }),
    s('path', { class: 'shaft', d: path, 'stroke-dasharray': dash }), s('path', { class: 'head', d: head }));
}

/** Brackets at the corners of a square. @param {Geometry} geometry @param {number} square @param {string} name */
export function drawBrackets(geometry, square, name) {
  const { x, y } = geometry.corner(square);
  const near = 6, far = UNIT - 6, arm = 24;
  const corner = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ da, /** @type {number} */ db) =>
    `M${x + a} ${y + b + db}V${y + b}H${x + a + da}`;
  const path = corner(near, near, arm, arm) + corner(far, near, -arm, arm) + corner(far, far, -arm, -arm) + corner(near, far, arm, -arm);
  return s('g', { class: name }, s('path', { class: 'shade', d: path }), s('path', { class: 'light', d: path }));
}

/** A ring around a piece, or around the place it stood on. @param {Geometry} geometry @param {number} square */
export function drawRing(geometry, square) {
  const { x, y } = geometry.centre(square);
  return s('g', { class: 'ring' }, s('circle', { class: 'halo', cx: x, cy: y, r: 43 }), s('circle', { class: 'line', cx: x, cy: y, r: 43 }));
}

/**
 * A capture as a line whose landings carry the numbers of the jumps.
 * @param {Geometry} geometry @param {number[]} route @param {{label?: string, others?: number[][], occupied?: (square: number) => boolean, variant?: number}} [options]
 * `label` is written on the line instead of the jumps' numbers, for a path among `others`, where they part.
 */
export function drawRoute(geometry, route, { label, others = [], occupied = () => false, variant = 0 } = {}) {
  const points = route.map((square) => geometry.centre(square));
  const path = line(points);
  const layer = s('g', { class: `route variant-${variant % 4}` },
    s('path', { class: 'halo', d: path }), s('circle', { class: 'halo start', cx: points[0].x, cy: points[0].y, r: 10 }),
    s('path', { class: 'line', d: path }), s('circle', { class: 'start', cx: points[0].x, cy: points[0].y, r: 10 }));
  if (label !== undefined) {
    const leg = ownLeg(route, others);
    const a = points[leg], b = points[leg + 1];
    layer.append(badge({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, label));
    return layer;
  }
  /** @type {Map<number, number[]>} */
  const jumps = new Map();
  route.slice(1).forEach((square, i) => jumps.set(square, [...(jumps.get(square) ?? []), i + 1]));
  for (const [square, numbers] of jumps) {
    const { x, y } = geometry.centre(square);
    const aside = occupied(square) ? 27 : 0; // leave the piece, and its crown, to be seen
    layer.append(badge({ x: x + aside, y: y + aside }, numbers.join('·')));
  }
  return layer;
}

/** The first jump that no other path makes, longest apart from them. @param {number[]} route @param {number[][]} others */
function ownLeg(route, others) {
  const passed = new Set(others.flat());
  const own = route.findIndex((square, i) => i > 0 && !passed.has(square));
  if (own > 0) return Math.min(own, route.length - 2);
  return Math.max(0, route.findIndex((square, i) => others.every((other) => other[i] !== square)) - 1);
}

/** @param {Point} place @param {string} words */
function badge({ x, y }, words) {
  const height = 40, width = height + (words.length - 1) * 20;
  const text = s('text', { class: 'badge-text', x, y: y + 10, 'text-anchor': 'middle' });
  text.textContent = words;
  return s('g', { class: 'badge' }, s('rect', { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }), text);
}

/** Where a piece may go: a dot, or a ring with the number of pieces taken. @param {Geometry} geometry @param {number} square @param {{takes: number, ends: boolean}} landing */
export function drawLanding(geometry, square, { takes, ends }) {
  const { x, y } = geometry.centre(square);
  if (!takes) return s('g', { class: 'dest' }, s('circle', { class: 'dot', cx: x, cy: y, r: 13 }));
  const layer = s('g', { class: ends ? 'dest' : 'dest passing' },
    s('circle', { class: 'hoop-shade', cx: x, cy: y, r: 30 }), s('circle', { class: 'hoop', cx: x, cy: y, r: 30 }));
  if (ends && takes > 1) {
    const text = s('text', { class: 'takes', x, y: y + 11, 'text-anchor': 'middle' });
    text.textContent = String(takes);
    layer.append(text);
  }
  return layer;
}

/** The outline of a piece that may move: a broken ring; a whole one if it must capture. @param {Geometry} geometry @param {number} square @param {boolean} must @param {boolean} pulses */
export function drawMovable(geometry, square, must, pulses) {
  const { x, y } = geometry.centre(square);
  return s('g', { class: `may-move${must ? ' must' : ''}${pulses ? ' pulse' : ''}` },
    s('circle', { class: 'shade', cx: x, cy: y, r: 45 }), s('circle', { class: 'light', cx: x, cy: y, r: 45 }));
}

/** The pin of a touched piece that has to be moved. @param {Geometry} geometry @param {number} square */
export function drawPin(geometry, square) {
  const { x, y } = geometry.corner(square);
  return s('g', { class: 'pin', transform: `translate(${x + 76} ${y + 24})` },
    s('circle', { r: 20 }), s('path', { d: 'M-6-12H6L4-2 9 3H-9L-4-2ZM0 3V13' }));
}
