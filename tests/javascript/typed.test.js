import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  pathsThrough, readSquares, startsLegalMove, writtenSquares,
} from '../../src/damas/server/static/board/typed.js';
import { at, BOARD, BOOK, move } from './boards.js';

const LEGAL = [move('a1xc3xa3', ['a1 c3 a3'], ['b2', 'b4']), move('c1-d2', ['c1 d2'])];

test('squares are read with any separator or none', () => {
  for (const text of ['a1c3', 'a1-c3', 'a1xc3', 'a1:c3', 'A1 × C3', ' a1 – c3 ']) {
    assert.deepEqual(readSquares(BOOK, text), { squares: [at('a1'), at('c3')], scheme: 'alg' }, text);
  }
});

test('numbers, and rows with columns, are read too', () => {
  assert.deepEqual(readSquares(BOOK, '7-4'), { squares: [at('a1'), at('c3')], scheme: 'numbers' });
  assert.deepEqual(readSquares(BOOK, '0,0 2, 2'), { squares: [at('a1'), at('c3')], scheme: 'rc' });
});

test('the notation of the rulebook is tried first', () => {
  const numbered = { ...BOOK, board: { ...BOARD, scheme: /** @type {const} */ ('numbers') } };
  assert.equal(readSquares(numbered, '7-4')?.scheme, 'numbers');
});

test('squares are written as the rulebook writes a capture or a quiet move', () => {
  assert.equal(writtenSquares(BOOK, [at('a1'), at('a3')], LEGAL[0]), 'a1xa3');
  assert.equal(writtenSquares(BOOK, [at('c1'), at('d2')], LEGAL[1]), 'c1-d2');
  const inRows = { ...BOOK, board: { ...BOARD, scheme: /** @type {const} */ ('rc') } };
  assert.equal(writtenSquares(inRows, [at('a1'), at('a3')], LEGAL[0]), '0,0 2,0');
});

test('what names no two squares of the board is no move', () => {
  for (const text of ['', 'a1', 'a1 b1', '9-10', 'resign', 'a1-c3!']) assert.equal(readSquares(BOOK, text),
    null, text);
});

test('a move may be typed by its ends, or with squares on its way', () => {
  assert.equal(pathsThrough(LEGAL, [at('a1'), at('a3')]).length, 1);
  assert.equal(pathsThrough(LEGAL, [at('a1'), at('c3'), at('a3')]).length, 1);
  assert.equal(pathsThrough(LEGAL, [at('a1'), at('b2'), at('a3')]).length, 0);
  assert.equal(pathsThrough(LEGAL, [at('a1'), at('c3')]).length, 0);
});

test('a text is possible while some legal move starts like it', () => {
  for (const text of ['', 'a', 'a1', 'a1x', 'a1xc', 'a1xc3xa3', 'a1xa3', '8', '8-6', '0,2']) {
    assert.equal(startsLegalMove(BOOK, LEGAL, text), true, text);
  }
  for (const text of ['b', 'a1xb', 'c1-d2-', 'c1-d4', '6']) {
    assert.equal(startsLegalMove(BOOK, LEGAL, text), text === 'c1-d2-',
      text); // a separator at the end is harmless
  }
});
