/** The two strips against the board: who plays, whether they are there, and their clocks. */

import { pieceIcon } from '../../board/pieces.js';
import { $, fill, h, icon } from '../../lib/dom.js';
import { sound } from '../../lib/sound.js';
import { dial, mainTime } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { isOver } from './now.js';

const HURRY = 20_000;

export class Players {
  constructor() {
    /** @type {any} */
    this.clocks = { white: null, black: null, running: null };
    this.at = performance.now();
    this.late = 0;
    this.control = 'none';
    this.mine = '';
    this.hurried = false;
    /** @type {Record<string, {strip: HTMLElement, dial: HTMLElement, clock: HTMLElement}>} */
    this.strips = {};
    setInterval(() => this.tick(), 100);
  }

  /** @param {any} players @param {string} below who sits at the bottom @param {string} you white, black, both, viewer @param {string} control */
  show(players, below, you, control) {
    this.control = control;
    this.mine = you === 'white' || you === 'black' ? you : '';
    for (const side of ['white', 'black']) this.#strip(side, players[side], side === below ? 'below' : 'above', you);
    this.tick();
  }

  /** @param {string} side @param {any} player @param {'above'|'below'} place @param {string} you */
  #strip(side, player, place, you) {
    const level = /^level:(\d+)$/.exec(player.kind)?.[1];
    const name = you === 'both' ? t(`board.side.${side}`) : level ? t('play.player.level', { level }) : player.free ? t('play.player.free') : player.name || t('play.player.guest');
    const strip = $(`#player-${place}`);
    const face = h('span.dial', { dataset: { testid: `clock-${side}` } });
    const clock = h('div.clock', { role: 'timer', 'aria-live': 'off', 'aria-label': t('play.clock.of', { name }) }, icon('clock'), face);
    strip.setAttribute('aria-label', `${t(`board.side.${side}`)}: ${name}`);
    strip.dataset.side = side;
    fill(strip,
      h('span.player-piece', null, pieceIcon(side === 'white' ? 'w' : 'b')),
      h('span.player-name', { dataset: { testid: `name-${side}` } }, name),
      player.kind === 'bot' && h('span.tag', null, icon('computer'), t('play.player.bot')),
      you === side && h('span.tag.tag-blue', null, t('play.player.you')),
      !player.free && !player.here && !isOver() && h('span.tag.tag-bad', { dataset: { testid: `away-${side}` } }, icon('offline'), t('play.player.away')),
      clock);
    this.strips[side] = { strip, dial: face, clock };
  }

  /** @param {any} clocks @param {number} late how long the message was on its way */
  set(clocks, late) {
    this.clocks = clocks;
    this.at = performance.now();
    this.late = late;
    this.tick();
  }

  /** What a side has left now; null without a clock. @param {string} side */
  left(side) {
    const stored = this.clocks[side];
    if (stored === null || stored === undefined) return null;
    return this.clocks.running === side ? Math.max(0, stored - (performance.now() - this.at) - this.late) : stored;
  }

  tick() {
    const main = mainTime(this.control);
    for (const [side, { strip, dial: face, clock }] of Object.entries(this.strips)) {
      const left = this.left(side);
      clock.hidden = left === null;
      const running = this.clocks.running === side;
      strip.classList.toggle('running', running);
      if (left === null) continue;
      const low = left < Math.max(10_000, Math.min(HURRY, (main ?? 0) / 10));
      const text = dial(left);
      if (face.textContent !== text) face.textContent = text;
      clock.classList.toggle('low', low);
      clock.dataset.running = String(running);
      clock.title = [running && t('play.clock.running'), low && t('play.clock.low')].filter(Boolean).join(', ');
      if (running && low && side === this.mine && !this.hurried) {
        this.hurried = true;
        sound('hurry');
      }
    }
  }

  /** Both clocks in a sentence. */
  words() {
    const white = this.left('white'), black = this.left('black');
    if (white === null || black === null) return t('play.clock.none');
    return t('play.clock.said', { white_side: t('board.side.white'), black_side: t('board.side.black'), white: dial(white), black: dial(black) });
  }
}
