import assert from 'node:assert/strict';
import { test } from 'node:test';

import { countPieces } from '../../src/damas/server/static/board/spoken.js';

test('men and kings of each side are counted apart', () => {
  const pieces = { 0: 'w', 1: 'w', 5: 'W', 9: 'b', 12: 'B', 13: 'B' };
  assert.deepEqual(countPieces(pieces, 'white'), { men: 2, kings: 1 });
  assert.deepEqual(countPieces(pieces, 'black'), { men: 1, kings: 2 });
  assert.deepEqual(countPieces({}, 'white'), { men: 0, kings: 0 });
});
