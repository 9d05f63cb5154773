/** Animating the board from one position to the next. */

import { finishAnimations } from './motion.js';
import { colourOf } from './pieces.js';
import { endOf } from './selection.js';
import { moveWords } from './spoken.js';
import { EMPTY_POSITION } from './state.js';

/** @import { Pieces, PositionView } from '../lib/messages.js' */
/** @import { DamasBoard } from './damas-board.js' */
/** @import { Path } from './selection.js' */
/** @import { Stage } from './stage.js' */

/**
 * The square of a man that was crowned by hand, or -1.
 * @param {PositionView} before @param {PositionView} view
 */
function newKing(before, view) {
  const square = before.crowning && !view.crowning ? before.crowning.square : -1;
  return view.pieces[square] === before.pieces[square] ? -1 : square;
}

export class Transitions {
  /** Resolves when the last animation that was started has ended. @type {Promise<void>} */
  done = Promise.resolve();
  /** The position that pieces are moving to. @type {PositionView | null} */
  #target = null;

  /** @param {DamasBoard} board */
  constructor(board) {
    this.board = board;
  }

  /** @param {Promise<void>} animation */
  run(animation) {
    this.done = animation;
  }

  /**
   * Shows a position, animating its last move if it follows the one before.
   * @param {PositionView} before @param {PositionView} view @param {Path | null} pending
   */
  show(before, view, pending) {
    const { stage } = this.board;
    if (!stage) return;
    this.#target = view;
    const isCurrent = () => this.#target === view && this.board.stage === stage;
    this.done = this.#animate(stage, before, view, pending, isCurrent)
      .then(() => { if (isCurrent()) this.#target = null; });
  }

  /**
   * @param {Stage} stage @param {PositionView} before @param {PositionView} view
   * @param {Path | null} pending the move entered here, whose animation is running already
   * @param {() => boolean} isCurrent
   */
  async #animate(stage, before, view, pending, isCurrent) {
    const last = view.last;
    const isSame = before.fen === view.fen && before.ply === view.ply;
    if (isSame && (before.lifting || before.crowning)) { // a piece may have been lifted or crowned by hand
      return stage.removeCaptured(view.pieces, newKing(before, view), [], isCurrent);
    }
    if (!last || isSame || last.route.length < 2) return stage.place(view.pieces);
    const origin = last.route[0], end = endOf(last.route), captured = last.captured ?? [];
    const follows = before !== EMPTY_POSITION && before.pieces[origin] && view.pieces[end]
      && (view.ply === undefined || before.ply === undefined || view.ply === before.ply + 1);
    const piece = view.pieces[end] ?? before.pieces[origin];
    if (piece && (follows || pending)) this.board.say(moveWords(colourOf(piece), last.text, captured.length));
    if (!follows) return stage.place(view.pieces);
    if (pending && pending.move.text === last.text) await this.done;
    else {
      stage.place(before.pieces);
      await stage.move(last.route, captured);
    }
    const crowned = before.pieces[origin] !== view.pieces[end] ? end : -1;
    if (isCurrent()) await stage.removeCaptured(view.pieces, crowned, captured, isCurrent);
  }

  /** Cuts the animations short and shows the position they lead to. @param {Pieces} pieces */
  finish(pieces) {
    const { stage } = this.board;
    if (stage) finishAnimations(stage.svg);
    if (!this.#target) return;
    this.stop();
    stage?.place(pieces);
  }

  /** Leaves the board to whoever draws next. */
  stop() {
    this.#target = null;
  }
}
