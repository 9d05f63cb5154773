/** Which of the server's legal moves a player means by the squares entered so far; knows no rules. */

/** @import { MoveView } from '../lib/messages.js' */

/**
 * @typedef {{move: MoveView, route: number[]}} Path a legal move along one of its routes
 * @typedef {{captures: number, ends: boolean}} Landing the most pieces captured by way of a square, and
 *   whether a move can end there
 */

/** @param {number[]} route */
export function endOf(route) {
  return route[route.length - 1];
}

/** Paths whose route starts with the given squares. @param {MoveView[]} legal @param {number[]} start */
export function pathsStartingWith(legal, start) {
  return legal.flatMap((move) => move.routes.map((route) => ({ move, route })))
    .filter(({ route }) => start.every((square, i) => route[i] === square));
}

/** The first path of each move. @param {Path[]} paths @returns {Path[]} */
export function onePathPerMove(paths) {
  return paths.filter(({ move }, i) => paths.findIndex((path) => path.move === move) === i);
}

/** The squares that can be entered next. @param {MoveView[]} legal @param {number[]} entered */
export function landings(legal, entered) {
  /** @type {Map<number, Landing>} */
  const result = new Map();
  const add = (/** @type {number} */ square, /** @type {number} */ captures, /** @type {boolean} */ ends) => {
    const landing = result.get(square) ?? { captures: 0, ends: false };
    result.set(square, { captures: Math.max(landing.captures, captures), ends: ends || landing.ends });
  };
  for (const { move, route } of pathsStartingWith(legal, entered)) {
    if (route.length > entered.length + 1) add(route[entered.length], move.captured.length, false);
    add(endOf(route), move.captured.length, true);
  }
  // A round trip is completed by clicking the piece again.
  if (entered.length === 1) result.delete(entered[0]);
  return result;
}

/**
 * What a player means by a target square: a move, a choice between moves, one jump of a longer capture, or no
 * legal move.
 * @param {MoveView[]} legal @param {number[]} entered the squares so far, the piece's own first
 * @param {number} target
 * @param {{complete: boolean}} options complete: play the rest of a capture when only one is left
 * @returns {{kind: 'play', path: Path} | {kind: 'choose', paths: Path[]} | {kind: 'step'} | {kind:
 *   'illegal'}}
 */
export function readTarget(legal, entered, target, { complete }) {
  const paths = pathsStartingWith(legal, entered);
  const ending = paths.filter(({ route }) => endOf(route) === target && route.length > entered.length);
  const passing = paths.filter(({ route }) =>
    route.length > entered.length + 1 && route[entered.length] === target && endOf(route) !== target);
  const meant = onePathPerMove([...ending, ...passing]);
  if (!meant.length) return { kind: 'illegal' };
  if (!ending.length && !(complete && meant.length === 1)) return { kind: 'step' };
  return meant.length === 1 ? { kind: 'play', path: meant[0] } : { kind: 'choose', paths: meant };
}

/** The capture of a piece that has exactly one move. @param {MoveView[]} legal @param {number} square */
export function onlyCapture(legal, square) {
  const paths = onePathPerMove(pathsStartingWith(legal, [square]));
  return paths.length === 1 && paths[0].move.captured.length ? paths[0] : null;
}

/** The only capture by any piece that ends on a square. @param {MoveView[]} legal @param {number} target */
export function onlyCaptureTo(legal, target) {
  const captures = pathsStartingWith(legal, [])
    .filter(({ move, route }) => move.captured.length && endOf(route) === target);
  const paths = onePathPerMove(captures);
  return paths.length === 1 ? paths[0] : null;
}

/** Squares of the pieces that can move. @param {MoveView[]} legal @returns {Set<number>} */
export function origins(legal) {
  return new Set(legal.map((move) => move.routes[0][0]));
}

/**
 * The only legal move along the squares of a premove: exactly along them, else passing them all, else
 * beginning with them.
 * @param {MoveView[]} legal @param {number[]} squares the piece's own first @returns {Path | null}
 */
export function premovePath(legal, squares) {
  if (squares.length < 2) return null;
  const paths = pathsStartingWith(legal, [squares[0]]);
  const passes = (/** @type {number[]} */ route) => {
    let passed = 0;
    for (const square of route) if (square === squares[passed]) passed++;
    return passed === squares.length;
  };
  const exact = paths.filter(({ route }) =>
    route.length === squares.length && route.every((square, i) => square === squares[i]));
  const ending = paths.filter(({ route }) => endOf(route) === endOf(squares) && passes(route));
  const meant = [exact, ending, pathsStartingWith(legal, squares)].find((some) => some.length) ?? [];
  return new Set(meant.map(({ move }) => move)).size === 1 ? meant[0] : null;
}
