import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  keyOf, readOptions, roundTime, slidesOf, stepFrom,
} from '../../src/damas/server/static/pages/tv/slides.js';

/** @import { TournamentView } from '../../src/damas/server/static/pages/tournament/messages.js' */
/** @import { HallScreenView } from '../../src/damas/server/static/pages/tv/messages.js' */

const OPTIONS = readOptions('');

/** @param {number} boards @param {number} scored @param {Partial<TournamentView>} [more] */
function tournament(boards, scored, more = {}) {
  const pairs = Array.from({ length: boards }, (_, place) => ({
    board: place + 1, first: `Ana ${place}`, second: `Zé ${place}`, games: '', reports: [], app_games: [],
    match_boards: [],
    result: place < scored ? '2-0' : '',
  }));
  const round = { round: 1, published: true, complete: scored === boards, boards: pairs, resting: [],
    edition: '', ballot: '', warnings: [], announced: false, named: [] };
  const draft = { ...round, round: 2, published: false, boards: [] };
  const rows = Array.from({ length: 2 * boards }, (_, place) => ({ rank: place + 1, name: `${place}` }));
  const view = { played: [round, draft], table: { rows }, over: false, round: 1, boards: [], ...more };
  return /** @type {TournamentView} */ (/** @type {unknown} */ (view));
}

const SCREEN = /** @type {HallScreenView} */ ({
  version: '', server_ms: 100_000, round: 1, published_ms: 40_000, limit_ms: 600_000, boards: [],
});
/** @param {TournamentView} view @param {Partial<HallScreenView>} [more] @param {string} [search] */
const keys = (view, more = {}, search = '') =>
  slidesOf(view, { ...SCREEN, ...more }, readOptions(search)).map(keyOf);

test('what is shown follows the round', () => {
  assert.deepEqual(keys(tournament(4, 0, { played: [] })), ['waiting-1']);
  assert.deepEqual(keys(tournament(4, 0)), ['pairings-1', 'names-1', 'timer-1']);
  assert.deepEqual(keys(tournament(4, 1)), ['results-1', 'timer-1']);
  assert.deepEqual(keys(tournament(4, 4)), ['results-1', 'table-1']);
  assert.deepEqual(keys(tournament(4, 4, { over: true })), ['table-1', 'results-1']);
  const boards = [{ board: '2', first: 'a', second: 'b', move: 9, counts: [] }];
  assert.deepEqual(keys(tournament(4, 1), { boards }), ['results-1', 'timer-1']);
  const count = /** @type {any} any: two of many fields */ ({ have: 0, need: 13 });
  const counted = [{ ...boards[0], counts: [count] }];
  assert.deepEqual(keys(tournament(4, 1), { boards: counted }), ['results-1', 'timer-1', 'claims-1']);
});

test('lists are cut into parts of equal length', () => {
  const slides = slidesOf(tournament(31, 0), SCREEN, OPTIONS);
  assert.deepEqual(slides.filter(({ kind }) => kind === 'pairings').map(({ rows }) => rows.length),
    [8, 8, 8, 7]);
  const names = slides.filter(({ kind }) => kind === 'names');
  assert.deepEqual(names.map(({ rows }) => rows.length), [16, 16, 16, 14]);
  assert.deepEqual(names.map(({ part, parts }) => `${part}/${parts}`), ['1/4', '2/4', '3/4', '4/4']);
});

test('the matches of a league stay together with their boards', () => {
  const view = tournament(5, 0, { boards: ['open', 'open', 'open'] });
  for (const [place, match] of view.played[0].boards.entries()) {
    match.match_boards = [1, 2, 3].map((board) => ({ board, first: `A${place}${board}`, white: '', games: '',
      second: board === 3 ? '' : `B${place}${board}`, result: board === 3 ? '+ -' : '', reports: [],
      app_games: [] }));
  }
  const slides = slidesOf(view, SCREEN, OPTIONS);
  const pairings = slides.filter(({ kind }) => kind === 'pairings');
  assert.deepEqual(pairings.map(({ rows }) => rows.length), [8, 8, 4]);
  assert.ok(pairings.every(({ rows }) => 'match' in rows[0]));
  const names = slides.flatMap((slide) => (slide.kind === 'names' ? slide.rows : []));
  assert.equal(names.length, 25); // nobody sits at the empty boards
  assert.equal(names.find(({ name }) => name === 'B02')?.side, 'white');
  const players = /** @type {any} any: two of many fields */ ([{ rank: 1, name: 'A01' }]);
  const over = slidesOf({ ...view, over: true }, SCREEN, OPTIONS, players).map(keyOf);
  assert.deepEqual(over, ['table-1', 'players-1', 'results-1', 'results-2', 'results-3']);
});

test('names are sorted as people sort them, with those who rest', () => {
  const view = tournament(1, 0);
  view.played[0].resting = [{ name: 'Álvaro', kind: 'bye', points: 1 }];
  const [slide] = slidesOf(view, SCREEN, readOptions('?pages=names'));
  assert.deepEqual(slide.rows.map((row) => 'name' in row && row.name), ['Álvaro', 'Ana 0', 'Zé 0']);
});

test('the address chooses slides, seconds and rows, and nonsense changes nothing', () => {
  assert.deepEqual(keys(tournament(4, 4), {}, '?pages=timer,results'), ['timer-1', 'results-1']);
  assert.deepEqual(keys(tournament(4, 4), {}, '?pages=claims'), ['timer-1']); // nothing to show: the time
  const chosen = readOptions('?seconds=20&rows=6&delay=5');
  assert.deepEqual([chosen.seconds, chosen.rows, chosen.delayMs], [20, 6, 300_000]);
  assert.deepEqual(readOptions('?seconds=x&rows=&pages=foo,'), OPTIONS);
  assert.equal(readOptions('?seconds=0.001').seconds, 2);
});

test('a step leads to the next slide, also when the list has changed meanwhile', () => {
  const slides = slidesOf(tournament(31, 0), SCREEN, OPTIONS);
  assert.equal(keyOf(slides[stepFrom(slides, 'pairings-4', 1)]), 'names-1');
  assert.equal(keyOf(slides[stepFrom(slides, 'pairings-1', -1)]), 'timer-1');
  assert.equal(keyOf(slides[stepFrom(slides, 'timer-1', 1)]), 'pairings-1');
  assert.equal(keyOf(slides[stepFrom(slides, 'pairings-9', 1)]), 'pairings-4');
  assert.equal(stepFrom(slides, 'claims-1', 1), 0);
  assert.equal(stepFrom(slides, '', 0), 0);
});

test('the time of a round counts from its publication, by the clock of the server', () => {
  assert.deepEqual(roundTime(SCREEN, 5000, 0), { elapsed: 65_000, left: 535_000 });
  assert.deepEqual(roundTime(SCREEN, 5000, 300_000), { elapsed: -235_000, left: 600_000 });
  assert.deepEqual(roundTime({ ...SCREEN, limit_ms: null }, 0, 0), { elapsed: 60_000, left: null });
  assert.equal(roundTime(SCREEN, 9e9, 0)?.left, 0);
  assert.equal(roundTime({ ...SCREEN, published_ms: null }, 0, 0), null);
});
