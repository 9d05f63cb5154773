/** Marks over the board: the last move, arrows, numbered paths, rings. Nothing is shown by colour alone. */

import { s } from '../lib/dom.js';
import { SQUARE_SIZE } from './geometry.js';
import { endOf } from './selection.js';

/** @import { Geometry, Point } from './geometry.js' */
/** @import { Landing } from './selection.js' */

/** @typedef {'green' | 'red' | 'blue' | 'yellow'} Brush */
/** @typedef {{route: number[], brush?: Brush}} Arrow */

/** @type {Record<Brush, string | null>} */
const ARROW_DASHES = { green: null, red: '22 9', blue: '9 9', yellow: '22 8 7 8' };
const ROUTE_STYLES = 4;

/** @param {Point[]} points */
function polyline(points) {
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
}

/** The point at a distance towards another. @param {Point} from @param {Point} to @param {number} distance */
function towards(from, to, distance) {
  const share = distance / (Math.hypot(to.x - from.x, to.y - from.y) || 1);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** @param {string} className @param {Point} centre @param {number} r */
function circle(className, { x, y }, r) {
  return s('circle', { class: className, cx: x, cy: y, r });
}

/** Both ends and a thin line along the route. @param {Geometry} geometry @param {number[]} route */
export function drawLastMove(geometry, route) {
  const layer = s('g', { class: 'last-move-mark' });
  const line = polyline(route.map((square) => geometry.centre(square)));
  const side = SQUARE_SIZE - 10;
  for (const name of ['shade', 'light']) {
    for (const square of new Set([route[0], endOf(route)])) {
      const { x, y } = geometry.corner(square);
      layer.append(s('rect', { class: name, x: x + 5, y: y + 5, width: side, height: side, rx: 5 }));
    }
    layer.append(s('path', { class: `${name} thread`, d: line }));
  }
  return layer;
}

/** @param {Geometry} geometry @param {Arrow} arrow */
export function drawArrow(geometry, { route, brush = 'green' }) {
  const points = route.map((square) => geometry.centre(square));
  const end = points[points.length - 1], before = points[points.length - 2];
  const tip = towards(end, before, 8), neck = towards(tip, before, 32);
  const wing = { x: (neck.y - tip.y) * 0.55, y: (tip.x - neck.x) * 0.55 };
  const shaft = polyline([towards(points[0], points[1], 16), ...points.slice(1, -1),
    towards(tip, before, 26)]);
  const wings = [{ x: neck.x + wing.x, y: neck.y + wing.y }, { x: neck.x - wing.x, y: neck.y - wing.y }];
  const head = `${polyline([tip, ...wings])}Z`;
  return s('g', { class: `arrow brush-${brush}` },
    s('path', { class: 'halo', d: shaft }), s('path', { class: 'halo head', d: head }),
    s('path', { class: 'shaft', d: shaft, 'stroke-dasharray': ARROW_DASHES[brush] }),
      s('path', { class: 'head', d: head }));
}

/** Brackets at the corners. @param {Geometry} geometry @param {number} square @param {string} className */
export function drawBrackets(geometry, square, className) {
  const { x, y } = geometry.corner(square);
  const near = 6, far = SQUARE_SIZE - 6, arm = 24;
  const corners = [[near, near, arm, arm], [far, near, -arm, arm], [far, far, -arm, -arm],
    [near, far, arm, -arm]];
  const d = corners.map(([dx, dy, across, down]) =>
    `M${x + dx} ${y + dy + down}V${y + dy}H${x + dx + across}`).join('');
  return s('g', { class: className }, s('path', { class: 'shade', d }), s('path', { class: 'light', d }));
}

/**
 * A ring in a colour around a square that somebody points out, with the dashes of an arrow of the colour.
 * @param {Geometry} geometry @param {number} square @param {Brush} brush
 */
export function drawSpot(geometry, square, brush) {
  const centre = geometry.centre(square);
  const line = circle('line', centre, 42);
  if (ARROW_DASHES[brush]) line.setAttribute('stroke-dasharray', ARROW_DASHES[brush]);
  return s('g', { class: `spot brush-${brush}` }, circle('halo', centre, 42), line);
}

/** A ring around a captured piece. @param {Geometry} geometry @param {number} square */
export function drawRing(geometry, square) {
  const centre = geometry.centre(square);
  return s('g', { class: 'ring' }, circle('halo', centre, 43), circle('line', centre, 43));
}

/** @param {Geometry} geometry @param {number[]} route @param {number} style */
function drawRouteLine(geometry, route, style) {
  const points = route.map((square) => geometry.centre(square));
  const d = polyline(points);
  return s('g', { class: `route variant-${style % ROUTE_STYLES}` },
    s('path', { class: 'halo', d }), circle('halo start', points[0], 10),
    s('path', { class: 'line', d }), circle('start', points[0], 10));
}

/**
 * A capture as a line, with the numbers of the jumps where they land.
 * @param {Geometry} geometry @param {number[]} route @param {(square: number) => boolean} isOccupied
 */
export function drawRoute(geometry, route, isOccupied) {
  const layer = drawRouteLine(geometry, route, 0);
  /** @type {Map<number, number[]>} */
  const jumps = new Map();
  route.slice(1).forEach((square, i) => jumps.set(square, [...(jumps.get(square) ?? []), i + 1]));
  for (const [square, numbers] of jumps) {
    const { x, y } = geometry.centre(square);
    const offset = isOccupied(square) ? 27 : 0; // keeps the piece and its crown visible
    layer.append(badge({ x: x + offset, y: y + offset }, numbers.join('·')));
  }
  return layer;
}

/**
 * One of several routes to choose from, labelled with its number.
 * @param {Geometry} geometry @param {number[][]} routes @param {number} index
 */
export function drawRouteChoice(geometry, routes, index) {
  const route = routes[index];
  const layer = drawRouteLine(geometry, route, index);
  const jump = distinctJump(route, routes.filter((_, other) => other !== index));
  const a = geometry.centre(route[jump]), b = geometry.centre(route[jump + 1]);
  layer.append(badge({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, String(index + 1)));
  layer.classList.add('ghost-path');
  return layer;
}

/** Index of the first jump that no other route makes. @param {number[]} route @param {number[][]} others */
export function distinctJump(route, others) {
  const passed = new Set(others.flat());
  const own = route.findIndex((square, i) => i > 0 && !passed.has(square));
  if (own > 0) return Math.min(own, route.length - 2);
  return Math.max(0, route.findIndex((square, i) => others.every((other) => other[i] !== square)) - 1);
}

/** @param {Point} centre @param {string} content */
function badge({ x, y }, content) {
  const height = 40, width = height + (content.length - 1) * 20;
  return s('g', { class: 'badge' },
    s('rect', { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }),
    s('text', { class: 'badge-text', x, y: y + 10, 'text-anchor': 'middle' }, content));
}

/**
 * Where a piece can go: a dot, or a ring with the number of captured pieces.
 * @param {Geometry} geometry @param {number} square @param {Landing} landing
 */
export function drawLanding(geometry, square, { captures, ends }) {
  const { x, y } = geometry.centre(square);
  if (!captures) return s('g', { class: 'dest' }, circle('dot', { x, y }, 13));
  const layer = s('g', { class: ends ? 'dest' : 'dest passing' }, circle('hoop-shade', { x, y }, 30),
    circle('hoop', { x, y }, 30));
  const count = { class: 'takes', x, y: y + 11, 'text-anchor': 'middle' };
  if (ends && captures > 1) layer.append(s('text', count, String(captures)));
  return layer;
}

/**
 * A ring around a piece that can move: dotted, or solid if it must capture.
 * @param {Geometry} geometry @param {number} square @param {boolean} mustCapture @param {boolean} pulses
 */
export function drawMovable(geometry, square, mustCapture, pulses) {
  const centre = geometry.centre(square);
  return s('g', { class: `may-move${mustCapture ? ' must' : ''}${pulses ? ' pulse' : ''}` },
    circle('shade', centre, 45), circle('light', centre, 45));
}

/** Marks a touched piece that has to be played. @param {Geometry} geometry @param {number} square */
export function drawPin(geometry, square) {
  const { x, y } = geometry.corner(square);
  return s('g', { class: 'pin', transform: `translate(${x + 76} ${y + 24})` },
    s('circle', { r: 20 }), s('path', { d: 'M-6-12H6L4-2 9 3H-9L-4-2ZM0 3V13' }));
}
