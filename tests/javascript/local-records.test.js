import assert from 'node:assert/strict';
import { test } from 'node:test';

import { drawLots } from '../../src/damas/server/static/local/new-game.js';
import { upgraded } from '../../src/damas/server/static/local/old-records.js';
import { Clock } from '../../src/damas/server/static/local/table/clock.js';

/** @import { OldLocalGameRecord } from '../../src/damas/server/static/local/records.js' */

/** @type {OldLocalGameRecord} */
const OLD = {
  id: 'a', rulebook: 'brasileira', level: null, you: 'both', time: '5+3', moves: ['c3-d4', 'f6-g5', 'd4-c5'],
  clocks_ms: [303_000, 301_000, 305_000], started_ms: 50_000, ended: null, result: null, fen: 'B:Wa1:Bh8',
  created_ms: 40_000, updated_ms: 50_000,
};

test('a record of moves becomes one of events that leave the same times', () => {
  const { events, version, preset, created_ms: created } = upgraded(OLD);
  assert.deepEqual([version, preset], [2, 'casual']);
  assert.deepEqual(events.map(({ kind, by, at }) => [kind, by, at]),
    [['moved', 'white', 0], ['moved', 'black', 2000], ['moved', 'white', 3000]]);
  let clock = Clock.start(OLD.time, 'white');
  const left = events.map(({ by, at }) => (clock = clock.press(at)).left[by]);
  assert.deepEqual(left, OLD.clocks_ms);
  assert.equal(created, 47_000); // the clock of Black has run since 50,000
});

test('how an older game ended becomes an event', () => {
  const ended = (/** @type {NonNullable<OldLocalGameRecord['ended']>} */ how) =>
    upgraded({ ...OLD, ended: how }).events.slice(OLD.moves.length).map(({ kind, by, at }) => [kind, by, at]);
  assert.deepEqual(ended({ winner: 'white', reason: 'RESIGNATION' }), [['resigned', 'black', 3000]]);
  assert.deepEqual(ended({ winner: 'white', reason: 'FLAG' }), [['flag', 'black', 304_001]]);
  assert.deepEqual(ended({ winner: null, reason: 'AGREEMENT' }),
    [['offered', 'black', 3000], ['accepted', 'white', 3000]]);
  assert.deepEqual(ended({ winner: null, reason: 'REPETITION', rule: 'threefold' }),
    [['claimed', 'black', 3000]]);
});

test('a lot gives the colour that the arbiter draws', async () => {
  const drawn = await Promise.all([1, 2, 3].map(drawLots)); // as in the docstring of damas.arbiter.draw_lots
  assert.deepEqual(drawn, ['black', 'black', 'white']);
});

test('a record of this version stays as it is', () => {
  const record = upgraded(OLD);
  assert.equal(upgraded(record), record);
});
