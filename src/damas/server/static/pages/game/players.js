/** The two strips above and below the board: the players, whether they are there, and their clocks. */

import { pieceIcon } from '../../board/pieces.js';
import { $, fill, h, icon } from '../../lib/dom.js';
import { playSound } from '../../lib/sound.js';
import { clockFace, mainTimeMs } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { bottomSide, isOver, levelOf, state } from './state.js';

/** @import { ClocksView, Side } from '../../lib/messages.js' */

const LOW_TIME_MS = 20_000;
const MIN_LOW_TIME_MS = 10_000;
const UPDATE_MS = 100;

/** @type {Side[]} */
const SIDES = ['white', 'black'];

/** A player's name as shown. @param {Side} side */
export function playerName(side) {
  const level = levelOf(side), player = state.players[side];
  if (state.you === 'both') return t(`board.side.${side}`);
  if (level) return t('play.player.level', { level });
  return player.name || t('play.player.guest');
}

export class Players {
  /** @type {ClocksView} */
  #clocks = { white: null, black: null, running: null };
  /** When the clocks held, on the page's clock. */
  #clocksAt = 0;
  #hasWarned = false;
  /** @type {Map<Side, {strip: HTMLElement, clock: HTMLElement, face: HTMLElement}>} */
  #strips = new Map();

  constructor() {
    setInterval(() => this.#update(), UPDATE_MS);
  }

  show() {
    for (const side of SIDES) this.#showStrip(side, side === bottomSide() ? 'below' : 'above');
    this.#update();
  }

  /** @param {Side} side @param {'above' | 'below'} place */
  #showStrip(side, place) {
    const player = state.players[side];
    const isFree = player.free && state.you !== 'both' && !levelOf(side);
    const name = isFree ? t('play.player.free') : playerName(side);
    const strip = $(`#player-${place}`);
    const face = h('span.dial', { dataset: { testid: `clock-${side}` } });
    const label = t('play.clock.of', { name });
    const clock = h('div.clock', { role: 'timer', 'aria-live': 'off', 'aria-label': label }, icon('clock'),
      face);
    const isAway = !player.free && !player.here && !isOver();
    strip.setAttribute('aria-label', `${t(`board.side.${side}`)}: ${name}`);
    strip.dataset.side = side;
    fill(strip,
      h('span.player-piece', null, pieceIcon(side === 'white' ? 'w' : 'b')),
      h('span.player-name', { dataset: { testid: `name-${side}` } }, name),
      player.kind === 'bot' && h('span.tag', null, icon('computer'), t('play.player.bot')),
      state.you === side && h('span.tag.tag-blue', null, t('play.player.you')),
      isAway && h('span.tag.tag-bad', { dataset: { testid: `away-${side}` } }, icon('offline'),
        t('play.player.away')),
      clock);
    this.#strips.set(side, { strip, clock, face });
  }

  /** @param {ClocksView} clocks @param {number} delayMs since the server sent them */
  setClocks(clocks, delayMs) {
    this.#clocks = clocks;
    this.#clocksAt = performance.now() - delayMs;
    this.#update();
  }

  /** Milliseconds left now; null without a clock. @param {Side} side */
  timeLeft(side) {
    const left = this.#clocks[side] ?? null;
    if (left === null || this.#clocks.running !== side) return left;
    return Math.max(0, left - (performance.now() - this.#clocksAt));
  }

  #update() {
    const lowTimeMs = Math.max(MIN_LOW_TIME_MS,
      Math.min(LOW_TIME_MS, (mainTimeMs(state.view?.time ?? 'none') ?? 0) / 10));
    for (const [side, { strip, clock, face }] of this.#strips) {
      const left = this.timeLeft(side);
      const isRunning = this.#clocks.running === side;
      clock.hidden = left === null;
      strip.classList.toggle('running', isRunning);
      if (left === null) continue;
      const isLow = left < lowTimeMs;
      const text = clockFace(left);
      if (face.textContent !== text) face.textContent = text;
      clock.classList.toggle('low', isLow);
      clock.dataset.running = String(isRunning);
      clock.title = [isRunning && t('play.clock.running'), isLow && t('play.clock.low')].filter(Boolean)
        .join(', ');
      if (isRunning && isLow && side === state.you && !this.#hasWarned) {
        this.#hasWarned = true;
        playSound('lowTime');
      }
    }
  }

  /** Both clocks in a sentence. */
  clockWords() {
    const white = this.timeLeft('white'), black = this.timeLeft('black');
    if (white === null || black === null) return t('play.clock.none');
    return t('play.clock.said', {
      white_side: t('board.side.white'), black_side: t('board.side.black'), white: clockFace(white),
      black: clockFace(black),
    });
  }
}
