import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { api, ApiError, QUERIES } from '../../src/damas/server/static/lib/api.js';
import { PATIENCE } from '../../src/damas/server/static/lib/silence.js';
import { ANALYSIS } from '../../src/damas/server/static/local/answers/analysis.js';
import { ENDINGS } from '../../src/damas/server/static/local/answers/endings.js';
import { LEARNING } from '../../src/damas/server/static/local/answers/learning.js';
import { LENS } from '../../src/damas/server/static/local/answers/lens.js';
import { RULES } from '../../src/damas/server/static/local/answers/rules.js';

/** @type {string[]} */
let sent = [];
/** Whether requests are answered at all, and whether `/api/slow` alone is not. */
let isReached = true, isSlow = false;

Object.assign(PATIENCE, { slow: 1, probe: 1, silent: 1, late: 1 });
mock.method(globalThis, 'fetch', async (
  /** @type {string} */ path, /** @type {RequestInit} */ { signal }) => {
  sent.push(path);
  if (isReached && !(isSlow && path === '/api/slow')) return Response.json({ path });
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
});

beforeEach(async () => {
  isReached = true;
  isSlow = false;
  await api.get('/api/x'); // whatever was before, the network is heard of
  sent = [];
});

/** @param {Promise<unknown>} call */
async function isLost(call) {
  const error = await call.then(() => null, (thrown) => thrown);
  return error instanceof ApiError && error.code === 'UNREACHABLE';
}

test('a question that is not answered is given up, and so are those after it', async () => {
  isReached = false;
  assert.ok(await isLost(api.get('/api/x')));
  assert.ok(await isLost(api.post('/api/explain')));
  isReached = true;
  assert.deepEqual(await api.get('/api/y'), { path: '/api/y' });
});

test('a slow answer is waited for while the server answers others', async () => {
  isSlow = true;
  const slow = api.get('/api/slow');
  const first = await Promise.race([slow, new Promise((resolve) => {
    const look = () => (sent.includes('/healthz') ? resolve('asked') : setImmediate(look));
    look();
  })]);
  assert.equal(first, 'asked');
  const other = await Promise.race([slow, api.get('/api/x')]);
  assert.deepEqual(other, { path: '/api/x' });
});

test('what stores something is not sent while the network is silent, and is never given up', async () => {
  isReached = false;
  const begun = api.post('/api/games');
  assert.ok(await isLost(api.get('/api/x')));
  assert.ok(await isLost(api.post('/api/games')));
  assert.deepEqual(sent.filter((path) => path === '/api/games'), ['/api/games']);
  assert.equal(await Promise.race([begun, Promise.resolve('waits')]), 'waits');
  isReached = true;
  assert.deepEqual(await api.post('/api/games'), { path: '/api/games' });
});

test('what the browser answers by itself stores nothing on the server', () => {
  const handlers = { ...ANALYSIS, ...ENDINGS, ...LEARNING, ...LENS, ...RULES };
  const posts = Object.keys(handlers).filter((pattern) => pattern.startsWith('POST '));
  assert.ok(posts.length > 5);
  for (const pattern of posts) assert.ok(QUERIES.has(pattern.slice('POST '.length)), pattern);
});
