import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { countOf, mergeProgress, oneMore } from '../../src/damas/server/static/pages/learning/merging.js';

/** The server merges the same cases. @type {{old: unknown, new: unknown, both: unknown}[]} */
const CASES = JSON.parse(readFileSync(new URL('../server/progress_cases.json', import.meta.url), 'utf8'));

test('nothing that was done on either side is lost, as on the server', () => {
  for (const { old, new: ours, both } of CASES) {
    const merged = mergeProgress(ours, old);
    assert.deepEqual(merged, both);
    assert.deepEqual(mergeProgress(ours, merged), merged, 'the same again changes nothing');
  }
  assert.deepEqual(mergeProgress(undefined, { done: [1] }), { done: [1] });
});

test('the counts of several devices add up', () => {
  const here = oneMore(oneMore({ done: 3 }));
  localStorage.setItem('damas.device', '"another"');
  const there = oneMore({ done: 3 });
  assert.equal(countOf(here), 5);
  assert.equal(countOf(there), 4);
  assert.equal(countOf(/** @type {object} */ (mergeProgress(here, there))), 6);
});
