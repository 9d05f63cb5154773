import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clockFace, mainTimeMs, timeWords } from '../../src/damas/server/static/lib/times.js';

test('a clock face shows days, hours, minutes, and tenths at the end', () => {
  const faces = {
    0: '0:00.0', 9_449: '0:09.4', 9_999: '0:09.9', 10_000: '0:10', 59_001: '1:00', 750_000: '12:30',
    3_909_000: '1:05:09', 189_000_000: '2 d 04:30',
  };
  for (const [ms, face] of Object.entries(faces)) assert.equal(clockFace(Number(ms)), face, ms);
  assert.equal(clockFace(-5), '0:00.0');
});

test('the main time has a unit, minutes by default', () => {
  assert.equal(mainTimeMs('5+3'), 300_000);
  assert.equal(mainTimeMs('90s'), 90_000);
  assert.equal(mainTimeMs('2h'), 7_200_000);
  assert.equal(mainTimeMs('250ms'), 250);
  assert.equal(mainTimeMs('none'), null);
});

test('common time controls are put in words, others shown as they are', () => {
  assert.equal(timeWords('none'), 'no clock');
  assert.equal(timeWords('5+3'), '5 min + 3 s');
  assert.equal(timeWords('10s/move'), '10 s a move');
  assert.equal(timeWords('180s/move'), '3 min a move');
  assert.equal(timeWords('1d'), '1 day');
  assert.equal(timeWords('3d'), '3 days');
  assert.equal(timeWords('10m'), '10 min');
  assert.equal(timeWords('40/90+30'), '40/90+30');
});
