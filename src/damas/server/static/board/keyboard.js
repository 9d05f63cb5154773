/**
 * Keys on the board: arrows move the focus, Enter picks up and drops, Escape cancels, digits go to a rank
 * (with Shift to a file) or choose a path; `m` reads the moves of a piece, `o` the current square, `x` the
 * lines from it.
 */

/** @import { NamedSquare } from '../lib/messages.js' */

/**
 * @typedef {object} KeyActions
 * @property {import('./tray.js').Tray} tray
 * @property {() => import('./grid.js').Grid} grid
 * @property {() => import('./geometry.js').Geometry} geometry
 * @property {(square: number) => void} click
 * @property {() => void} cancel
 * @property {(square: number, what: 'moves' | 'here' | 'rays') => void} read speaks about a square
 */

const SPEECH_KEYS = /** @type {const} */ ({ m: 'moves', o: 'here', x: 'rays' });

/** @param {HTMLElement} element @param {KeyActions} actions */
export function listenToKeys(element, actions) {
  element.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = Number(/^Digit([1-9])$/.exec(event.code)?.[1]
      ?? (/^[1-9]$/.test(event.key) ? event.key : 0));
    const onSquares = Boolean(actions.grid()?.element.contains(/** @type {Node} */ (event.target)));
    const isSquareKey = () => onSquares && squareKey(event, digit, actions);
    if (!(actions.tray.open ? trayKey(event.key, digit, actions) : isSquareKey())) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @param {string} key @param {number} digit @param {KeyActions} actions */
function trayKey(key, digit, { tray }) {
  if (key === 'Escape') tray.cancel?.();
  else if (digit && tray.pick) tray.pick(digit);
  else return false;
  return true;
}

/** @param {KeyboardEvent} event @param {number} digit @param {KeyActions} actions */
function squareKey({ key, shiftKey }, digit, actions) {
  const grid = actions.grid(), geometry = actions.geometry();
  const here = grid.current;
  if (key.startsWith('Arrow')) {
    const next = geometry.step(here, key);
    if (next >= 0) grid.moveTo(next);
  } else if (key === 'Home' || key === 'End') {
    const row = geometry.row(geometry.cells[here].y);
    grid.moveTo(key === 'Home' ? row[0] : row[row.length - 1]);
  } else if (key === 'Enter' || key === ' ') actions.click(here);
  else if (key === 'Escape') actions.cancel();
  else if (digit) {
    const nearest = nearestInLine(geometry.board.squares, here, shiftKey ? 'column' : 'row', digit - 1);
    if (nearest >= 0) grid.moveTo(nearest);
  } else if (Object.hasOwn(SPEECH_KEYS, key)) {
    actions.read(here, SPEECH_KEYS[/** @type {keyof typeof SPEECH_KEYS} */ (key)]);
  } else return false;
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
