/** Mouse, pen and touch on the board: clicking, dragging pieces, and painting in the editor. */

import { preference } from '../lib/preferences.js';

const DRAG_DISTANCE_PX = 3;

/**
 * @typedef {object} PointerActions
 * @property {(event: {clientX: number, clientY: number}, nearest?: boolean) => number} squareAt -1 outside
 *   the squares; `nearest`: beside a playing square, the nearest one
 * @property {(square: number) => boolean} canLift
 * @property {(square: number) => void} click
 * @property {(square: number) => void} lift
 * @property {(square: number, event: PointerEvent) => void} drag
 * @property {(square: number, target: number) => void} drop target is -1 outside the squares
 * @property {() => boolean} isEditing
 * @property {(square: number) => void} edit
 */

/**
 * A finger is imprecise, so a touch beside a playing square counts for the nearest one.
 * @param {PointerEvent} event
 */
const isFinger = (event) => event.pointerType === 'touch';

/** @param {HTMLElement} element @param {PointerActions} actions */
export function listenToPointer(element, actions) {
  /**
   * @type {{id: number, square: number, nearest: number, x: number, y: number, lifted: boolean, painted:
   *   number} | null}
   */
  let press = null;
  const canDrag = (/** @type {number} */ square) =>
    square >= 0 && preference('moveBy') !== 'click' && actions.canLift(square);

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || press) return;
    const square = actions.squareAt(event);
    const nearest = actions.squareAt(event, isFinger(event));
    press = { id: event.pointerId, square, nearest, x: event.clientX, y: event.clientY, lifted: false,
      painted: -1 };
    if (actions.isEditing()) {
      if (square >= 0) actions.edit(square);
      press.painted = square;
      return;
    }
    if (canDrag(square)) element.setPointerCapture(event.pointerId);
  });

  element.addEventListener('pointermove', (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (actions.isEditing()) {
      const square = actions.squareAt(event);
      if (event.buttons && square >= 0 && square !== press.painted) actions.edit((press.painted = square));
      return;
    }
    if (!press.lifted) {
      const distance = Math.hypot(event.clientX - press.x, event.clientY - press.y);
      if (distance < DRAG_DISTANCE_PX || !canDrag(press.square)) return;
      press.lifted = true;
      actions.lift(press.square);
    }
    event.preventDefault();
    actions.drag(press.square, event);
  });

  const end = (/** @type {PointerEvent} */ event, /** @type {boolean} */ released) => {
    if (!press || event.pointerId !== press.id) return;
    const { square, nearest, lifted } = press;
    press = null;
    if (actions.isEditing()) return;
    const target = released ? actions.squareAt(event, isFinger(event)) : -1;
    if (lifted) actions.drop(square, target);
    else if (released && nearest >= 0 && target === nearest
      && preference('moveBy') !== 'drag') actions.click(nearest);
  };
  element.addEventListener('pointerup', (event) => end(event, true));
  element.addEventListener('pointercancel', (event) => end(event, false));
  // A finger on a piece drags it; elsewhere it scrolls the page.
  element.addEventListener('touchstart', (event) => {
    const finger = event.touches[0];
    const square = finger ? actions.squareAt(finger) : -1;
    if (square < 0 || !event.cancelable) return;
    if (actions.isEditing() || canDrag(square)) event.preventDefault();
  }, { passive: false });
  element.addEventListener('contextmenu', (event) => event.preventDefault());
}
