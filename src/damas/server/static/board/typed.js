/**
 * Moves typed by hand: letters, numbers, or rows and columns, with any sign between the squares or none.
 * Only names are read here; what may be played is what the server sent.
 */

import { follow } from './selection.js';

const SCHEMES = ['alg', 'numbers', 'rc'];

/**
 * The squares a text names and the scheme it is in, or null.
 * @param {any} book @param {string} text
 * @returns {{squares: number[], scheme: string} | null}
 */
export function readSquares(book, text) {
  const clean = text.trim().toLowerCase();
  const own = book.board.scheme;
  for (const scheme of [own, ...SCHEMES.filter((other) => other !== own)]) {
    const tokens = split(clean, scheme);
    if (!tokens || tokens.length < 2) continue;
    const byName = new Map(book.board.squares.map((/** @type {any} */ square, /** @type {number} */ i) => [square[scheme], i]));
    const squares = tokens.map((token) => byName.get(token) ?? -1);
    if (squares.every((square) => square >= 0)) return { squares: /** @type {number[]} */ (squares), scheme };
  }
  return null;
}

/** @param {string} text @param {string} scheme @returns {string[] | null} */
function split(text, scheme) {
  const patterns = { alg: /^(?:[a-l]\d{1,2}[\s:x×\-–]*)+$/, numbers: /^(?:\d{1,2}(?:[\s:x×\-–]+|$))+$/, rc: /^(?:\d{1,2}\s*,\s*\d{1,2}(?:[\s:x×\-–]+|$))+$/ };
  const tokens = { alg: /[a-l]\d{1,2}/g, numbers: /\d{1,2}/g, rc: /\d{1,2}\s*,\s*\d{1,2}/g };
  const kind = /** @type {'alg'|'numbers'|'rc'} */ (scheme);
  if (!patterns[kind].test(text)) return null;
  return (text.match(tokens[kind]) ?? []).map((token) => token.replace(/\s/g, ''));
}

/**
 * The paths a list of squares may stand for: first and last as named, the others on the way in that order.
 * @param {import('./selection.js').Legal[]} legal @param {number[]} squares
 */
export function pathsThrough(legal, squares) {
  return follow(legal, [squares[0]]).filter(({ route }) => {
    if (route[route.length - 1] !== squares[squares.length - 1]) return false;
    let at = 0;
    for (const square of route) if (square === squares[at]) at++;
    return at === squares.length;
  });
}

/** @param {string} text */
function normal(text) {
  return text.trim().toLowerCase().replace(/\s*,\s*/g, ',').replace(/[\s:x×\-–]+/g, '-').replace(/^-|(?<=[a-l]\d{1,2})-/g, '');
}

/**
 * Whether some legal move can still be written by going on from this text.
 * @param {any} book @param {import('./selection.js').Legal[]} legal @param {string} text
 */
export function isPossible(book, legal, text) {
  const begun = normal(text);
  if (!begun) return true;
  for (const { route } of follow(legal, [])) {
    for (const scheme of SCHEMES) {
      const squares = route.map((square) => book.board.squares[square][scheme]);
      const ways = [squares, [squares[0], squares[squares.length - 1]]];
      if (ways.some((way) => normal(way.join('-')).startsWith(begun))) return true;
    }
  }
  return false;
}
