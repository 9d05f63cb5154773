/** Small boards and moves for the tests. */

/** @import { BoardView, MoveView, RulebookView } from '../../src/damas/server/static/lib/messages.js' */

/** A board of 4 x 4 with eight playing squares: a1 c1 b2 d2 a3 c3 b4 d4, numbered from Black's side. */
export const SQUARES = ['a1', 'c1', 'b2', 'd2', 'a3', 'c3', 'b4', 'd4'];
const NUMBERS = ['7', '8', '5', '6', '3', '4', '1', '2'];

/** @type {BoardView} */
export const BOARD = {
  size: 4, all_squares: false, corner: 'left', scheme: 'alg', first_number: 'black', main_diagonal: [],
  squares: SQUARES.map((alg, i) => {
    const row = Number(alg[1]) - 1, column = 'abcd'.indexOf(alg[0]);
    return { row, column, alg, numbers: NUMBERS[i], rc: `${row},${column}` };
  }),
};

const SHAPES = /** @type {const} */ ([[12, 'left', false], [8, 'right', false], [8, 'left', true]]);

/** A large board, one with its corner at the right, one with all squares played on. */
export const OTHER_BOARDS = SHAPES.map(([size, corner, all]) => ({
  ...BOARD, size, corner, all_squares: all,
  squares: Array.from({ length: size * size }, (_, i) => ({ row: Math.floor(i / size), column: i % size }))
    .filter(({ row, column }) => all || (row + column) % 2 === Number(corner === 'right'))
    .map((square) => ({ ...square, alg: '', numbers: '', rc: `${square.row},${square.column}` })),
}));

/** Only what the tested modules read. */
export const BOOK = /** @type {RulebookView} */ (/** @type {unknown} */ ({ id: 'small', name: 'Small',
  board: BOARD }));

/** The index of a square. @param {string} name */
export const at = (name) => SQUARES.indexOf(name);

/**
 * A move along routes such as 'a1 c3'.
 * @param {string} text @param {string[]} routes @param {string[]} captured @returns {MoveView}
 */
export function move(text, routes, captured = []) {
  return {
    text, routes: routes.map((route) => route.split(' ').map(at)), captured: captured.map(at),
    promotes: false,
  };
}
