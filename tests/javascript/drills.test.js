import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { bestScore, Run, withScore } from '../../src/damas/server/static/pages/drills/run.js';
import { Supply } from '../../src/damas/server/static/pages/drills/supply.js';
import {
  CHOICES, countTask, MAX_COUNT, squareTask,
} from '../../src/damas/server/static/pages/drills/tasks.js';
import { mergeProgress } from '../../src/damas/server/static/pages/learning/merging.js';

/** @import { MoveView, PositionView } from '../../src/damas/server/static/lib/messages.js' */

/** Numbers one after the other, then the last of them. @param {...number} numbers */
const randomly = (...numbers) => () => (numbers.length > 1 ? Number(numbers.shift()) : numbers[0]);

test('a point is for a task that is solved at the first attempt', () => {
  const run = new Run('ten', 0);
  run.solve();
  run.miss();
  run.miss();
  run.solve();
  run.solve();
  assert.deepEqual([run.score, run.done], [2, 3]);
});

test('a run ends with its time or with its tenth task', () => {
  const timed = new Run('30', 1000);
  assert.equal(timed.secondsLeft(1000), 30);
  assert.equal(timed.secondsLeft(30_001), 1);
  assert.equal(timed.isOver(30_999), false);
  assert.equal(timed.isOver(31_000), true);
  assert.equal(timed.secondsLeft(99_000), 0);
  assert.equal(new Run('60', 0).isOver(59_999), false);
  const ten = new Run('ten', 0);
  for (let task = 0; task < 10; task += 1) {
    assert.equal(ten.isOver(1e9), false);
    ten.solve();
  }
  assert.equal(ten.isOver(0), true);
});

test('the best score of each drill and length is kept, also that of another device', () => {
  const first = withScore({}, 'find', '30', 7);
  const second = withScore(withScore(first, 'find', '30', 5), 'count', 'ten', 9);
  assert.equal(bestScore(second, 'find', '30'), 7);
  assert.equal(bestScore(second, 'find', '60'), 0);
  assert.equal(bestScore(second, 'count', 'ten'), 9);
  const other = withScore({}, 'find', '30', 12);
  assert.deepEqual(mergeProgress(second, other), { best: { 'find-30': 12, 'count-ten': 9 } });
});

test('a square is never asked twice in turn, and has as many different choices', () => {
  for (let last = -1; last < 32; last += 1) {
    const { square, choices } = squareTask(32, last, Math.random);
    assert.notEqual(square, last);
    assert.equal(new Set(choices).size, CHOICES);
    assert.ok(choices.includes(square) && choices.every((each) => each >= 0 && each < 32));
  }
  assert.ok(squareTask(32, -1, randomly(0.1, 0.2, 0.3)).choices.includes(28), 'square 3 from the other end');
});

/** @param {...number} counts of captured pieces @returns {PositionView} */
function capturing(...counts) {
  /** @type {MoveView[]} */
  const legal = counts.map((count, move) => ({ text: `${move}`, routes: [[move, move + 9]], promotes: false,
    captured: Array.from({ length: count }, (_, index) => index) }));
  return { fen: '', turn: 'white', pieces: {}, legal, must_capture: true };
}

test('the pieces of the largest capture are counted, or the captures', () => {
  const view = capturing(1, 3, 2, 1);
  assert.deepEqual(countTask(view, randomly(0)), { question: 'pieces', answer: 3 });
  assert.deepEqual(countTask(view, randomly(0.9)), { question: 'moves', answer: 4 });
  assert.equal(countTask(capturing(MAX_COUNT + 1), randomly(0)), null);
  view.legal[0].routes.push([0, 5, 9]);
  assert.equal(countTask(view, randomly(0)), null, 'one capture, two ways');
});

test('positions are requested again before there are none', async () => {
  let requests = 0;
  const fetched = mock.method(globalThis, 'fetch', async () => {
    requests += 1;
    return Response.json({ positions: Array.from({ length: 20 }, () => capturing(1)) });
  });
  const supply = new Supply('turca');
  for (let position = 0; position < 16; position += 1) await supply.next();
  assert.equal(requests, 1);
  await supply.next();
  assert.equal(requests, 2);
  for (let position = 0; position < 10; position += 1) await supply.next();
  assert.equal(requests, 2);
  assert.match(String(fetched.mock.calls[0].arguments), /^\/api\/drills\/turca\?seed=\d+/);
});
