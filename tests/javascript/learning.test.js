import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { ApiError } from '../../src/damas/server/static/lib/api.js';
import { untilAnswered } from '../../src/damas/server/static/lib/connection.js';
import { readersCourse, rememberCourse } from '../../src/damas/server/static/pages/learning/course.js';
import {
  getProgress, setProgress, syncProgress,
} from '../../src/damas/server/static/pages/learning/progress.js';
import { findPuzzles, getPuzzle } from '../../src/damas/server/static/pages/learning/puzzle-store.js';

const PUZZLES = [
  { id: 'p1', rating: 800, motifs: ['two'] },
  { id: 'p2', rating: 1200, motifs: ['two', 'king'] },
  { id: 'p3', rating: 1000, motifs: ['ending'] },
];
const SAMPLE = { rulebook: 'faraes', total: 2500, motifs: { two: 300 }, puzzles: PUZZLES };

/** Responds by path; a path without an answer cannot be reached. @param {Record<string, unknown>} answers */
function serve(answers) {
  return mock.method(globalThis, 'fetch', async (/** @type {string} */ path) => {
    if (!(path in answers)) throw new TypeError('Failed to fetch');
    const answer = answers[path];
    return answer instanceof Response ? answer : Response.json(answer);
  });
}

/** What was sent to the server. @param {ReturnType<typeof serve>} fetched */
const sentBodies = (fetched) => fetched.mock.calls
  .map((call) => /** @type {RequestInit} */ (/** @type {unknown[]} */ (call.arguments)[1]).body)
  .filter(Boolean).map((body) => JSON.parse(String(body)));

test('progress is stored in the browser and sent to the server', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 7 });
  const fetched = serve({ '/api/progress': {} });
  setProgress('lesson.first', { done: [0] });
  setProgress('lesson.first', { done: [0, 1] });
  const first = { done: [0, 1], updated_ms: 7 };
  assert.deepEqual(getProgress('lesson.first', null), first);
  assert.deepEqual(JSON.parse(localStorage.getItem('damas.progress') ?? ''), { 'lesson.first': first });
  mock.timers.tick(400);
  await Promise.resolve();
  assert.deepEqual(sentBodies(fetched), [{ progress: { 'lesson.first': first }, account: '' }]);
  mock.timers.reset();
});

test('both have all progress when a page opens, and a lost connection is no error', async () => {
  const theirs = { 'lesson.first': { done: [5] }, 'lesson.second': { done: [0] } };
  const fetched = serve({ '/api/progress': { progress: theirs } });
  assert.equal(await (await syncProgress())?.sent, true);
  assert.deepEqual(getProgress('lesson.first', null), { done: [5, 0, 1], updated_ms: 7 });
  assert.deepEqual(getProgress('lesson.second', null), { done: [0] });
  assert.deepEqual(sentBodies(fetched).map(({ progress }) => Object.keys(progress)), [['lesson.first']]);
  assert.equal(localStorage.getItem('damas.unsent'), null);
  serve({});
  assert.equal(await syncProgress(), null);
});

test('what one lesson\'s refusal would take along is sent by itself', async () => {
  setProgress('lesson.gone', { done: [0] });
  /** @type {string[][]} */
  const taken = [];
  mock.method(globalThis, 'fetch', async (/** @type {string} */ _, /** @type {RequestInit} */ { body }) => {
    if (!body) return Response.json({ progress: {} });
    const keys = Object.keys(JSON.parse(String(body)).progress);
    if (keys.includes('lesson.gone')) {
      return Response.json({ error: { code: 'NOT_FOUND', message: 'none' } }, { status: 404 });
    }
    taken.push(keys);
    return Response.json({ ok: true });
  });
  assert.equal(await (await syncProgress())?.sent, true);
  assert.deepEqual(taken.flat().sort(), ['lesson.first', 'lesson.second']);
});

test('without a connection puzzles come from the cached sample, chosen as the server does', async () => {
  const fetched = serve({ '/api/puzzles/faraes/sample': SAMPLE });
  const ids = async (/** @type {object} */ criteria) =>
    (await findPuzzles('faraes', criteria)).puzzles.map(({ id }) => id);
  assert.deepEqual(await ids({}), ['p1', 'p3', 'p2']);
  assert.deepEqual(await ids({ motif: 'two', near: 1300 }), ['p2', 'p1']);
  assert.deepEqual(await ids({ min: 900, max: 1100 }), ['p3']);
  assert.deepEqual(await ids({ page: 1 }), []);
  assert.equal((await findPuzzles('faraes', { motif: 'king' })).matching, 1);
  assert.equal((await findPuzzles('faraes', {})).total, 2500);
  assert.deepEqual(await getPuzzle('faraes', 'p2'), PUZZLES[1]);
  const requested = fetched.mock.calls.map(({ arguments: [path] }) => String(path));
  assert.equal(requested.filter((path) => path.endsWith('/sample')).length, 1);
  assert.equal(requested[2], '/api/puzzles/faraes?motif=two&near=1300');
});

test('a puzzle that is in no sample is an error', async () => {
  serve({ '/api/puzzles/faraes/sample': SAMPLE });
  await assert.rejects(getPuzzle('faraes', 'p9'), { code: 'UNREACHABLE' });
});

test('an answer of the server is not replaced by a cached one', async () => {
  serve({
    '/api/puzzles/oficial/p1': Response.json({ error: { code: 'NO_PUZZLE', message: 'none' } },
      { status: 404 }),
    '/api/puzzles/oficial/sample': SAMPLE,
  });
  await assert.rejects(getPuzzle('oficial', 'p1'), { status: 404, code: 'NO_PUZZLE' });
});

const LOST = new ApiError(0, { code: 'UNREACHABLE', message: 'no answer' });

test('an action is repeated until the server answers, and both ends of a silence are reported', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const action = mock.fn(async () => {
    if (action.mock.callCount() < 2) throw LOST;
    return 'answer';
  });
  /** @type {boolean[]} */
  const reports = [];
  const answered = untilAnswered(action, { onLost: (isLost) => reports.push(isLost) });
  for (let tries = 0; tries < 2; tries += 1) {
    await new Promise((resolve) => { setImmediate(resolve); });
    mock.timers.tick(3000);
  }
  assert.equal(await answered, 'answer');
  assert.deepEqual(reports, [true, true, false]);
  mock.timers.reset();
});

test('what is no longer wanted is not repeated, and another error is thrown at once', async () => {
  const lost = mock.fn(async () => { throw LOST; });
  assert.equal(await untilAnswered(lost, { onLost: () => {}, isWanted: () => false }), null);
  assert.equal(lost.mock.callCount(), 1);
  const refused = async () => { throw new ApiError(404, { code: 'NOT_FOUND', message: '' }); };
  await assert.rejects(untilAnswered(refused, { onLost: () => {} }), { code: 'NOT_FOUND' });
});

test('the course is the last one opened, or else that of a class or of the rules played', () => {
  const courses = [{ id: 'brasileira', preset: '' }, { id: 'faraes', preset: 'school' },
    { id: 'portuguesa', preset: '' }];
  const played = (/** @type {object} */ play) => {
    localStorage.setItem('damas.play', JSON.stringify(play));
    return readersCourse(courses);
  };
  localStorage.removeItem('damas.course');
  localStorage.removeItem('damas.play');
  assert.equal(readersCourse(courses), '');
  assert.equal(played({ rulebook: 'portuguesa-fpd', preset: 'casual' }), 'portuguesa');
  assert.equal(played({ rulebook: 'turca', preset: 'casual' }), '');
  assert.equal(played({ rulebook: 'portuguesa', preset: 'school' }), 'faraes');
  rememberCourse('brasileira');
  assert.equal(readersCourse(courses), 'brasileira');
});
