/** Pieces under way. Every movement can be cut short, and none is made for those who prefer stillness. */

import { preference } from '../lib/preferences.js';

const PACE = { none: 0, fast: 0.5, normal: 1, slow: 1.8 };
const HOP = 200;
const LONGEST = 900;
export const SPRING = 150;

/** @returns {number} how many times as long as usual; 0 is not at all */
export function pace() {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return 0;
  return PACE[/** @type {keyof typeof PACE} */ (preference('animation'))] ?? 1;
}

/** @param {{x: number, y: number}} point */
export function at(point) {
  return `translate(${point.x}px, ${point.y}px)`;
}

/**
 * Moves a piece hop by hop; resolves when it is there, or was sent there.
 * @param {SVGElement} piece @param {{x: number, y: number}[]} points the first is where it stands
 * @param {number} [duration] milliseconds, else 200 a hop and 900 in all at most
 */
export async function hop(piece, points, duration) {
  const time = (duration ?? Math.min(HOP * (points.length - 1), LONGEST)) * pace();
  piece.style.transform = at(points[points.length - 1]);
  if (!time) return;
  const movement = piece.animate(points.map((point) => ({ transform: at(point), easing: 'ease-in-out' })), { duration: time });
  await settled(movement);
}

/** @param {Element} element @param {Keyframe[]} frames @param {number} duration */
export async function fade(element, frames, duration) {
  const time = duration * pace();
  if (time) await settled(element.animate(frames, { duration: time, easing: 'ease-out' }));
}

/** @param {Animation} movement */
async function settled(movement) {
  try {
    await movement.finished;
  } catch { /* cut short: the piece already stands where it ends */ }
}

/** Sends everything under way to its end. @param {Element} root */
export function finish(root) {
  for (const movement of root.getAnimations({ subtree: true })) {
    if (!(movement instanceof CSSAnimation || movement instanceof CSSTransition)) movement.cancel();
  }
}
