import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fill } from '../../src/damas/server/static/lib/fill.js';
import { has, t, useWordsOf } from '../../src/damas/server/static/lib/words.js';

test('a sentence is found by its whole key or by the parts of it', () => {
  assert.equal(t('board.flat'), 'found by its whole key');
  assert.equal(t('frame.unreachable'), 'no connection');
  assert.equal(has('frame.unreachable'), true);
});

test('a missing sentence shows its key, and a section is no sentence', () => {
  assert.equal(t('frame.nowhere'), 'frame.nowhere');
  assert.equal(has('frame'), false);
  assert.equal(t('frame'), 'frame');
});

test('facts are filled in, with the word for one or many', () => {
  assert.equal(fill('{n} {n:piece|pieces} for {side}', { n: 1, side: 'White' }), '1 piece for White');
  assert.equal(fill('{n} {n:piece|pieces}', { n: 2 }), '2 pieces');
  assert.equal(fill('{n:no|several}', { n: '1' }), 'no');
  assert.equal(fill('{missing}', {}), '{missing}');
});

test('a rulebook speaks in the words of its text, where it has its own', () => {
  useWordsOf('concurso');
  assert.equal(t('board.flat'), 'in the words of its text');
  assert.equal(t('frame.unreachable'), 'no connection');
  useWordsOf('brasileira');
  assert.equal(t('board.flat'), 'found by its whole key');
});
