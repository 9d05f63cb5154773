/**
 * The clock of a table, in whole milliseconds, as `damas.arbiter.clock` keeps it. Nothing here reads the
 * time.
 */

/** @import { Side } from '../records.js' */

/**
 * @typedef {{kind: 'none' | 'sudden' | 'fischer' | 'bronstein' | 'move' | 'days', base: number, extra:
 * number}} Control
 */

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN = '(\\d+)(ms|s|m|h)?';
const TEXT = new RegExp(`^(?:(none)|(\\d+)d|${SPAN}/move|${SPAN}(?:([+b])${SPAN})?)$`);

/**
 * A time control from its text: none, 20, 5+3, 5b3, 30s/move, 3d. Byo-yomi is not played in the browser.
 * @param {string} text @returns {Control}
 */
export function parseControl(text) {
  const match = TEXT.exec(text);
  if (!match) throw new RangeError(`no time control: ${text}`);
  const [, none, days, move, moveUnit, base, baseUnit, sign, extra, extraUnit] = match;
  const span = (/** @type {string} */ number, /** @type {string | undefined} */ unit,
    /** @type {keyof typeof UNITS} */ silent) =>
    Number(number) * UNITS[/** @type {keyof typeof UNITS} */ (unit ?? silent)];
  if (none) return { kind: 'none', base: 0, extra: 0 };
  if (days) return { kind: 'days', base: 0, extra: span(days, undefined, 'd') };
  if (move) return { kind: 'move', base: 0, extra: span(move, moveUnit, 's') };
  const added = extra ? span(extra, extraUnit, 's') : 0;
  const kind = sign === '+' ? 'fischer' : 'bronstein';
  return { kind: added ? kind : 'sudden', base: span(base, baseUnit, 'm'), extra: added };
}

/** @param {Control} control */
const isByTheTurn = ({ kind }) => kind === 'move' || kind === 'days';

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === 'white' ? 'black' : 'white');

/**
 * The times of both players, whose time is running, and since when. A value: each change gives another
 * clock.
 */
export class Clock {
  /**
   * @param {Control} control @param {Record<Side, number | null>} left null without a limit
   * @param {Side | null} running @param {number} since
   */
  constructor(control, left, running, since) {
    this.control = control;
    this.left = left;
    this.running = running;
    this.since = since;
  }

  /** @param {string} time @param {Side} side whose time runs from the beginning */
  static start(time, side) {
    const control = parseControl(time);
    const full = isByTheTurn(control) ? control.extra : control.base;
    const left = control.kind === 'none' ? null : full;
    return new Clock(control, { white: left, black: left }, side, 0);
  }

  /** What the running side has left after its time so far was charged. @param {number} at */
  #charged(at) {
    const left = this.running && this.left[this.running];
    return left === null ? null : Math.max(0, left - (at - this.since));
  }

  /** @param {number | null} left of the running side @param {Side | null} running @param {number} at */
  #with(left, running, at) {
    const times = this.running ? { ...this.left, [this.running]: left } : this.left;
    return new Clock(this.control, times, running, at);
  }

  /** The running side has moved: the other's time starts. @param {number} at */
  press(at) {
    const left = this.#charged(at), { kind, extra } = this.control;
    if (!this.running) return this;
    if (left === null) return this.#with(null, other(this.running), at);
    if (kind === 'fischer') return this.#with(left + extra, other(this.running), at);
    if (kind === 'bronstein') {
      return this.#with(left + Math.min(at - this.since, extra), other(this.running), at);
    }
    return this.interrupt(other(this.running), at);
  }

  /** Starts the other side's time without ending the turn of the running side. @param {number} at */
  handOver(at) {
    return this.running ? this.#with(this.#charged(at), other(this.running), at) : this;
  }

  /** Ends the turn without a move and starts one of a side. @param {Side} side @param {number} at */
  interrupt(side, at) {
    const left = this.#charged(at);
    const restored = left !== null && isByTheTurn(this.control) ? Math.max(left, this.control.extra) : left;
    return this.#with(restored, side, at);
  }

  /** Stops the clock. @param {number} at */
  pause(at) {
    return this.running ? this.#with(this.#charged(at), null, at) : this;
  }

  /** @param {Side} side @param {number} ms */
  add(side, ms) {
    const left = this.left[side];
    const times = left === null ? this.left : { ...this.left, [side]: left + ms };
    return new Clock(this.control, times, this.running, this.since);
  }

  /** @param {Side} side @param {number} now */
  remaining(side, now) {
    return side === this.running ? this.#charged(now) : this.left[side];
  }

  /** The side that has used more time than it had, or null. @param {number} now */
  overdue(now) {
    const last = this.runsOutAt;
    return last !== null && now > last ? this.running : null;
  }

  /** Until when the running side is in time; null where no time runs out. */
  get runsOutAt() {
    const left = this.running && this.left[this.running];
    return left === null ? null : this.since + left;
  }
}
