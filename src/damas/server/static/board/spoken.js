/** The board in words, for screen readers and speech. */

import { t } from '../lib/words.js';
import { colourOf, SIDES } from './pieces.js';

/** @import { Pieces, Side } from '../lib/messages.js' */

/** @param {string} code */
const isKing = (code) => code === code.toUpperCase();

/** "pedra branca". @param {string} code */
export function pieceWords(code) {
  return t(`board.${isKing(code) ? 'king' : 'man'}.${colourOf(code)}`);
}

/** "c3, pedra branca". @param {string} name @param {string | undefined} code @param {string[]} states */
export function squareWords(name, code, states) {
  return [name, code ? pieceWords(code) : t('board.empty'), ...states].join(', ');
}

/** "Pretas". @param {Side} side */
export function sideWords(side) {
  return t(`board.side.${side}`);
}

/** "Pretas: c5xe3, 1 peça". @param {Side} side @param {string} move @param {number} captures */
export function moveWords(side, move, captures) {
  return t(captures ? 'board.said_capture' : 'board.said_move', { side: sideWords(side), move, n: captures });
}

/**
 * The contents of the lines from a square.
 * @param {string} name @param {number[][]} rays @param {Pieces} pieces @param {string[]} names
 */
export function raysWords(name, rays, pieces, names) {
  const words = (/** @type {number} */ square) =>
    (pieces[square] ? `${names[square]} ${pieceWords(pieces[square])}` : names[square]);
  return t('board.rays', { square: name, lines: rays.map((ray) => ray.map(words).join(', ')).join('; ') });
}

/** How many men and kings a side has. @param {Pieces} pieces @param {Side} side */
export function countPieces(pieces, side) {
  const own = Object.values(pieces).filter((code) => colourOf(code) === side);
  const kings = own.filter(isKing).length;
  return { men: own.length - kings, kings };
}

/** Where all pieces stand, one sentence per side. @param {Pieces} pieces @param {string[]} names */
export function piecesWords(pieces, names) {
  return SIDES.map((side) => {
    const squaresOf = (/** @type {boolean} */ kings) => Object.entries(pieces)
      .filter(([, code]) => colourOf(code) === side && isKing(code) === kings)
      .map(([square]) => names[Number(square)]);
    const kings = squaresOf(true), men = squaresOf(false);
    const parts = [
      kings.length && t('board.kings_on', { n: kings.length, squares: kings.join(' ') }),
      men.length && t('board.men_on', { n: men.length, squares: men.join(' ') }),
    ].filter(Boolean);
    return `${sideWords(side)}: ${parts.join('; ') || t('board.no_pieces')}.`;
  }).join(' ');
}
