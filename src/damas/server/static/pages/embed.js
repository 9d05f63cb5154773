/** A game or position in a frame of another site: the board, and the steps through its moves. */

import '../board/damas-board.js';
import { DamasBoard } from '../board/damas-board.js';
import { $, $$ } from '../lib/dom.js';
import { t } from '../lib/words.js';

/** @import { FrameView, ReplayView } from '../lib/messages.js' */

/** @type {ReplayView} */
const { book, frames } = JSON.parse($('#replay').textContent ?? '');
const board = $('#board', DamasBoard);
const last = frames.length - 1;
let shown = last;

/** @type {Record<string, () => number>} */
const STEPS = {
  first: () => 0, previous: () => shown - 1, next: () => shown + 1, last: () => last,
};
/** @type {Record<string, keyof typeof STEPS>} */
const KEYS = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last' };
const buttons = $$('[data-step]', HTMLButtonElement);

/** @param {number} wanted */
function show(wanted) {
  shown = Math.min(Math.max(wanted, 0), last);
  const frame = /** @type {FrameView} */ (frames[shown]);
  board.position = frame;
  const move = frame.last?.text;
  $('#move').textContent = move ? t('share.step', { move, ply: shown, last }) : t('share.at_start');
  for (const button of buttons) {
    const isForward = button.dataset.step === 'next' || button.dataset.step === 'last';
    button.setAttribute('aria-disabled', String(isForward ? shown === last : shown === 0));
  }
}

board.set({
  book, movable: 'none', hints: false, orientation: board.dataset.orientation === 'black' ? 'black' : 'white',
});
for (const button of buttons) {
  button.addEventListener('click', () => show(STEPS[button.dataset.step ?? 'last']()));
}
document.addEventListener('keydown', (event) => {
  const step = KEYS[event.key];
  const isInBoard = event.target instanceof Element && board.contains(event.target);
  if (!step || event.ctrlKey || event.metaKey || event.altKey || isInBoard) return;
  event.preventDefault();
  show(STEPS[step]());
});
$('#steps').hidden = last === 0;
show(last);
document.body.dataset.ready = 'embed';
