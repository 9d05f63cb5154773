/** The time left for a first move; without it the game is called off. */

import { $, h } from '../../lib/dom.js';
import { playSound } from '../../lib/sound.js';
import { t } from '../../lib/words.js';
import { isOver, state } from './state.js';

const WARNING_MS = 10_000;
const UPDATE_MS = 250;

export class FirstMoveTimer {
  /** On the page's clock; null while no first move is awaited. @type {number | null} */
  #endsAt = null;
  #hasWarned = false;
  /** Screen readers read a timer only on demand; it is announced once when time runs out. */
  #line = h('p.first-move', { role: 'timer', 'aria-live': 'off', hidden: true,
    dataset: { testid: 'first-move' } });

  /** @param {(words: string) => void} onWarning called once when the visitor's own time runs out */
  constructor(onWarning) {
    this.onWarning = onWarning;
    $('#turn').after(this.#line);
    setInterval(() => this.#update(), UPDATE_MS);
  }

  /**
   * @param {number | null | undefined} leftMs when the message was sent
   * @param {number} delayMs since it was sent
   */
  set(leftMs, delayMs) {
    this.#endsAt = typeof leftMs === 'number' ? performance.now() + leftMs - delayMs : null;
    this.#hasWarned = false;
    this.#update();
  }

  #update() {
    const isHidden = this.#endsAt === null || !state.book || isOver() || Boolean(state.pauseMessage);
    this.#line.hidden = isHidden;
    if (isHidden || this.#endsAt === null) return;
    const leftMs = Math.max(0, this.#endsAt - performance.now());
    const isOwn = state.you === state.view.to_move;
    const who = isOwn ? 'mine' : 'theirs';
    const words = t(`play.first_move.${state.you === 'viewer' ? 'viewer' : who}`,
      { time: minutesAndSeconds(leftMs) });
    if (this.#line.textContent !== words) this.#line.textContent = words;
    this.#line.classList.toggle('near', leftMs < WARNING_MS);
    if (leftMs >= WARNING_MS || this.#hasWarned || !isOwn) return;
    this.#hasWarned = true;
    playSound('lowTime');
    this.onWarning(words);
  }
}

/** @param {number} ms */
function minutesAndSeconds(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
