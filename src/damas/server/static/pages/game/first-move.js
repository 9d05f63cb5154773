/** How long a first move is waited for: without it the game is called off, and nobody should learn that only then. */

import { $, h } from '../../lib/dom.js';
import { sound } from '../../lib/sound.js';
import { t } from '../../lib/words.js';
import { isOver, now } from './now.js';

const NEAR = 10_000;

export class FirstMove {
  /** @param {{near: (words: string) => void}} page told once when one's own time is nearly over */
  constructor(page) {
    this.page = page;
    /** When the page's clock says that it is over; null while none is waited for. @type {number | null} */
    this.until = null;
    this.warned = false;
    // A timer is read when it is asked for: it counts without a word, and is said once when it is near.
    this.line = h('p.first-move', { role: 'timer', 'aria-live': 'off', hidden: true, dataset: { testid: 'first-move' } });
    $('#turn').after(this.line);
    setInterval(() => this.show(), 250);
  }

  /** @param {number | null | undefined} left milliseconds, as the server counts them @param {number} late how long that was on its way */
  set(left, late) {
    this.until = typeof left === 'number' ? performance.now() + left - late : null;
    this.warned = false;
    this.show();
  }

  show() {
    this.line.hidden = this.until === null || !now.book || isOver() || Boolean(now.paused);
    if (this.line.hidden) return;
    const left = Math.max(0, /** @type {number} */ (this.until) - performance.now());
    const words = t(`play.first_move.${whose()}`, { time: minutes(left) });
    if (this.line.textContent !== words) this.line.textContent = words;
    this.line.classList.toggle('near', left < NEAR);
    if (left >= NEAR || this.warned || whose() !== 'mine') return;
    this.warned = true;
    sound('hurry');
    this.page.near(words);
  }
}

/** Of whom the move is awaited, as the visitor would say it. */
function whose() {
  return now.you === 'viewer' ? 'viewer' : now.you === now.view.to_move ? 'mine' : 'theirs';
}

/** 0:12, without the tenths of a clock: nobody plays by them. @param {number} ms */
function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
