import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  clearDrawings, drawingsOf, toggleDrawing,
} from '../../src/damas/server/static/pages/analysis/marks.js';
import { shownComment, Tree } from '../../src/damas/server/static/pages/analysis/tree.js';

/** @import { RulebookView } from '../../src/damas/server/static/lib/messages.js' */

const squares = ['a1', 'c1', 'b2', 'd2'].map((alg, index) => ({ alg, numbers: String(index + 1) }));
const book = /** @type {RulebookView} */ (/** @type {unknown} */ ({ board: { squares } }));

test('drawings are commands of PDN, and the same again is erased', () => {
  const { root } = new Tree('faraes');
  root.commands = '[%clk 0:09:58] [%eval 0.3]';
  toggleDrawing(root, book, { from: 0, to: 2, brush: 'green' });
  toggleDrawing(root, book, { from: 1, to: 1, brush: 'red' });
  assert.equal(root.commands, '[%clk 0:09:58] [%csl Rc1] [%cal Ga1b2] [%eval 0.3]');
  assert.deepEqual(drawingsOf(root, book),
    [{ from: 1, to: 1, brush: 'red' }, { from: 0, to: 2, brush: 'green' }]);
  toggleDrawing(root, book, { from: 0, to: 2, brush: 'blue' });
  assert.deepEqual(drawingsOf(root, book)[1], { from: 0, to: 2, brush: 'blue' });
  toggleDrawing(root, book, { from: 0, to: 2, brush: 'blue' });
  assert.equal(root.commands, '[%clk 0:09:58] [%csl Rc1] [%eval 0.3]');
  clearDrawings(root, book);
  assert.equal(root.commands, '[%clk 0:09:58] [%eval 0.3]');
});

test('numbers of two digits are squares too', () => {
  const { root } = new Tree('portuguesa');
  root.commands = '[%cal Y0104] [%csl B3]';
  assert.deepEqual(drawingsOf(root, book),
    [{ from: 0, to: 3, brush: 'yellow' }, { from: 2, to: 2, brush: 'blue' }]);
});

test('a game is the same after it was a tree, with all that is before its first move', () => {
  const game = {
    rulebook: 'faraes', fen: '', tags: {}, result: '*', comments: ['[%csl Gc1]', 'Olá'],
    moves: [
      { text: 'a', nags: [1], comments: ['um\ndois'], variations: [
        [{ text: 'a', nags: [], comments: ['outra vez'], variations: [], commands: '', before: ['antes'] }],
      ], commands: '', before: [] },
    ],
  };
  const tree = Tree.fromGame(game);
  assert.equal(tree.root.commands, '[%csl Gc1]');
  assert.deepEqual(tree.toGame(), game);
  assert.deepEqual(Tree.fromGame(tree.toGame()).toGame(), game);
});

test('a line is found as far as it goes', () => {
  const tree = new Tree('faraes');
  const [, b] = tree.playAll(tree.root, ['a', 'b']);
  assert.equal(tree.nodeAt(['a', 'b', 'x']), b);
  assert.equal(tree.nodeAt(['y']), tree.root);
});

test('people do not read commands', () => {
  assert.equal(shownComment('[%eval 0.3] bom [%mdl 8]'), 'bom');
});
