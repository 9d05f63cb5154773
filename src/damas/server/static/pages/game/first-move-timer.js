/** The time left for a first move; without it the game is called off. */

import { $, h } from '../../lib/dom.js';
import { playSound } from '../../lib/sound.js';
import { t } from '../../lib/words.js';
import { board } from './board.js';
import { isOver, isPlayer, state } from './state.js';

const WARNING_MS = 10_000;
const UPDATE_MS = 250;

/** Screen readers read a timer only on demand; it is announced once when time runs out. */
const line = h('p.first-move', { role: 'timer', 'aria-live': 'off', hidden: true, testid: 'first-move' });
/** On the page's clock; null while no first move is awaited. @type {number | null} */
let endsAt = null;
let hasWarned = false;

$('#turn').after(line);
setInterval(update, UPDATE_MS);

/** @param {number | null | undefined} leftMs when it was sent @param {number} delayMs since then */
export function setFirstMoveTime(leftMs, delayMs) {
  endsAt = typeof leftMs === 'number' ? performance.now() + leftMs - delayMs : null;
  hasWarned = false;
  update();
}

function update() {
  line.hidden = endsAt === null || !state.book || isOver() || Boolean(state.pauseMessage);
  if (line.hidden || endsAt === null) return;
  const leftMs = Math.max(0, endsAt - performance.now());
  const isOwn = state.you === state.view.to_move;
  const who = isOwn ? 'mine' : 'theirs';
  const words = t(`play.first_move.${isPlayer() ? who : 'viewer'}`,
    { time: minutesAndSeconds(leftMs) });
  if (line.textContent !== words) line.textContent = words;
  line.classList.toggle('near', leftMs < WARNING_MS);
  if (leftMs >= WARNING_MS || hasWarned || !isOwn) return;
  hasWarned = true;
  playSound('lowTime');
  board.say(words);
}

/** @param {number} ms */
function minutesAndSeconds(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
