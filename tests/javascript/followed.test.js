import assert from 'node:assert/strict';
import { test } from 'node:test';

import './setup.js';

const { followBoard, followedBoards, forgetBoard, linksIn, renumberBoard } =
  await import('../../src/damas/server/static/pages/arbiter/followed.js');

test('arbiter’s links are found in any text, each game once', () => {
  const text = 'Mesa 1: http://x/game/aB3-#arbiter=k_1-\n(mesa 2) https://y/game/C4#arbiter=k2, '
    + '/game/C4#arbiter=k2';
  assert.deepEqual(linksIn(text), [{ id: 'aB3-', key: 'k_1-' }, { id: 'C4', key: 'k2' }]);
  assert.deepEqual(linksIn('/game/C4 #arbiter=k'), []);
});

test('tables are numbered in the order in which they came, and keep their numbers', () => {
  const numbers = () => followedBoards().map(({ id, number }) => `${id} ${number}`);
  for (const id of ['a', 'b', 'c']) assert.ok(followBoard(id, 'k'));
  assert.deepEqual(numbers(), ['a 1', 'b 2', 'c 3']);
  forgetBoard('a');
  assert.ok(followBoard('b', 'another key'));
  assert.ok(followBoard('rematch', 'k', 'c'));
  assert.ok(followBoard('d', 'k'));
  assert.deepEqual(numbers(), ['c 3', 'b 2', 'rematch 3', 'd 4']);
  renumberBoard('d', 1);
  assert.ok(!followBoard('d', 'k'));
  assert.deepEqual(numbers().at(-1), 'd 1');
});
