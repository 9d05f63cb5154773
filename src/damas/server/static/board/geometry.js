/** Where squares lie on the drawing: 100 units a square, inside a frame. Knows no rules. */

export const UNIT = 100;
export const FRAME = 38;

/**
 * @typedef {{row: number, column: number, alg: string, numbers: string, rc: string}} NamedSquare
 * @typedef {{size: number, all_squares: boolean, corner: string, squares: NamedSquare[], scheme: string, main_diagonal?: number[]}} Board
 * @typedef {{x: number, y: number}} Point
 */

export class Geometry {
  /** @param {Board} board squares as White sees them, row 0 at the bottom @param {'white'|'black'} orientation who sits below */
  constructor(board, orientation) {
    this.board = board;
    this.size = board.size;
    this.side = board.size * UNIT + 2 * FRAME;
    /** How far pieces stand from the middle, to the right and down: a name inside the square needs room. */
    this.shift = 0;
    const last = board.size - 1;
    /** Column from the left and row from the top, as drawn. @type {Point[]} */
    this.places = board.squares.map(({ row, column }) =>
      orientation === 'black' ? { x: last - column, y: row } : { x: column, y: last - row });
    /** @type {Map<string, number>} */
    this.byPlace = new Map(this.places.map(({ x, y }, square) => [`${x},${y}`, square]));
  }

  /** The top left corner. @param {number} square @returns {Point} */
  corner(square) {
    const { x, y } = this.places[square];
    return { x: FRAME + x * UNIT, y: FRAME + y * UNIT };
  }

  /** Where a piece stands. @param {number} square @returns {Point} */
  centre(square) {
    const { x, y } = this.corner(square);
    return { x: x + UNIT / 2 + this.shift, y: y + UNIT / 2 + this.shift };
  }

  /** The playing square at a drawn column and row, or -1. @param {number} x @param {number} y */
  at(x, y) {
    return this.byPlace.get(`${x},${y}`) ?? -1;
  }

  /** Playing squares strictly between two on one line of the board. @param {number} from @param {number} to @returns {number[]} */
  between(from, to) {
    const a = this.places[from], b = this.places[to];
    const across = b.x - a.x, down = b.y - a.y;
    if (across && down && Math.abs(across) !== Math.abs(down)) return [];
    const steps = Math.max(Math.abs(across), Math.abs(down));
    const found = [];
    for (let step = 1; step < steps; step++) {
      const square = this.at(a.x + (across / steps) * step, a.y + (down / steps) * step);
      if (square >= 0) found.push(square);
    }
    return found;
  }

  /**
   * Playing squares on each line that leaves one, in order to the edge: diagonals, and ranks and files where all squares are played on.
   * @param {number} square @returns {number[][]}
   */
  rays(square) {
    const { x, y } = this.places[square];
    const ways = [[1, -1], [1, 1], [-1, 1], [-1, -1], ...(this.board.all_squares ? [[0, -1], [1, 0], [0, 1], [-1, 0]] : [])];
    return ways.map(([dx, dy]) => {
      const found = [];
      for (let step = 1, next; (next = this.at(x + dx * step, y + dy * step)) >= 0; step++) found.push(next);
      return found;
    }).filter((ray) => ray.length);
  }

  /** Squares that touch one by a side or a corner. @param {number} square @returns {number[]} */
  neighbours(square) {
    const { x, y } = this.places[square];
    const around = [[-1, -1], [1, -1], [-1, 1], [1, 1], [0, -1], [0, 1], [-1, 0], [1, 0]];
    return around.map(([dx, dy]) => this.at(x + dx, y + dy)).filter((found) => found >= 0);
  }

  /**
   * The playing square one step of the arrow keys away, or -1 at the edge.
   * On boards played on one colour, going up or down keeps to two files by turns: c3 d4 c5, and back the same way.
   * @param {number} square @param {'ArrowUp'|'ArrowDown'|'ArrowLeft'|'ArrowRight'} key
   */
  step(square, key) {
    const { x, y } = this.places[square];
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const way = key === 'ArrowLeft' ? -1 : 1;
      for (let column = x + way; column >= 0 && column < this.size; column += way) {
        const found = this.at(column, y);
        if (found >= 0) return found;
      }
      return -1;
    }
    const row = key === 'ArrowUp' ? y - 1 : y + 1;
    const lean = this.at(0, y) >= 0 ? 1 : -1;
    for (const column of [x, x + lean, x - lean]) {
      const found = this.at(column, row);
      if (found >= 0) return found;
    }
    return -1;
  }

  /** Playing squares of a drawn row, from the left. @param {number} row */
  row(row) {
    return [...Array(this.size).keys()].map((x) => this.at(x, row)).filter((square) => square >= 0);
  }
}
