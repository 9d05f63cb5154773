/** The lens, in the worker: a position under several rulebooks, and the answers that make the difference. */

import { fenOfPieces, movesKey } from './positions.js';
import { rulebookText, withoutLaws, withText } from './rulebook-texts.js';

/** @import { Core } from '../core/core.js' */

/** The answers on which legal moves depend, in the order of the line `moves`; the last has its own line. */
const SWITCHES = ['capture_lines', 'men_capture_backward', 'men_capture_kings', 'flying_king', 'king_landing',
  'promotion', 'removal', 'capture_priority'];
const [FLYING, LANDING, PRIORITY] = ['flying_king', 'king_landing', 'capture_priority']
  .map((key) => SWITCHES.indexOf(key));

/** The answers of a rulebook as its text for the core has them. @param {string} text */
function answersOf(text) {
  const line = (/** @type {string} */ head) => new RegExp(`^${head}(?: (.*))?$`, 'm').exec(text)?.[1] ?? '';
  return [...line('moves').split(' '), line('priority')];
}

/**
 * A rulebook with these answers instead of its own.
 * @param {Core} core @param {string} id @param {string[]} answers
 */
function mixed(core, id, answers) {
  return withText(core, id, rulebookText(id)
    .replace(/^moves .*$/m, `moves ${answers.slice(0, PRIORITY).join(' ')}`)
    .replace(/^priority.*$/m, `priority ${answers[PRIORITY]}`.trimEnd())
    .replaceAll(/^(?:law|limit|rest|table) .*\n/gm, ''));
}

/**
 * Every choice of so many items, in their order.
 * @param {number[]} items @param {number} count @returns {number[][]}
 */
function combinations(items, count) {
  if (count === 0) return [[]];
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), count - 1).map((rest) => [item, ...rest]));
}

/**
 * The smallest sets of answers that, taken from the other rulebook, give its legal moves; none if they are
 * the same.
 * @param {Core} core @param {string} own @param {string} other @param {string} fen as the first writes it
 * @param {string} before the moves of the own rulebook @param {string} wanted those of the other
 */
function causes(core, own, other, fen, before, wanted) {
  if (before === wanted) return [];
  const first = answersOf(rulebookText(own)), second = answersOf(rulebookText(other));
  // Where a king that does not fly may land is no answer of its own: it goes with not flying.
  const differing = SWITCHES.map((_, index) => index)
    .filter((index) => first[index] !== second[index] && (index !== LANDING || second[FLYING] === '1'));
  for (let count = 1; count <= differing.length; count += 1) {
    const enough = combinations(differing, count).filter((some) => {
      const answers = first.map((answer, index) => (some.includes(index) ? second[index] : answer));
      return movesKey(mixed(core, own, answers).position(fen).legal) === wanted;
    });
    if (enough.length) return enough.map((some) => some.map((index) => SWITCHES[index]));
  }
  return [];
}

/**
 * A position of the first rulebook under each of them.
 * @param {Core} core @param {{rulebooks: string[], fen: string}} question
 */
export function compare(core, { rulebooks: [own, ...others], fen }) {
  const { view } = withoutLaws(core, own).position(fen);
  const before = movesKey(view.legal);
  return [own, ...others].map((id) => {
    const book = withoutLaws(core, id);
    const there = book.position(fenOfPieces(view.pieces, view.turn, book.squareNames)).view;
    return { id, view: there, causes: causes(core, own, id, view.fen, before, movesKey(there.legal)) };
  });
}
