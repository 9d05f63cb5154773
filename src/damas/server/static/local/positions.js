/** Positions and moves by internal squares, for questions about several rulebooks. */

/** @import { LegalMove } from '../core/types.js' */

/**
 * A FEN.
 * @param {Record<string, string>} pieces letters w, W, b, B by square @param {string} turn white or black
 * @param {readonly string[]} names of the squares in the rulebook's FEN
 */
export function fenOfPieces(pieces, turn, names) {
  const squares = (/** @type {string} */ king) => Object.entries(pieces)
    .filter(([, letter]) => letter.toUpperCase() === king)
    .map(([square, letter]) => (letter === king ? 'K' : '') + names[Number(square)]).join(',');
  return `${turn === 'black' ? 'B' : 'W'}:W${squares('W')}:B${squares('B')}`;
}

/**
 * What makes two moves the same: the squares where they begin and end, and what they take.
 * @param {LegalMove} move
 */
export function moveKey({ routes: [route], captured, promotes }) {
  return [route[0], route[route.length - 1], promotes, ...[...captured].sort((a, b) => a - b)].join(' ');
}

/** Legal moves as one text, equal where they are the same. @param {LegalMove[]} legal */
export function movesKey(legal) {
  return legal.map(moveKey).sort().join('\n');
}
