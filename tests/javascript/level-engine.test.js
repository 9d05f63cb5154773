import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { setPreferences } from '../../src/damas/server/static/lib/preferences.js';
import { LevelEngine, mayCompute } from '../../src/damas/server/static/pages/game/level-engine.js';

/** @import { GameView, ThinkMessage } from '../../src/damas/server/static/lib/messages.js' */
/** @import { GameSocket } from '../../src/damas/server/static/lib/socket.js' */

/** A worker that the test answers for. */
class FakeWorker extends EventTarget {
  /** @type {FakeWorker[]} */
  static opened = [];
  /** @type {{n: number, ask: string, question: object}[]} */
  asked = [];
  isClosed = false;

  /** @param {string} _address @param {{name: string}} options */
  constructor(_address, { name }) {
    super();
    this.name = name;
    FakeWorker.opened.push(this);
  }

  /** @param {{n: number, ask: string, question: object}} message */
  postMessage(message) {
    this.asked.push(message);
  }

  terminate() {
    this.isClosed = true;
  }

  /** Answers the last question. @param {object} data */
  async answer(data) {
    const { n } = this.asked[this.asked.length - 1];
    this.dispatchEvent(Object.assign(new Event('message'), { data: { n, ...data } }));
    await new Promise((resolve) => { setImmediate(resolve); });
  }
}

Object.defineProperty(globalThis, 'Worker', { value: FakeWorker });
Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2, configurable: true });
mock.method(console, 'warn', () => {});

/** @type {ThinkMessage} */
const TASK = { t: 'think', ply: 1, side: 'black', level: 4, seed: 7, movetime_ms: null, reply_ms: 0,
  rulebook: 'faraes', game: { moves: ['c3-d4'] } };

/** @param {number} ply */
const view = (ply) => /** @type {GameView} */ (/** @type {unknown} */ ({ ply, outcome: null }));

/** An engine at work, its worker, and what it has sent. */
function thinking(task = TASK) {
  /** @type {unknown[][]} */
  const sent = [];
  const socket = /** @type {GameSocket} */ (/** @type {unknown} */ ({
    moveForLevel: (/** @type {unknown[]} */ ...facts) => sent.push(facts),
    setComputing: (/** @type {boolean} */ ready) => sent.push([ready]),
  }));
  const engine = new LevelEngine(socket);
  void engine.think(task);
  return { engine, worker: FakeWorker.opened[FakeWorker.opened.length - 1], sent };
}

test('a move is computed from the question of the server and sent', async () => {
  const { engine, worker, sent } = thinking({ ...TASK, movetime_ms: 2000 });
  const [{ ask, question }] = worker.asked;
  assert.equal(ask, 'choose');
  assert.deepEqual(question,
    { rulebook: 'faraes', game: { moves: ['c3-d4'] }, level: 4, seed: 7, movetime: 2 });
  engine.follow(view(1)); // an offer changes no position
  await worker.answer({ answer: 'f6-g5' });
  assert.equal(sent[0][1], 'f6-g5');
  engine.follow(view(2)); // its own move has come back
  assert.deepEqual([sent.length, worker.isClosed], [1, false]);
});

test('a move for a position that was taken back is not sent, and a long thought is broken off', async () => {
  const quick = thinking();
  quick.engine.follow(view(0));
  await quick.worker.answer({ answer: 'f6-g5' });
  assert.deepEqual([quick.sent, quick.worker.isClosed], [[], false]);
  const long = thinking({ ...TASK, movetime_ms: 5000 });
  long.engine.follow(view(0));
  assert.deepEqual([long.sent, long.worker.isClosed], [[], true]);
});

test('where the server was quicker or the core fails, the server computes from then on', async () => {
  const slow = thinking();
  slow.engine.follow(view(2));
  assert.deepEqual([slow.sent, slow.worker.isClosed], [[[false]], true]);
  const broken = thinking();
  await broken.worker.answer({ error: { message: 'no memory', problems: null, refusal: null } });
  assert.deepEqual(broken.sent, [[false]]);
});

test('threads are for the level that thinks by the clock: the others count positions', () => {
  assert.equal(thinking({ ...TASK, level: 9 }).worker.name, 'single');
  assert.equal(thinking({ ...TASK, level: 10, movetime_ms: 2000 }).worker.name, 'threads');
});

test('a visitor may leave it to the server', () => {
  assert.equal(mayCompute(), true);
  const { worker, sent } = thinking();
  setPreferences({ engine: 'server' });
  assert.equal(mayCompute(), false);
  assert.deepEqual([sent, worker.isClosed], [[[false]], true]);
  setPreferences({ engine: 'device' });
});

test('a visitor may take it back from the server', async () => {
  setPreferences({ engine: 'server' });
  /** @type {boolean[]} */
  const ready = [];
  const socket = /** @type {GameSocket} */ (/** @type {unknown} */ ({
    setComputing: (/** @type {boolean} */ isReady) => ready.push(isReady),
  }));
  mock.timers.enable({ apis: ['setTimeout'] });
  await new LevelEngine(socket).prepare({ rulebook: 'faraes', level: 4 });
  const opened = FakeWorker.opened.length;
  setPreferences({ sound: false });
  setPreferences({ engine: 'device' });
  mock.timers.runAll();
  mock.timers.reset();
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.equal(FakeWorker.opened.length, opened + 1);
  await FakeWorker.opened[opened].answer({ answer: 'c3-d4' });
  assert.deepEqual(ready, [true]);
});
