import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clearUnsent, hasUnsent, noteUnsent, unsentToken } from '../../src/damas/server/static/lib/unsent.js';
import { archivedGame, isWanted, placeOf } from '../../src/damas/server/static/local/list.js';
import { upgraded } from '../../src/damas/server/static/local/old-records.js';
import { sentGame } from '../../src/damas/server/static/local/sent-game.js';

/** @import { KeptGame } from '../../src/damas/server/static/local/kept.js' */

/** @param {object} facts @returns {KeptGame} */
const record = (facts) => /** @type {any} any: records of every version */ ({
  id: 'q7Vd0c2LxWmA', rulebook: 'brasileira', level: 4, you: 'white', time: 'none',
  moves: ['c3-d4', 'f6-g5'], clocks_ms: [null, null], started_ms: null, ended: null, result: '0-1',
  fen: 'W:Wd4:Bg5', created_ms: 1000, updated_ms: 9000, ...facts,
});

const kinds = (/** @type {object} */ facts) =>
  sentGame(upgraded(record(facts))).events.map(({ kind, by, at }) => [kind, by, at]);

test('a record of the arbiter\'s events is sent as it is', () => {
  const events = [{ kind: 'moved', at: 3, by: 'white', move: 'c3-d4' }];
  const terms = { preset: 'contest', hash: 'abc', lot: 2, time: '30s/move', you: 'black', account: 'ana' };
  assert.deepEqual(sentGame(record({ ...terms, version: 2, events })), {
    rulebook: 'brasileira', hash: 'abc', preset: 'contest', time: '30s/move', fen: null, lot: 2,
    color: 'black', opponent: { kind: 'level', level: 4 }, events, begun_ms: 1000, ended_ms: 9000,
    account: 'ana',
  });
});

test('an earlier record becomes the events of its moves and of its end', () => {
  const moves = [['moved', 'white', 0], ['moved', 'black', 0]];
  assert.deepEqual(kinds({}), moves);
  assert.deepEqual(kinds({ fen: 'B:Wd4:Bg5' })[0], ['moved', 'black', 0]); // where Black begins
  assert.deepEqual(kinds({ ended: { winner: 'black', reason: 'RESIGNATION' } }),
    [...moves, ['resigned', 'white', 0]]);
  assert.deepEqual(kinds({ level: null, you: 'both', ended: { winner: null, reason: 'AGREEMENT' } }),
    [...moves, ['offered', 'white', 0], ['accepted', 'black', 0]]);
  const claim = { winner: null, reason: 'LIMIT', rule: 'three-kings' };
  assert.deepEqual(kinds({ ended: claim }), [...moves, ['claimed', 'white', 0]]);
});

test('what moves left on the clocks says when they were made', () => {
  // Five minutes and three seconds a move: the first is free, then 10 s, 20 s, and all that is left.
  const clocks_ms = [303_000, 293_000, 286_000];
  const facts = { time: '5+3', clocks_ms, moves: ['a', 'b', 'c'], fen: 'B:Wd4:Bg5' };
  assert.deepEqual(kinds({ ...facts, ended: { winner: 'white', reason: 'FLAG' } }), [
    ['moved', 'white', 0], ['moved', 'black', 10_000], ['moved', 'white', 30_000],
    ['flag', 'black', 323_001],
  ]);
});

test('a game of this browser is listed as the server\'s are', () => {
  const game = archivedGame(record({}));
  assert.deepEqual([game.status, game.plies, game.black.kind], ['over', 2, 'level:4']);
  const isFound = (/** @type {string} */ query) => isWanted(game, new URLSearchParams(query));
  assert.ok(['', 'mine=1', 'rulebook=brasileira', 'result=lost', 'result=black', 'opponent=level',
    'until=1970-01-01'].every(isFound));
  assert.ok(!['rulebook=turca', 'result=won', 'opponent=person', 'name=Ana', 'since=1970-01-02']
    .some(isFound));
});

test('a game is open, waits, is refused or stored', () => {
  const stored = { id: 'x', url: '/game/x' }, refused = { code: 'RECORD', message: 'no' };
  assert.deepEqual([{ result: null }, {}, { refused }, { stored }].map((facts) => placeOf(record(facts))),
    ['open', 'waiting', 'refused', 'stored']);
});

test('what is noted while something is sent is sent the next time', () => {
  noteUnsent('games');
  const sent = unsentToken('games');
  noteUnsent('games'); // another game has ended meanwhile
  clearUnsent('games', sent);
  assert.ok(hasUnsent());
  clearUnsent('games', unsentToken('games'));
  assert.ok(!hasUnsent());
});
