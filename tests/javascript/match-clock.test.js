import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  correct, isUsuallyWritten, newMatch, nextGame, pause, reconciled, remaining, reopened, resume, space, tick,
  touch,
} from '../../src/damas/server/static/pages/clock/match-clock.js';

const WALL = 1_700_000_000_000;
const MINUTE = 60_000;
/** The page's clock and the device's go together. @param {number} at */
const moment = (at) => ({ at, wall: WALL + at });
/** @param {string} time @param {1 | 2} [games] */
const begun = (time, games = 1) => touch(newMatch({ time, games, writes: true }), 0, moment(0));

test('the first touch starts the time of the other half, which has White', () => {
  const upper = touch(newMatch({ time: '5', games: 1, writes: false }), 0, moment(0));
  assert.deepEqual([upper.white, upper.turn, upper.stage], [1, 'white', 'running']);
  const lower = touch(newMatch({ time: '5', games: 1, writes: false }), 1, moment(0));
  assert.deepEqual([lower.white, lower.turn], [0, 'white']);
  assert.equal(remaining(lower, 'white', 1000), 5 * MINUTE - 1000);
  assert.equal(remaining(lower, 'black', 1000), 5 * MINUTE);
});

test('only the player whose time runs can press, and space is for both', () => {
  const match = begun('5');
  assert.equal(touch(match, 0, moment(1000)), match);
  const white = touch(match, 1, moment(2000));
  assert.deepEqual([white.turn, white.moves], ['black', { white: 1, black: 0 }]);
  const black = space(white, moment(5000));
  assert.deepEqual([black.turn, black.moves], ['white', { white: 1, black: 1 }]);
  assert.deepEqual(black.left, { white: 5 * MINUTE - 2000, black: 5 * MINUTE - 3000 });
});

test('an increment is added for each move', () => {
  const match = touch(begun('3+2'), 1, moment(500));
  assert.equal(match.left.white, 3 * MINUTE - 500 + 2000);
});

test('a flag falls once, at its own moment, and stays', () => {
  const match = begun('5');
  assert.equal(tick(match, moment(5 * MINUTE)).stage, 'running');
  const fallen = tick(match, moment(5 * MINUTE + 700));
  assert.deepEqual([fallen.stage, fallen.turn, fallen.left.white], ['fallen', 'white', 0]);
  assert.equal(fallen.fell, WALL + 5 * MINUTE);
  for (const change of [touch(fallen, 1, moment(400_000)), space(fallen, moment(400_000)),
    resume(fallen, moment(400_000)), pause(fallen, moment(400_000)), tick(fallen, moment(900_000))]) {
    assert.deepEqual(change, fallen);
  }
  const late = touch(match, 1, moment(5 * MINUTE + 1));
  assert.deepEqual([late.stage, late.turn, late.moves.white], ['fallen', 'white', 0]);
});

test('a pause keeps the times and whose turn it is', () => {
  const paused = pause(begun('5'), moment(10_000));
  assert.deepEqual([paused.stage, paused.turn], ['paused', 'white']);
  assert.equal(touch(paused, 1, moment(20_000)), paused);
  const resumed = resume(paused, moment(100_000));
  assert.equal(remaining(resumed, 'white', 101_000), 5 * MINUTE - 11_000);
});

test('a correction keeps both values, and only a clock that stands still is corrected', () => {
  const running = begun('5');
  assert.equal(correct(running, { white: 1, black: 1 }, 'black', moment(1)), running);
  const corrected = correct(pause(running, moment(10_000)), { white: 290_000, black: 420_000 }, 'black',
    moment(30_000));
  assert.deepEqual(corrected.corrections,
    [{ side: 'black', from: 300_000, to: 420_000, wall: WALL + 30_000 }]);
  assert.deepEqual([corrected.turn, corrected.stage], ['black', 'paused']);
});

test('a fallen flag is up again when its player gets time, and not by the time of the other', () => {
  const fallen = tick(begun('5'), moment(6 * MINUTE));
  const still = correct(fallen, { white: 0, black: 60_000 }, 'black', moment(0));
  assert.deepEqual([still.stage, still.turn, still.fell], ['fallen', 'white', fallen.fell]);
  const up = correct(fallen, { white: 60_000, black: 300_000 }, 'white', moment(0));
  assert.deepEqual([up.stage, up.fell], ['paused', null]);
});

test('writing ends below five minutes for each player by himself, for the rest of the game', () => {
  let match = begun('5+10');
  assert.deepEqual(match.freed, { white: false, black: false });
  assert.equal(tick(match, moment(0)), match);
  match = touch(match, 1, moment(1));
  assert.deepEqual(match.freed, { white: true, black: false });
  assert.ok(match.left.white > 5 * MINUTE);
  assert.equal(tick(match, moment(100)).freed.black, true);
  assert.deepEqual(newMatch({ time: '3', games: 1, writes: true }).freed, { white: true, black: true });
  assert.deepEqual([30, 31, 45].map(isUsuallyWritten), [false, true, true]);
});

test('in the second game of a micro-match both players keep their times and change colours', () => {
  const first = pause(touch(begun('21', 2), 1, moment(60_000)), moment(90_000));
  assert.deepEqual(first.left, { white: 20 * MINUTE, black: 20.5 * MINUTE });
  const second = nextGame(first);
  assert.deepEqual([second.game, second.stage, second.white], [2, 'ready', 0]);
  assert.deepEqual(second.left, { white: 20.5 * MINUTE, black: 20 * MINUTE });
  assert.deepEqual(second.moves, { white: 0, black: 0 });
  const upperStarts = touch(second, 0, moment(100_000)); // against the colours: who is started has White
  assert.deepEqual([upperStarts.white, upperStarts.left.white], [1, 20 * MINUTE]);
  assert.equal(nextGame(pause(second, moment(0))), second);
  const single = pause(begun('21'), moment(5));
  assert.equal(nextGame(single), single);
});

test('a page that is opened again charges the time in between, by the clock of the device', () => {
  const match = begun('5'); // since 0
  const stored = { match, saved: moment(10_000) };
  const { match: again, away } = reopened(stored, { at: 50, wall: WALL + 17_000 });
  assert.equal(away, 7000);
  assert.equal(remaining(again, 'white', 50), 5 * MINUTE - 17_000);
  const paused = { match: pause(match, moment(10_000)), saved: moment(10_000) };
  assert.deepEqual(reopened(paused, { at: 1, wall: WALL + 99_000 }), { match: paused.match, away: 0 });
});

test('a flag that fell while the page was closed fell at its own moment', () => {
  const { match } = reopened({ match: begun('5'), saved: moment(10_000) }, { at: 3, wall: WALL + 900_000 });
  assert.deepEqual([match.stage, match.fell], ['fallen', WALL + 5 * MINUTE]);
});

test('a clock set back while the page was closed charges nothing and is reported', () => {
  const stored = { match: begun('5'), saved: moment(10_000) };
  const { match, away } = reopened(stored, { at: 50, wall: WALL - 3_600_000 });
  assert.ok(away < 0);
  assert.equal(remaining(match, 'white', 50), 5 * MINUTE - 10_000);
});

test('the device may be set while the page is open; what it slept while hidden is charged', () => {
  const match = begun('5'), before = moment(1000);
  const later = { at: 2000, wall: WALL + 62_000 };
  assert.deepEqual(reconciled(match, before, moment(2100), false), { match, charged: 0, ignored: 0 });
  assert.deepEqual(reconciled(match, before, later, false), { match, charged: 0, ignored: 60_000 });
  const woken = reconciled(match, before, later, true);
  assert.equal(woken.charged, 60_000);
  assert.equal(remaining(woken.match, 'white', 2000), 5 * MINUTE - 62_000);
  const setBack = reconciled(match, before, { at: 2000, wall: WALL - 9000 }, true);
  assert.deepEqual([setBack.match, setBack.ignored], [match, -11_000]);
});
