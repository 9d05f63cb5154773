/** Mouse, pen and touch on the board: clicking, dragging pieces, and painting in the editor. */

import { preference } from '../lib/preferences.js';
import { brushOf, draw, tapToDraw } from './drawing.js';

/** @import { DamasBoard } from './damas-board.js' */
/** @import { Brush } from './overlay.js' */

const DRAG_DISTANCE_PX = 3;

/** A finger is imprecise: beside a playing square it means the nearest one. @param {PointerEvent} event */
const isFinger = (event) => event.pointerType === 'touch';

/** @param {DamasBoard} board @param {HTMLElement} element its grid */
export function listenToPointer(board, element) {
  const { stage, entry, state } = board;
  /**
   * @type {{id: number, square: number, nearest: number, x: number, y: number, lifted: boolean, painted:
   *   number, brush: Brush | ''} | null} with a brush it draws
   */
  let press = null;
  const canDrag = (/** @type {number} */ square) =>
    square >= 0 && !state.brush && preference('moveBy') !== 'click' && state.canLift(square)
    && !board.tray.open;
  const edit = (/** @type {number} */ square) => board.emit('damas-edit', { square });

  element.addEventListener('pointerdown', (event) => {
    if (press || (event.button !== 0 && !(event.button === 2 && state.mayDraw))) return;
    const square = stage.squareAt(event);
    const nearest = stage.squareAt(event, isFinger(event));
    press = { id: event.pointerId, square, nearest, x: event.clientX, y: event.clientY, lifted: false,
      painted: -1, brush: event.button === 2 ? brushOf(event) : state.brush };
    if (press.brush) {
      if (!state.brush) board.set({ drawnFrom: nearest });
      element.setPointerCapture(event.pointerId);
      return;
    }
    if (state.editable) {
      if (square >= 0) edit(square);
      press.painted = square;
      return;
    }
    if (canDrag(square)) element.setPointerCapture(event.pointerId);
  });

  element.addEventListener('pointermove', (event) => {
    if (!press || event.pointerId !== press.id || press.brush) return;
    if (state.editable) {
      const square = stage.squareAt(event);
      if (event.buttons && square >= 0 && square !== press.painted) edit((press.painted = square));
      return;
    }
    if (!press.lifted) {
      const distance = Math.hypot(event.clientX - press.x, event.clientY - press.y);
      if (distance < DRAG_DISTANCE_PX || !canDrag(press.square)) return;
      press.lifted = true;
      entry.lift(press.square);
    }
    event.preventDefault();
    stage.drag(press.square, stage.pointOf(event));
  });

  const end = (/** @type {PointerEvent} */ event, /** @type {boolean} */ released) => {
    if (!press || event.pointerId !== press.id) return;
    const { square, nearest, lifted, brush } = press;
    press = null;
    if (brush) return endDrawing(nearest, released ? stage.squareAt(event, isFinger(event)) : -1, brush);
    if (state.editable) return;
    const target = released ? stage.squareAt(event, isFinger(event)) : -1;
    if (lifted) entry.drop(square, target);
    else if (released && nearest >= 0 && target === nearest
      && preference('moveBy') !== 'drag') entry.click(nearest);
  };
  /**
   * A drag draws an arrow, a tap is one of two.
   * @param {number} from @param {number} to @param {Brush} brush
   */
  const endDrawing = (from, to, brush) => {
    if (state.brush && from === to) tapToDraw(board, to);
    else draw(board, from, to, brush);
  };
  element.addEventListener('pointerup', (event) => end(event, true));
  element.addEventListener('pointercancel', (event) => end(event, false));
  // A finger on a piece drags it; elsewhere it scrolls the page.
  element.addEventListener('touchstart', (event) => {
    const finger = event.touches[0];
    const square = finger ? stage.squareAt(finger) : -1;
    if (square < 0 || !event.cancelable) return;
    if (state.editable || state.brush || canDrag(square)) event.preventDefault();
  }, { passive: false });
  element.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    board.premove.cancel();
  });
}
