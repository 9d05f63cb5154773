/**
 * A clock for two people at a real board, for one game or for both games of a micro-match. A value: what
 * somebody does gives another one. Nothing here reads the time: a moment comes with each call.
 */

import { Clock, other, parseControl } from '../../local/table/clock.js';

/** @import { Side } from '../../local/records.js' */

/**
 * @typedef {0 | 1} Half of the window: the upper or left one, the lower or right one
 *
 * @typedef {object} Moment
 * @property {number} at milliseconds of the page's own clock, which nobody can set
 * @property {number} wall milliseconds of the device's clock
 *
 * @typedef {object} Terms
 * @property {string} time a time control: 15, 3+2
 * @property {1 | 2} games that the time is for
 * @property {boolean} writes whether the players write the moves down
 *
 * @typedef {object} Correction
 * @property {Side} side @property {number} from milliseconds @property {number} to @property {number} wall
 *
 * @typedef {object} MatchClock
 * @property {Terms} terms
 * @property {1 | 2} game
 * @property {'ready' | 'running' | 'paused' | 'fallen'} stage
 * @property {Side} turn whose time runs, goes on after a pause, or has run out
 * @property {Half} white where White sits
 * @property {Record<Side, number>} left milliseconds at `since`
 * @property {number} since by the page's own clock
 * @property {Record<Side, number>} moves
 * @property {Record<Side, boolean>} freed from writing, because little time was left
 * @property {Correction[]} corrections
 * @property {number | null} fell when the flag fell, by the device's clock
 *
 * @typedef {{match: MatchClock, saved: Moment}} StoredClock
 */

/** Players with less time than this need not write any more. */
export const WRITING_ENDS_MS = 5 * 60_000;
/** In games of at most this time nobody has to write. */
const NO_WRITING_MINUTES = 30;
export const MAX_LEFT_MS = 10 * 3_600_000 - 1000;
/** The two clocks of a device do not differ by more, unless it slept or was set. */
const DRIFT_MS = 2000;

/** Whether moves are usually written in such a game. @param {number} minutes */
export const isUsuallyWritten = (minutes) => minutes > NO_WRITING_MINUTES;

/** @param {Terms} terms @returns {MatchClock} */
export function newMatch(terms) {
  const { base } = parseControl(terms.time);
  return withDuty({
    terms, game: 1, stage: 'ready', turn: 'white', white: 1, left: { white: base, black: base }, since: 0,
    moves: { white: 0, black: 0 }, freed: { white: false, black: false }, corrections: [], fell: null,
  });
}

/** @param {MatchClock} match @param {Side} side @returns {Half} */
export const halfOf = (match, side) => (side === 'white' ? match.white : opposite(match.white));

/** @param {MatchClock} match @param {Half} half @returns {Side} */
export const sideAt = (match, half) => (half === match.white ? 'white' : 'black');

/** @param {Half} half @returns {Half} */
const opposite = (half) => (half === 0 ? 1 : 0);

/** @param {MatchClock} match */
function clockOf({ terms, left, stage, turn, since }) {
  return new Clock(parseControl(terms.time), left, stage === 'running' ? turn : null, since);
}

/** @param {MatchClock} match @param {Clock} clock @returns {MatchClock} */
function withClock(match, { left, since }) {
  return { ...match, left: { white: left.white ?? 0, black: left.black ?? 0 }, since };
}

/** @param {MatchClock} match @param {Side} side @param {number} at */
export const remaining = (match, side, at) => clockOf(match).remaining(side, at) ?? 0;

/** Frees from writing whoever has little time left, for good. @param {MatchClock} match */
function withDuty(match, at = match.since) {
  const freed = (/** @type {Side} */ side) =>
    match.freed[side] || remaining(match, side, at) < WRITING_ENDS_MS;
  const { white, black } = match.freed;
  const now = { white: freed('white'), black: freed('black') };
  return white === now.white && black === now.black ? match : { ...match, freed: now };
}

/**
 * Lets the flag fall, and the duty to write end, when it is time.
 * @param {MatchClock} match @param {Moment} now
 */
export function tick(match, now) {
  const clock = clockOf(match), last = clock.runsOutAt;
  if (last === null || !clock.overdue(now.at)) return withDuty(match, now.at);
  /** @type {MatchClock} */
  const fallen = {
    ...withClock(match, clock.pause(last)), stage: 'fallen', fell: now.wall - (now.at - last),
  };
  return withDuty(fallen);
}

/**
 * A half is touched: the player there has moved. The first touch starts the time of the other player, who
 * has White then.
 * @param {MatchClock} match @param {Half} half @param {Moment} now
 */
export function touch(match, half, now) {
  if (match.stage === 'ready') return start(match, opposite(half), now.at);
  return match.stage === 'running' && halfOf(match, match.turn) === half ? press(match, now) : match;
}

/**
 * The space bar: whoever is to move has moved; the first time White's time starts.
 * @param {MatchClock} match @param {Moment} now
 */
export function space(match, now) {
  if (match.stage === 'ready') return start(match, match.white, now.at);
  return match.stage === 'running' ? press(match, now) : match;
}

/** @param {MatchClock} match @param {Half} white @param {number} at @returns {MatchClock} */
function start(match, white, at) {
  const seated = white === match.white ? match : withColoursChanged(match);
  return { ...seated, stage: 'running', turn: 'white', since: at };
}

/** Both players keep their times. @param {MatchClock} match @returns {MatchClock} */
function withColoursChanged(match) {
  const { left, freed } = match;
  return {
    ...match, white: opposite(match.white), left: { white: left.black, black: left.white },
    freed: { white: freed.black, black: freed.white },
  };
}

/** @param {MatchClock} match @param {Moment} now @returns {MatchClock} */
function press(match, now) {
  const current = tick(match, now);
  if (current.stage !== 'running') return current;
  const { turn, moves } = current;
  const pressed = withClock(current, clockOf(current).press(Math.max(now.at, current.since)));
  return { ...pressed, turn: other(turn), moves: { ...moves, [turn]: moves[turn] + 1 } };
}

/** @param {MatchClock} match @param {Moment} now @returns {MatchClock} */
export function pause(match, now) {
  const current = tick(match, now);
  if (current.stage !== 'running') return current;
  return { ...withClock(current, clockOf(current).pause(now.at)), stage: 'paused' };
}

/** @param {MatchClock} match @param {Moment} now @returns {MatchClock} */
export function resume(match, now) {
  return match.stage === 'paused' ? { ...match, stage: 'running', since: now.at } : match;
}

/**
 * Sets times and whose turn it is while the clock stands still. A fallen flag is up again when its player
 * has got time.
 * @param {MatchClock} match @param {Record<Side, number>} left @param {Side} turn @param {Moment} now
 * @returns {MatchClock}
 */
export function correct(match, left, turn, now) {
  if (match.stage === 'running') return match;
  const sides = /** @type {Side[]} */ (['white', 'black']);
  const changed = sides.filter((side) => left[side] !== match.left[side]);
  const corrections = changed.map((side) =>
    ({ side, from: match.left[side], to: left[side], wall: now.wall }));
  const isUp = match.stage === 'fallen' && left[match.turn] > 0;
  const freed = Object.fromEntries(sides.map((side) =>
    [side, changed.includes(side) ? left[side] < WRITING_ENDS_MS : match.freed[side]]));
  return {
    ...match, left: { ...left }, turn: match.stage === 'fallen' && !isUp ? match.turn : turn,
    stage: isUp ? 'paused' : match.stage, fell: isUp ? null : match.fell,
    freed: /** @type {Record<Side, boolean>} */ (freed), corrections: [...match.corrections, ...corrections],
  };
}

/** Whether the second game of a micro-match may follow. @param {MatchClock} match */
export const hasNextGame = ({ terms, game, stage }) => terms.games > game && stage === 'paused';

/**
 * The second game: colours are changed, both players keep what is left.
 * @param {MatchClock} match @returns {MatchClock}
 */
export function nextGame(match) {
  if (!hasNextGame(match)) return match;
  return {
    ...withColoursChanged(match), game: 2, stage: 'ready', turn: 'white', moves: { white: 0, black: 0 },
  };
}

/**
 * A clock as a page finds it that was opened again. Between the two pages only the device's clock went on:
 * its time is charged, and `away` says how much; below zero it was set back, and nothing is charged.
 * @param {StoredClock} stored @param {Moment} now @returns {{match: MatchClock, away: number}}
 */
export function reopened({ match, saved }, now) {
  if (match.stage !== 'running') return { match, away: 0 };
  const away = now.wall - saved.wall;
  const since = now.at - Math.max(0, away) - (saved.at - match.since);
  return { match: tick({ ...match, since }, now), away };
}

/**
 * Compares the page's clock with the device's. While the page was hidden the device may have slept, and the
 * page's clock with it: that is charged. In a page that was seen all the time nothing is: `ignored` says by
 * how much the device's clock was set, or how long it slept.
 * @param {MatchClock} match @param {Moment} before @param {Moment} now @param {boolean} wasHidden
 * @returns {{match: MatchClock, charged: number, ignored: number}}
 */
export function reconciled(match, before, now, wasHidden) {
  const drift = (now.wall - before.wall) - (now.at - before.at);
  if (match.stage !== 'running' || Math.abs(drift) < DRIFT_MS) return { match, charged: 0, ignored: 0 };
  if (!wasHidden || drift < 0) return { match, charged: 0, ignored: drift };
  return { match: tick({ ...match, since: match.since - drift }, now), charged: drift, ignored: 0 };
}
