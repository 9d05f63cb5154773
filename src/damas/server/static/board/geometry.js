/** Where squares are in the drawing: 100 units per square, inside a frame. */

/** @import { BoardView, Side } from '../lib/messages.js' */

/** @typedef {{x: number, y: number}} Point */

export const SQUARE_SIZE = 100;
export const FRAME_WIDTH = 38;

const DIAGONALS = [[1, -1], [1, 1], [-1, 1], [-1, -1]];
const ORTHOGONALS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

export class Geometry {
  /** @param {BoardView} board @param {Side} orientation the side at the bottom */
  constructor(board, orientation) {
    this.board = board;
    this.size = board.size;
    /** Width and height of the whole drawing, in units. */
    this.side = board.size * SQUARE_SIZE + 2 * FRAME_WIDTH;
    /** Offset of pieces to the right and down, in units: a number printed in the square needs room. */
    this.pieceOffset = 0;
    const last = board.size - 1;
    /** Column from the left and row from the top, by square. @type {Point[]} */
    this.cells = board.squares.map(({ row, column }) =>
      orientation === 'black' ? { x: last - column, y: row } : { x: column, y: last - row });
    this.squaresByCell = new Map(this.cells.map(({ x, y }, square) => [`${x},${y}`, square]));
  }

  /** The top left corner of a square, in units. @param {number} square @returns {Point} */
  corner(square) {
    const { x, y } = this.cells[square];
    return { x: FRAME_WIDTH + x * SQUARE_SIZE, y: FRAME_WIDTH + y * SQUARE_SIZE };
  }

  /** The centre of a piece on a square, in units. @param {number} square @returns {Point} */
  centre(square) {
    const { x, y } = this.corner(square);
    return { x: x + SQUARE_SIZE / 2 + this.pieceOffset, y: y + SQUARE_SIZE / 2 + this.pieceOffset };
  }

  /** The square at a column and a row from the top left, or -1. @param {number} x @param {number} y */
  squareAt(x, y) {
    return this.squaresByCell.get(`${x},${y}`) ?? -1;
  }

  /** The squares strictly between two squares of one line. @param {number} from @param {number} to */
  between(from, to) {
    const a = this.cells[from], b = this.cells[to];
    const across = b.x - a.x, down = b.y - a.y;
    if (across && down && Math.abs(across) !== Math.abs(down)) return [];
    const steps = Math.max(Math.abs(across), Math.abs(down));
    const squares = [];
    for (let step = 1; step < steps; step++) {
      const square = this.squareAt(a.x + (across / steps) * step, a.y + (down / steps) * step);
      if (square >= 0) squares.push(square);
    }
    return squares;
  }

  /**
   * The squares on each line from a square to the edge, in order: diagonals, and ranks and files where all
   * squares are played on.
   * @param {number} square @returns {number[][]}
   */
  rays(square) {
    const { x, y } = this.cells[square];
    const directions = this.board.all_squares ? [...DIAGONALS, ...ORTHOGONALS] : DIAGONALS;
    return directions.map(([dx, dy]) => {
      const ray = [];
      let next = this.squareAt(x + dx, y + dy);
      for (let step = 2; next >= 0; step++) {
        ray.push(next);
        next = this.squareAt(x + dx * step, y + dy * step);
      }
      return ray;
    }).filter((ray) => ray.length);
  }

  /** Squares that share a side or a corner with a square. @param {number} square @returns {number[]} */
  neighbours(square) {
    const { x, y } = this.cells[square];
    return [...DIAGONALS, ...ORTHOGONALS].map(([dx, dy]) => this.squareAt(x + dx, y + dy))
      .filter((near) => near >= 0);
  }

  /**
   * The square one arrow key away, or -1 at the edge. Where only one colour is played on, up and down
   * alternate between two files (c3 d4 c5), so that the opposite key leads back.
   * @param {number} square @param {string} key ArrowUp, ArrowDown, ArrowLeft or ArrowRight
   */
  step(square, key) {
    const { x, y } = this.cells[square];
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const direction = key === 'ArrowLeft' ? -1 : 1;
      for (let column = x + direction; column >= 0 && column < this.size; column += direction) {
        if (this.squareAt(column, y) >= 0) return this.squareAt(column, y);
      }
      return -1;
    }
    const row = key === 'ArrowUp' ? y - 1 : y + 1;
    const side = this.squareAt(0, y) >= 0 ? 1 : -1;
    return [x, x + side, x - side].map((column) => this.squareAt(column, row)).find((next) => next >= 0)
      ?? -1;
  }

  /** The squares of a row counted from the top, left to right. @param {number} y */
  row(y) {
    return Array.from({ length: this.size }, (_, x) => this.squareAt(x, y)).filter((square) => square >= 0);
  }
}
