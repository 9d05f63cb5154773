/** Animations of pieces. Each can be cut short; none plays for visitors who prefer reduced motion. */

import { preference } from '../lib/preferences.js';

/** @import { Point } from './geometry.js' */

const SPEED_FACTORS = { none: 0, fast: 0.5, normal: 1, slow: 1.8 };
const JUMP_MS = 200;
const MAX_MOVE_MS = 900;
export const DROP_MS = 150;

/** What durations are multiplied by; 0 means no animation. */
function durationFactor() {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return 0;
  return SPEED_FACTORS[/** @type {keyof typeof SPEED_FACTORS} */ (preference('animation'))] ?? 1;
}

/** @param {Point} point */
export function translate(point) {
  return `translate(${point.x}px, ${point.y}px)`;
}

/**
 * Moves a piece from point to point; resolves when it has arrived or the animation was cut short.
 * @param {SVGElement} piece @param {Point[]} points the first is where it stands @param {number} [durationMs]
 */
export async function movePiece(piece, points,
  durationMs = Math.min(JUMP_MS * (points.length - 1), MAX_MOVE_MS)) {
  const duration = durationMs * durationFactor();
  piece.style.transform = translate(points[points.length - 1]);
  if (!duration) return;
  const frames = points.map((point) => ({ transform: translate(point), easing: 'ease-in-out' }));
  await finished(piece.animate(frames, { duration }));
}

/** @param {Element} element @param {Keyframe[]} frames @param {number} durationMs */
export async function fade(element, frames, durationMs) {
  const duration = durationMs * durationFactor();
  if (duration) await finished(element.animate(frames, { duration, easing: 'ease-out' }));
}

/** @param {Animation} animation */
async function finished(animation) {
  try {
    await animation.finished;
  } catch { /* cut short: the piece already stands at its end */ }
}

/** Cuts all animations of pieces short. @param {Element} root */
export function finishAnimations(root) {
  for (const animation of root.getAnimations({ subtree: true })) {
    if (!(animation instanceof CSSAnimation || animation instanceof CSSTransition)) animation.cancel();
  }
}
