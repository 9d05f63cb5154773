/** Reading typed moves: letters, numbers, or rows and columns, with any separator or none. Knows no rules. */

/** @import { MoveView, NotationScheme, ShownRulebook } from '../lib/messages.js' */

import { endOf, pathsStartingWith } from './selection.js';

/** @type {NotationScheme[]} */
const SCHEMES = ['alg', 'numbers', 'rc'];
const WHOLE_MOVE = {
  alg: /^(?:[a-l]\d{1,2}[\s:x×\-–]*)+$/, numbers: /^(?:\d{1,2}(?:[\s:x×\-–]+|$))+$/,
  rc: /^(?:\d{1,2}\s*,\s*\d{1,2}(?:[\s:x×\-–]+|$))+$/,
};
const SQUARE_NAME = { alg: /[a-l]\d{1,2}/g, numbers: /\d{1,2}/g, rc: /\d{1,2}\s*,\s*\d{1,2}/g };

/**
 * The squares that a text names and the notation it is in, the rulebook's own tried first; null if it is no
 * move.
 * @param {ShownRulebook} book @param {string} text
 * @returns {{squares: number[], scheme: NotationScheme} | null}
 */
export function readSquares(book, text) {
  const clean = text.trim().toLowerCase();
  const own = book.board.scheme;
  for (const scheme of [own, ...SCHEMES.filter((other) => other !== own)]) {
    const names = squareNames(clean, scheme);
    const squares = names.map((name) => book.board.squares.findIndex((square) => square[scheme] === name));
    if (squares.length > 1 && squares.every((square) => square >= 0)) return { squares, scheme };
  }
  return null;
}

/** Empty if the text is not in this notation. @param {string} text @param {NotationScheme} scheme */
function squareNames(text, scheme) {
  if (!WHOLE_MOVE[scheme].test(text)) return [];
  return (text.match(SQUARE_NAME[scheme]) ?? []).map((name) => name.replace(/\s/g, ''));
}

/**
 * The paths that a list of squares can mean: from the first to the last, passing the others in this order.
 * @param {MoveView[]} legal @param {number[]} squares
 */
export function pathsThrough(legal, squares) {
  return pathsStartingWith(legal, [squares[0]]).filter(({ route }) => {
    if (endOf(route) !== endOf(squares)) return false;
    let passed = 0;
    for (const square of route) if (square === squares[passed]) passed++;
    return passed === squares.length;
  });
}

/**
 * Squares of a move as the rulebook writes them.
 * @param {ShownRulebook} book @param {number[]} squares @param {MoveView} move
 */
export function writtenSquares(book, squares, { captured }) {
  const { squares: named, scheme } = book.board;
  const separator = captured.length ? 'x' : '-';
  return squares.map((square) => named[square][scheme]).join(scheme === 'rc' ? ' ' : separator);
}

/** The same text for every way to separate the same squares. @param {string} text */
function withoutSeparators(text) {
  return text.trim().toLowerCase().replace(/\s*,\s*/g, ',').replace(/[\s:x×\-–]+/g, '-')
    .replace(/^-|(?<=[a-l]\d{1,2})-/g, '');
}

/**
 * Whether a text is the beginning of a legal move in any notation.
 * @param {ShownRulebook} book @param {MoveView[]} legal @param {string} text
 */
export function startsLegalMove(book, legal, text) {
  const typed = withoutSeparators(text);
  return !typed || pathsStartingWith(legal, []).some(({ route }) => SCHEMES.some((scheme) => {
    const names = route.map((square) => book.board.squares[square][scheme]);
    const spellings = [names, [names[0], names[names.length - 1]]];
    return spellings.some((spelling) => withoutSeparators(spelling.join('-')).startsWith(typed));
  }));
}
