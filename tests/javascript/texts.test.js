import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fenOf } from '../../src/damas/server/static/pages/analysis/editor.js';
import { numberedMove } from '../../src/damas/server/static/pages/analysis/graph.js';

import { groupByShot, shortScore } from '../../src/damas/server/static/pages/analysis/scores.js';
import { freeName } from '../../src/damas/server/static/pages/contest/entries.js';
import { formatPoints } from '../../src/damas/server/static/pages/contest/standings.js';
import { shortMove } from '../../src/damas/server/static/lib/words.js';
import { typedCommand } from '../../src/damas/server/static/pages/game/keys.js';
import { at, BOOK } from './boards.js';

/** @import { EntrantView } from '../../src/damas/server/static/pages/contest/messages.js' */
/** @import { MistakeView } from '../../src/damas/server/static/lib/messages.js' */

test('a position is written as FEN in letters', () => {
  const pieces = { [at('a1')]: 'w', [at('c1')]: 'W', [at('d4')]: 'B' };
  assert.equal(fenOf(BOOK, pieces, 'black'), 'B:Wa1,Kc1:BKd4');
  assert.equal(fenOf(BOOK, {}, 'white'), 'W:W:B');
});

test('a long capture is shown by its ends', () => {
  assert.equal(shortMove('c3xe5xg7'), 'c3xg7');
  assert.equal(shortMove('c3xe5'), 'c3xe5');
  assert.equal(shortMove('c3-d4'), 'c3-d4');
});

test('a score is a number, or who wins in how many moves', () => {
  assert.equal(shortScore({}), '–');
  assert.equal(shortScore({ score: 34 }), '+0.34');
  assert.equal(shortScore({ score: 0 }), '0.00');
  assert.equal(shortScore({ score: 30_000, winner: 'white', plies: 5 }), 'White in 3');
  assert.equal(shortScore({ score: -30_000, winner: 'black', plies: null }), 'Black wins');
});

test('moves are numbered as players do', () => {
  assert.equal(numberedMove({ number: 12, by: 'white', move: 'c3-d4' }), '12. c3-d4');
  assert.equal(numberedMove({ number: 12, by: 'black', move: 'f6-g5' }), '12… f6-g5');
});

test('mistakes that missed the same shot are one group', () => {
  const mistake = (/** @type {number} */ ply, /** @type {string} */ by, /** @type {string[]} */ moves = []) =>
    /** @type {MistakeView} */ (/** @type {unknown} */ ({ ply, by, missed: moves.length
      ? { moves } : null }));
  const mistakes = [mistake(3, 'white', ['a', 'b']), mistake(4, 'black', ['a', 'b']),
    mistake(5, 'white', ['a', 'b']), mistake(7, 'white'), mistake(9, 'white')];
  assert.deepEqual(groupByShot(mistakes).map((group) => group.map(({ ply }) => ply)),
    [[3, 5], [4], [7], [9]]);
});

test('points have halves', () => {
  assert.deepEqual([0, 0.5, 1, 2.5, 10].map(formatPoints), ['0', '½', '1', '2½', '10']);
});

test('a suggested name is free', () => {
  const entrants = /** @type {EntrantView[]} */ ([{ name: 'Bot' }, { name: 'bot 2' }]);
  assert.equal(freeName('Other', entrants), 'Other');
  assert.equal(freeName('Bot', entrants), 'Bot 3');
  assert.equal(freeName('x'.repeat(40), []).length, 27);
});

test('commands are typed in the visitor\'s language, or after a slash', () => {
  assert.equal(typedCommand(' Relógio '), 'clock');
  assert.equal(typedCommand('/c'), 'clock');
  assert.equal(typedCommand('/takeback'), 'take_back');
  assert.equal(typedCommand('c'), null);
  assert.equal(typedCommand('c3-d4'), null);
});
