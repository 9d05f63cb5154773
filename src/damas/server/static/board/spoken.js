/** The board in words, for those who hear it. */

import { t } from '../lib/words.js';
import { colourOf } from './pieces.js';

/** "pedra branca". @param {string} code */
export function pieceWords(code) {
  const kind = code === code.toUpperCase() ? 'king' : 'man';
  return t(`board.${kind}.${colourOf(code)}`);
}

/** "c3, pedra branca". @param {string} name @param {string | undefined} code @param {string[]} states */
export function squareWords(name, code, states) {
  return [name, code ? pieceWords(code) : t('board.empty'), ...states].join(', ');
}

/** "Pretas". @param {string} colour */
export function sideWords(colour) {
  return t(`board.side.${colour}`);
}

/** "Pretas: c5xe3, 1 peça". @param {string} colour @param {string} text @param {number} taken */
export function moveWords(colour, text, taken) {
  return taken ? t('board.said_capture', { side: sideWords(colour), move: text, n: taken }) : t('board.said_move', { side: sideWords(colour), move: text });
}

/** What stands on the lines that leave a square. @param {string} name @param {number[][]} rays @param {Record<string, string>} pieces @param {string[]} names */
export function raysWords(name, rays, pieces, names) {
  const line = (/** @type {number[]} */ ray) => ray.map((square) => (pieces[square] ? `${names[square]} ${pieceWords(pieces[square])}` : names[square])).join(', ');
  return t('board.rays', { square: name, lines: rays.map(line).join('; ') });
}

/** Where all the pieces stand, a sentence each side. @param {Record<string, string>} pieces @param {string[]} names */
export function piecesWords(pieces, names) {
  return ['white', 'black'].map((colour) => {
    const of = (/** @type {boolean} */ kings) => Object.entries(pieces)
      .filter(([, code]) => colourOf(code) === colour && (code === code.toUpperCase()) === kings)
      .map(([square]) => names[Number(square)]);
    const men = of(false), kings = of(true);
    const parts = [];
    if (kings.length) parts.push(t('board.kings_on', { n: kings.length, squares: kings.join(' ') }));
    if (men.length) parts.push(t('board.men_on', { n: men.length, squares: men.join(' ') }));
    return `${sideWords(colour)}: ${parts.join('; ') || t('board.no_pieces')}.`;
  }).join(' ');
}
