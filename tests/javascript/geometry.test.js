import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FRAME_WIDTH, Geometry, SQUARE_SIZE } from '../../src/damas/server/static/board/geometry.js';
import { nearestInLine } from '../../src/damas/server/static/board/keyboard.js';
import { distinctJump } from '../../src/damas/server/static/board/overlay.js';
import { at, BOARD, OTHER_BOARDS } from './boards.js';

const white = new Geometry(BOARD, 'white'), black = new Geometry(BOARD, 'black');

test('White sees a1 at the bottom left, Black at the top right', () => {
  assert.deepEqual(white.cells[at('a1')], { x: 0, y: 3 });
  assert.deepEqual(black.cells[at('a1')], { x: 3, y: 0 });
  assert.deepEqual(white.corner(at('a1')), { x: FRAME_WIDTH, y: FRAME_WIDTH + 3 * SQUARE_SIZE });
});

const ALL = [BOARD, ...OTHER_BOARDS].flatMap((board) =>
  /** @type {const} */ (['white', 'black']).map((side) => new Geometry(board, side)));

test('every cell leads back to its square, and Black sees the board turned', () => {
  for (const geometry of ALL) {
    const turned = ALL.find(({ board }) => board === geometry.board);
    geometry.cells.forEach(({ x, y }, square) => {
      assert.equal(geometry.squareAt(x, y), square);
      const { row, column } = geometry.board.squares[square], last = geometry.size - 1;
      assert.deepEqual(geometry === turned ? [x, last - y] : [last - x, y], [column, row]);
    });
  }
  assert.equal(white.squareAt(1, 3), -1);
  assert.equal(white.squareAt(-1, 0), -1);
});

test('pieces are moved off the centre where numbers are printed in the squares', () => {
  const geometry = new Geometry(BOARD, 'white');
  const { x, y } = geometry.centre(at('b2'));
  geometry.pieceOffset = 5;
  assert.deepEqual(geometry.centre(at('b2')), { x: x + 5, y: y + 5 });
});

test('squares between two ends of a diagonal', () => {
  assert.deepEqual(white.between(at('a1'), at('d4')), [at('b2'), at('c3')]);
  assert.deepEqual(black.between(at('d4'), at('a1')), [at('c3'), at('b2')]);
  assert.deepEqual(white.between(at('a1'), at('b4')), []);
});

test('rays run to the edge, along ranks and files only where all squares are played on', () => {
  assert.deepEqual(white.rays(at('a1')), [[at('b2'), at('c3'), at('d4')]]);
  const whole = new Geometry({ ...BOARD, all_squares: true }, 'white');
  assert.equal(whole.rays(at('a1')).length, 1); // the neighbours on rank and file are not on this board
});

test('neighbours share a corner or a side', () => {
  assert.deepEqual(new Set(white.neighbours(at('b2'))), new Set(['a1', 'c1', 'a3', 'c3'].map(at)));
});

test('an arrow key and its opposite lead back', () => {
  const opposites = { ArrowUp: 'ArrowDown', ArrowDown: 'ArrowUp', ArrowLeft: 'ArrowRight' };
  for (const geometry of ALL) {
    for (const [key, back] of Object.entries(opposites)) {
      geometry.cells.forEach((_, square) => {
        const next = geometry.step(square, key);
        if (next >= 0) assert.equal(geometry.step(next, back), square, `${geometry.size}: ${square} ${key}`);
      });
    }
  }
  assert.equal(white.step(at('a1'), 'ArrowUp'), at('b2'));
  assert.equal(white.step(at('a1'), 'ArrowRight'), at('c1'));
  assert.equal(white.step(at('a1'), 'ArrowDown'), -1);
});

test('rows go from left to right', () => {
  assert.deepEqual(white.row(3), [at('a1'), at('c1')]);
  assert.deepEqual(black.row(3), [at('d4'), at('b4')]);
});

test('a digit goes to the nearest square of its rank, with Shift of its file', () => {
  assert.equal(nearestInLine(BOARD.squares, at('d2'), 'row', 2), at('c3'));
  assert.equal(nearestInLine(BOARD.squares, at('a1'), 'column', 3), at('d2'));
  assert.equal(nearestInLine(BOARD.squares, at('a1'), 'row', 8), -1);
});

test('a route is labelled on the first jump that the others do not make', () => {
  assert.equal(distinctJump([0, 5, 3], [[0, 5, 1]]), 1);
  assert.equal(distinctJump([0, 4, 7], [[0, 5, 7]]), 1);
  assert.equal(distinctJump([0, 4, 5, 7], [[0, 5, 4, 7]]), 0);
});
