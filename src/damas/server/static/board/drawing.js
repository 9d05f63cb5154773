/** Drawing arrows and marks on the board: by the right button, or in a colour by taps, drags and Enter. */

/** @import { DamasBoard } from './damas-board.js' */
/** @import { Brush } from './overlay.js' */

/** The colour of the right button with the keys held. @param {PointerEvent} event @returns {Brush} */
export function brushOf({ shiftKey, ctrlKey, altKey }) {
  if (altKey) return shiftKey || ctrlKey ? 'yellow' : 'blue';
  return shiftKey || ctrlKey ? 'red' : 'green';
}

/**
 * Reports a drawn arrow, or a marked square where both are equal.
 * @param {DamasBoard} board @param {number} from @param {number} to @param {Brush} brush
 */
export function draw(board, from, to, brush) {
  board.set({ drawnFrom: -1 });
  if (from >= 0 && to >= 0) board.emit('damas-draw', { from, to, brush });
}

/**
 * A tap: the first one says where an arrow begins, the second where it ends.
 * @param {DamasBoard} board @param {number} square
 */
export function tapToDraw(board, square) {
  const { brush, drawnFrom } = board.state;
  if (!brush || square < 0) return;
  if (drawnFrom < 0) board.set({ drawnFrom: square });
  else draw(board, drawnFrom, square, brush);
}
