import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CoreError, loadCore } from '../../src/damas/server/static/core/core.js';

const core = await loadCore();
const book = core.rulebook('brasileira');

/** @param {() => unknown} ask @returns {CoreError} */
function refused(ask) {
  try {
    ask();
  } catch (error) {
    assert.ok(error instanceof CoreError);
    return error;
  }
  throw new Error('it was accepted');
}

test('a text of strangers comes back as it was', () => {
  for (const text of ['"\\\u0000\u001f\u2028', '</script>', 'é🙂', '\ufffd', '?'.repeat(200_000)])
    assert.equal(refused(() => book.game().play(text)).problems[0].token, text);
  assert.equal(refused(() => book.position('"}\\')).refusal, null);
});

test('a line break starts no further move, claim or position', () => {
  assert.equal(refused(() => book.game({ moves: ['c3-d4\nf6-e5'] })).code, 'SEVERAL_MOVES');
  assert.ok(refused(() => book.game({ fen: 'W:Wc3:Bf6\n\nc3-d4' })).problems.length);
  assert.equal(book.game({ calls: [[0, 'x\nc3-d4']] }).ply, 0);
});

test('a game goes back only as far as it has gone', () => {
  const game = book.game({ moves: ['c3-d4', 'f6-e5'] });
  assert.equal(game.takeBack(2).ply, 0);
  for (const plies of [3, -1, NaN]) assert.throws(() => game.takeBack(plies), RangeError);
});

test('attention is called to a draw rule of the rulebook', () => {
  assert.ok(book.drawRules.includes('twenty-king-moves'));
  assert.throws(() => book.game().callAttention('none'), RangeError);
});

test('numbers out of range are refused or bounded', () => {
  assert.throws(() => book.perft('', -1), RangeError);
  for (const hashMb of [0, NaN, 4096]) assert.throws(() => book.engine({ hashMb }), RangeError);
  const engine = book.engine({ hashMb: 1 });
  for (const nodes of [Infinity, -1, NaN])
    assert.equal(engine.search(book.game(), { nodes, depth: 3, lines: -4 }).lines.length, 1);
  engine.free();
});

test('an engine that was freed, or of another rulebook, is refused', () => {
  const engine = book.engine({ hashMb: 1 });
  assert.throws(() => engine.search(core.rulebook('russa').game(), { depth: 1 }), TypeError);
  engine.free();
  engine.free();
  assert.throws(() => engine.search(book.game(), { depth: 1 }), /freed/);
  assert.throws(() => engine.forget(), /freed/);
});

test('bytes that are no network are refused', () => {
  assert.throws(() => book.engine({ hashMb: 1, network: new Uint8Array(100) }), /magic/);
});

test('an error in a callback leaves the engine usable', () => {
  const engine = book.engine({ hashMb: 1 });
  const onInfo = () => {
    throw new Error('stop');
  };
  assert.throws(() => engine.search(book.game(), { depth: 5 }, { onInfo }), /stop/);
  assert.equal(engine.search(book.game(), { depth: 5 }).depth, 5);
  engine.free();
});

test('an analysis without limits of nodes and time goes on to its depth', async () => {
  const engine = book.engine({ hashMb: 1 });
  assert.equal((await engine.analyse(book.game(), { depth: 12, nodes: 0, movetime: 0 })).depth, 12);
  engine.free();
});
