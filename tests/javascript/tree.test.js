import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadStoredTree, storeTree } from '../../src/damas/server/static/pages/analysis/address.js';
import { state } from '../../src/damas/server/static/pages/analysis/state.js';
import { Tree } from '../../src/damas/server/static/pages/analysis/tree.js';

function sampleTree() {
  const tree = new Tree('faraes');
  const [a, b, c] = tree.playAll(tree.root, ['a', 'b', 'c']);
  const [x, y] = tree.playAll(a, ['x', 'y']);
  return { tree, a, b, c, x, y };
}

test('a move that is there already gets no second node', () => {
  const { tree, a } = sampleTree();
  assert.equal(tree.play(tree.root, 'a'), a);
  assert.equal(tree.root.children.length, 1);
});

test('the comment before the first move may begin with marks', () => {
  const comments = ['[%csl Rc3] [%cal Gc3d4] Olá\na [%x]', 'E mais'];
  const { root } = Tree.fromGame({ rulebook: 'faraes', comments, tags: {}, moves: [] });
  assert.equal(root.commands, '[%csl Rc3] [%cal Gc3d4]');
  assert.deepEqual(root.comments, ['Olá\na [%x]', 'E mais']);
});

test('lines, moves and plies', () => {
  const { tree, c, y, x } = sampleTree();
  assert.deepEqual(tree.movesTo(y), ['a', 'x', 'y']);
  assert.deepEqual(tree.mainLine().map((node) => node.text), ['', 'a', 'b', 'c']);
  assert.equal(tree.endOfLine(x), y);
  assert.equal(c.ply, 3);
  assert.equal(tree.isOnMainLine(x), false);
  assert.equal(tree.mainLinePly(y), 1);
  assert.equal(tree.mainLinePly(c), 3);
});

test('a variation leads back to where it branched off', () => {
  const { tree, a, y, c } = sampleTree();
  assert.equal(tree.branchPoint(y), a);
  assert.equal(tree.branchPoint(c), tree.root);
});

test('siblings go round in a ring', () => {
  const { tree, b, x } = sampleTree();
  assert.equal(tree.sibling(b, 1), x);
  assert.equal(tree.sibling(x, 1), b);
  assert.equal(tree.sibling(b, -1), x);
  assert.equal(tree.sibling(tree.root, 1), tree.root);
});

test('promoting a variation makes it the main line', () => {
  const { tree, y, b } = sampleTree();
  tree.promote(y);
  assert.deepEqual(tree.mainLine().map((node) => node.text), ['', 'a', 'x', 'y']);
  assert.equal(tree.isOnMainLine(b), false);
});

test('a removed node is no longer part of the tree', () => {
  const { tree, a, b, c } = sampleTree();
  assert.equal(tree.remove(b), a);
  assert.equal(tree.contains(c), false);
  assert.equal(tree.contains(a), true);
  assert.equal(tree.remove(tree.root), tree.root);
});

test('a game survives writing and reading, with variations, comments and signs', () => {
  const { tree, b, x } = sampleTree();
  tree.tags = { White: 'Ana', Black: 'Rui' };
  tree.root.comments = ['start'];
  b.nags = [4];
  x.comments = ['better'];
  Object.assign(x, { commands: '[%clk 0:01:00] [%csl Gc3]', before: ['or'] });
  const game = tree.toGame();
  assert.deepEqual(Tree.fromGame(game).toGame(), game);
  const [variation] = game.moves[1].variations ?? [];
  assert.deepEqual(variation.map(({ text, before }) => [text, before]), [['x', ['or']], ['y', []]]);
  assert.equal(variation[0].commands, '[%clk 0:01:00] [%csl Gc3]');
  assert.equal(Tree.fromGame({ ...game, fen: 'W:Wa1:Bh8', standard: true }).fen, '');
});

test('players are named where somebody is known', () => {
  const tree = new Tree('faraes');
  assert.equal(tree.players, '');
  tree.tags = { White: 'Ana' };
  assert.equal(tree.players, 'Ana – ?');
  tree.playerNames = ['Level 3', 'Rui'];
  assert.equal(tree.players, 'Level 3 – Rui');
});

test('the stored tree of this tab is found again; something else in its place is ignored', () => {
  const { tree, y } = sampleTree();
  Object.assign(state, { tree, node: y });
  storeTree();
  const stored = loadStoredTree();
  assert.deepEqual(stored?.tree.toGame(), tree.toGame());
  assert.deepEqual(stored?.tree.movesTo(stored.node), ['a', 'x', 'y']);
  const game = tree.toGame();
  const store = (/** @type {object} */ value) =>
    sessionStorage.setItem('damas.analysis.tree', JSON.stringify(value));
  const [move] = game.moves;
  const broken = [null, {}, 'lixo', { ...game, rulebook: '' }, { ...game, rulebook: 5 }, { ...game, fen: 5 },
    { ...game, tags: { White: 5 } }, { ...game, result: 5 }, { ...game, comments: 5 }, { ...game, moves: {} },
    ...[5, null, {}, { text: '' }, { ...move, nags: 5 }, { ...move, nags: ['!'] }, { ...move, comments: [5] },
      { ...move, variations: [5] }, { ...move, variations: [[5]] }, { ...move, commands: 5 },
      { ...move, before: 'or' }]
      .map((each) => ({ ...game, moves: [each] }))];
  for (const value of [{}, { moves: [] }, { tree: game }, { tree: game, moves: 3 },
    { tree: game, moves: [5] }, ...broken.map((each) => ({ tree: each, moves: [] }))]) {
    store({ address: location.search, ...value });
    assert.equal(loadStoredTree(), null, JSON.stringify(value));
    assert.equal(sessionStorage.getItem('damas.analysis.tree'), null, 'it is forgotten');
  }
  store({ address: '?another', tree: null });
  assert.equal(loadStoredTree(), null);
  assert.notEqual(sessionStorage.getItem('damas.analysis.tree'), null, 'another address keeps its own');
});
