import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { api, ApiError, messageOf } from '../../src/damas/server/static/lib/api.js';
import { rulebook } from '../../src/damas/server/static/lib/rulebooks.js';

/** @param {() => Promise<Response>} respond */
function onFetch(respond) {
  return mock.method(globalThis, 'fetch', respond);
}

/** @param {Promise<unknown>} call @returns {Promise<ApiError>} */
async function errorOf(call) {
  const error = await call.then(() => null, (thrown) => thrown);
  assert.ok(error instanceof ApiError);
  return error;
}

test('a response is read as JSON or text', async () => {
  onFetch(async () => Response.json({ a: 1 }));
  assert.deepEqual(await api.get('/api/x'), { a: 1 });
  onFetch(async () => new Response('text', { headers: { 'Content-Type': 'text/plain' } }));
  assert.equal(await api.get('/api/x'), 'text');
});

test('what changes something carries the header that other sites cannot send', async () => {
  const fetched = onFetch(async () => Response.json({}));
  await api.get('/api/x');
  await api.post('/api/x', { n: 1 });
  const [get, post] = fetched.mock.calls.map((call) => /** @type {RequestInit[]} */ (call.arguments)[1]);
  assert.deepEqual(get.headers, { Accept: 'application/json' });
  assert.equal(/** @type {Record<string, string>} */ (post.headers)['X-Damas'], '1');
  assert.equal(post.body, '{"n":1}');
});

const TAKEN = { error: { code: 'NAME_TAKEN', message: 'The name is taken.' } };
/** What the server does, and the status, code and message of the error. */
const ERRORS = /** @type {const} */ ([
  [() => Response.json(TAKEN, { status: 409 }), 409, 'NAME_TAKEN', 'The name is taken.'],
  [() => new Response('<h1>Bad gateway</h1>', { status: 502 }), 0, 'UNREACHABLE', 'no connection'],
  [() => new Response('<h1>Not found</h1>', { status: 404 }), 404, 'HTTP_404', 'no connection'],
  [() => { throw new TypeError('Failed to fetch'); }, 0, 'UNREACHABLE', 'no connection'],
]);

for (const [respond, ...facts] of ERRORS) {
  test(`an error has a code and a sentence for people: ${facts[1]}, ${respond}`, async () => {
    onFetch(async () => respond());
    const { status, code, message } = await errorOf(api.get('/api/x'));
    assert.deepEqual([status, code, message], facts);
  });
}

test('an aborted request is no connection error', async () => {
  const controller = new AbortController();
  controller.abort();
  onFetch(async () => { throw controller.signal.reason; });
  await assert.rejects(api.post('/api/x', {}, { signal: controller.signal }), { name: 'AbortError' });
});

test('a rulebook is requested once, and again after a failure', async () => {
  const failing = onFetch(async () => { throw new TypeError('Failed to fetch'); });
  await errorOf(rulebook('brasileira'));
  assert.equal(failing.mock.callCount(), 1);
  const working = onFetch(async () => Response.json({ id: 'brasileira' }));
  const [first, second] = await Promise.all([rulebook('brasileira'), rulebook('brasileira')]);
  assert.equal(working.mock.callCount(), 1);
  assert.equal(first, second);
});

test('anything that was thrown has a message', () => {
  assert.equal(messageOf(new Error('why')), 'why');
  assert.equal(messageOf('text'), 'text');
});
