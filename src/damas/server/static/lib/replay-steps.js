/** Steps through the positions of a game on a board: first, previous, next, last, by buttons and keys. */

import { fill, h } from './dom.js';
import { t } from './words.js';

/** @import { DamasBoard } from '../board/damas-board.js' */
/** @import { FrameView, RemarkView, ReplayView } from './messages.js' */

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last' };

/**
 * Shows the last position, of an annotated line the first; returns the function for the keys that are pressed
 * around the board.
 * @param {{
 *   board: DamasBoard, replay: ReplayView, buttons: HTMLButtonElement[], label: HTMLElement,
 *   comments?: HTMLElement | null, orientation?: 'white' | 'black',
 * }} parts the buttons say in `data-step` where they lead
 */
export function prepareSteps({ board, replay, buttons, label, comments, orientation = 'white' }) {
  const { book, frames, remarks } = replay;
  const last = frames.length - 1;
  let shown = last;
  /** @type {Record<string, () => number>} */
  const steps = { first: () => 0, previous: () => shown - 1, next: () => shown + 1, last: () => last };

  /** @param {number} wanted */
  const show = (wanted) => {
    shown = Math.min(Math.max(wanted, 0), last);
    const frame = /** @type {FrameView} */ (frames[shown]);
    board.position = frame;
    if (remarks.length) showRemark(remarks[shown]);
    const move = frame.last?.text;
    label.textContent = move ? t('share.step', { move, ply: shown, last }) : t('share.at_start');
    for (const button of buttons) {
      const isForward = button.dataset.step === 'next' || button.dataset.step === 'last';
      button.setAttribute('aria-disabled', String(isForward ? shown === last : shown === 0));
    }
  };

  /** @param {RemarkView} remark */
  const showRemark = ({ comments: texts, drawings }) => {
    const shapes = drawings.map(({ start, end, color }) => ({ from: start, to: end, brush: color }));
    board.set({ drawings: shapes });
    if (comments) fill(comments, ...texts.map((text) => h('p.embed-comment', text)));
  };

  board.set({ book, movable: 'none', hints: false, orientation });
  for (const button of buttons) {
    button.addEventListener('click', () => show(steps[button.dataset.step ?? 'last']()));
  }
  show(remarks.length ? 0 : last);
  return (/** @type {KeyboardEvent} */ event) => {
    const step = steps[KEYS[event.key]];
    const isInBoard = event.target instanceof Element && board.contains(event.target);
    if (!step || event.ctrlKey || event.metaKey || event.altKey || isInBoard) return;
    event.preventDefault();
    show(step());
  };
}
