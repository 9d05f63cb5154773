/** The tasks of drills. They know no rules: what may be captured is in the position. */

/** @import { PositionView } from '../../lib/messages.js' */

/** @typedef {() => number} RandomNumber from 0 to 1, as `Math.random` */
/** @typedef {{square: number, choices: number[]}} SquareTask a square, among others to choose from */
/** @typedef {{question: 'pieces' | 'moves', answer: number}} CountTask */

export const CHOICES = 4;
/** The greatest answer that can be chosen when captures are counted. */
export const MAX_COUNT = 6;

/**
 * A square other than the last one. Among the choices is the square on the other side of the centre, which
 * people mean who count from the wrong end.
 * @param {number} squares how many there are @param {number} last -1 for none @param {RandomNumber} random
 * @returns {SquareTask}
 */
export function squareTask(squares, last, random) {
  const number = () => Math.floor(random() * squares);
  let square = number();
  while (square === last) square = number();
  const choices = new Set([square, squares - 1 - square]);
  while (choices.size < CHOICES) choices.add(number());
  return { square, choices: [...choices].sort((a, b) => a - b) };
}

/**
 * What can be counted in a position: the pieces of the largest legal capture, or the legal captures; null
 * where the answer is no choice, or where one capture has several ways.
 * @param {PositionView} view @param {RandomNumber} random @returns {CountTask | null}
 */
export function countTask({ legal }, random) {
  if (legal.some(({ routes }) => routes.length > 1)) return null;
  const question = random() < 0.5 ? 'pieces' : 'moves';
  const pieces = Math.max(...legal.map(({ captured }) => captured.length));
  const answer = question === 'pieces' ? pieces : legal.length;
  return answer <= MAX_COUNT ? { question, answer } : null;
}
