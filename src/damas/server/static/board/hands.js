/** Pointer and keys: what a hand does on the grid, told to the board as a few intentions. */

import { preference } from '../lib/preferences.js';

const DRAG_AFTER = 3;

/**
 * @typedef {object} Hands what the board does about it
 * @property {(event: {clientX: number, clientY: number}, roughly?: boolean) => number} squareAt `roughly`: between squares that are
 *   played on, the nearest one
 * @property {(square: number) => boolean} canLift may this piece be taken in the hand?
 * @property {(square: number) => void} click
 * @property {(square: number) => void} lift
 * @property {(square: number, event: PointerEvent) => void} hold
 * @property {(square: number, target: number) => void} drop target is -1 outside the squares
 * @property {() => boolean} editing
 * @property {(square: number) => void} edit
 */

/** A finger is broad: on a large board a square is small for it, but the squares between belong to nobody. @param {PointerEvent} event */
const isFinger = (event) => event.pointerType === 'touch';

/** @param {HTMLElement} element @param {Hands} hands */
export function listen(element, hands) {
  /** @type {{id: number, square: number, meant: number, x: number, y: number, held: boolean, painted: number} | null} */
  let press = null;

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || press) return;
    const square = hands.squareAt(event);
    press = { id: event.pointerId, square, meant: hands.squareAt(event, isFinger(event)), x: event.clientX, y: event.clientY, held: false, painted: -1 };
    if (hands.editing()) {
      if (square >= 0) hands.edit(square);
      press.painted = square;
      return;
    }
    // A finger that lifts a piece must not scroll the page; one beside the pieces may.
    if (square >= 0 && hands.canLift(square) && preference('moveBy') !== 'click') element.setPointerCapture(event.pointerId);
  });

  element.addEventListener('pointermove', (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (hands.editing()) {
      const square = hands.squareAt(event);
      if (event.buttons && square >= 0 && square !== press.painted) hands.edit((press.painted = square));
      return;
    }
    if (!press.held) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) >= DRAG_AFTER;
      if (!far || press.square < 0 || preference('moveBy') === 'click' || !hands.canLift(press.square)) return;
      press.held = true;
      hands.lift(press.square);
    }
    event.preventDefault();
    hands.hold(press.square, event);
  });

  const end = (/** @type {PointerEvent} */ event, /** @type {boolean} */ given) => {
    if (!press || event.pointerId !== press.id) return;
    const { square, meant, held } = press;
    press = null;
    if (hands.editing()) return;
    const target = given ? hands.squareAt(event, isFinger(event)) : -1;
    if (held) hands.drop(square, target);
    else if (given && target === meant && meant >= 0 && preference('moveBy') !== 'drag') hands.click(meant);
  };
  element.addEventListener('pointerup', (event) => end(event, true));
  element.addEventListener('pointercancel', (event) => end(event, false));
  // A finger on a piece drags it; elsewhere it scrolls as on any page.
  element.addEventListener('touchstart', (event) => {
    const finger = event.touches[0];
    const square = finger ? hands.squareAt(finger) : -1;
    if (square >= 0 && (hands.editing() || (hands.canLift(square) && preference('moveBy') !== 'click')) && event.cancelable) event.preventDefault();
  }, { passive: false });
  element.addEventListener('contextmenu', (event) => event.preventDefault());
}
