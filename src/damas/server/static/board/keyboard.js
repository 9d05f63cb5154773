/** Keys on the squares: arrows walk, Enter picks up and drops, Esc cancels, digits go to a rank or choose a path,
 * `m` says the moves of a piece, `o` the square one is on, `x` what stands on the lines that leave it. */

/**
 * @typedef {object} Keys what the board does about it
 * @property {import('./tray.js').Tray} tray
 * @property {() => import('./grid.js').Grid} grid
 * @property {() => import('./geometry.js').Geometry} geometry
 * @property {(square: number) => void} click
 * @property {() => void} cancel
 * @property {(square: number, what: 'moves' | 'here' | 'rays') => void} hear says something about a square
 */

/** @param {HTMLElement} element @param {Keys} keys */
export function listenKeys(element, keys) {
  element.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? (/^[1-9]$/.test(event.key) ? event.key : 0));
    const onSquares = Boolean(keys.grid()?.element.contains(/** @type {Node} */ (event.target)));
    const took = keys.tray.open ? inTray(event.key, digit, keys) : onSquares && onSquare(event, digit, keys);
    if (!took) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @param {string} key @param {number} digit @param {Keys} keys */
function inTray(key, digit, { tray }) {
  if (key === 'Escape') tray.cancel?.();
  else if (digit && tray.pick) tray.pick(digit);
  else return false;
  return true;
}

/** @param {KeyboardEvent} event @param {number} digit @param {Keys} keys */
function onSquare({ key, shiftKey }, digit, keys) {
  const grid = keys.grid(), geometry = keys.geometry();
  const here = grid.current;
  if (key.startsWith('Arrow')) {
    const next = geometry.step(here, /** @type {any} */ (key));
    if (next >= 0) grid.rove(next);
  } else if (key === 'Home' || key === 'End') {
    const row = geometry.row(geometry.places[here].y);
    grid.rove(key === 'Home' ? row[0] : row[row.length - 1]);
  } else if (key === 'Enter' || key === ' ') keys.click(here);
  else if (key === 'Escape') keys.cancel();
  else if (digit) {
    const near = nearest(geometry.board.squares, here, digit - 1, shiftKey ? 'column' : 'row');
    if (near >= 0) grid.rove(near);
  } else if (Object.hasOwn(HEARD, key)) keys.hear(here, HEARD[/** @type {'m'} */ (key)]);
  else return false;
  return true;
}

const HEARD = /** @type {const} */ ({ m: 'moves', o: 'here', x: 'rays' });

/**
 * The square of a rank or a file, as White counts them, nearest to where one is.
 * @param {import('./geometry.js').NamedSquare[]} squares @param {number} here @param {number} wanted @param {'row' | 'column'} way
 */
function nearest(squares, here, wanted, way) {
  const along = way === 'row' ? 'column' : 'row';
  let found = -1;
  squares.forEach((square, index) => {
    if (square[way] !== wanted) return;
    const off = Math.abs(square[along] - squares[here][along]);
    if (found < 0 || off < Math.abs(squares[found][along] - squares[here][along])) found = index;
  });
  return found;
}
