/**
 * Keys on the board: arrows move the focus, Enter picks up and drops, Escape cancels, digits go to a rank
 * (with Shift to a file) or choose a path; `m` reads the moves of a piece, `o` the current square, `x` the
 * lines from it.
 */

import { t } from '../lib/words.js';
import { onePathPerMove, pathsStartingWith } from './selection.js';
import { raysWords } from './spoken.js';

/** @import { NamedSquare } from '../lib/messages.js' */
/** @import { DamasBoard } from './damas-board.js' */

/** Sentences about a square, by key. @type {Record<string, (board: DamasBoard, square: number) => string>} */
const SPEECH_KEYS = {
  m: ({ hints, legal, names }, square) => {
    if (!hints) return t('board.no_hints');
    const paths = onePathPerMove(pathsStartingWith(legal, [square]));
    const moves = paths.map(({ move }) => move.text).join(', ');
    return t(moves ? 'board.moves_of' : 'board.no_moves', { square: names[square], moves });
  },
  o: ({ grid }, square) => grid.cells[square].getAttribute('aria-label') ?? '',
  x: ({ names, stage, position }, square) =>
    raysWords(names[square], stage.geometry.rays(square), position.pieces, names),
};

/** @param {DamasBoard} board */
export function listenToKeys(board) {
  board.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = Number(/^Digit([1-9])$/.exec(event.code)?.[1]
      ?? (/^[1-9]$/.test(event.key) ? event.key : 0));
    const onSquares = Boolean(board.grid?.element.contains(/** @type {Node} */ (event.target)));
    const isSquareKey = () => onSquares && squareKey(board, event, digit);
    if (!(board.tray.open ? trayKey(board, event.key, digit) : isSquareKey())) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @param {DamasBoard} board @param {string} key @param {number} digit */
function trayKey({ tray }, key, digit) {
  if (key === 'Escape') tray.cancel?.();
  else if (digit && tray.pick) tray.pick(digit);
  else return false;
  return true;
}

/** @param {DamasBoard} board @param {KeyboardEvent} event @param {number} digit */
function squareKey(board, { key, shiftKey }, digit) {
  const { grid, entry, stage: { geometry } } = board;
  const here = grid.current;
  if (key.startsWith('Arrow')) {
    const next = geometry.step(here, key);
    if (next >= 0) grid.moveTo(next);
  } else if (key === 'Home' || key === 'End') {
    const row = geometry.row(geometry.cells[here].y);
    grid.moveTo(key === 'Home' ? row[0] : row[row.length - 1]);
  } else if (key === 'Enter' || key === ' ') entry.click(here);
  else if (key === 'Escape') {
    if (board.state.entered.length) entry.cancel();
    else if (!board.premove.cancel()) entry.clearRefusal();
  } else if (digit) {
    const nearest = nearestInLine(geometry.board.squares, here, shiftKey ? 'column' : 'row', digit - 1);
    if (nearest >= 0) grid.moveTo(nearest);
  } else if (Object.hasOwn(SPEECH_KEYS, key)) board.say(SPEECH_KEYS[key](board, here));
  else return false;
  return true;
}

/**
 * The square of a rank or file, counted as White sees it, that is nearest to another square; -1 if there is
 * none.
 * @param {NamedSquare[]} squares @param {number} here @param {'row' | 'column'} axis @param {number} line
 */
export function nearestInLine(squares, here, axis, line) {
  const along = axis === 'row' ? 'column' : 'row';
  const distance = (/** @type {number} */ square) => Math.abs(squares[square][along] - squares[here][along]);
  const inLine = squares.flatMap((square, index) => (square[axis] === line ? [index] : []));
  return inLine.sort((a, b) => distance(a) - distance(b))[0] ?? -1;
}
