/**
 * A move entered before its turn: squares from one's own piece, shown as an arrow, kept on this board alone.
 * It is played when the turn comes if exactly one legal move goes along them, else it is dropped.
 */

import { t } from '../lib/words.js';
import { premovePath } from './selection.js';

/** @import { PositionView } from '../lib/messages.js' */
/** @import { DamasBoard } from './damas-board.js' */

export class Premove {
  /** The position in which it was entered, and its ply. */
  #fen = '';
  #ply = 0;

  /** @param {DamasBoard} board */
  constructor(board) {
    this.board = board;
    this.state = board.state;
  }

  /**
   * A click out of turn: begins with a piece, goes on to a square, or cancels.
   * @param {number} square @returns {boolean} whether the click was meant for a premove
   */
  click(square) {
    const { state } = this;
    const { premove } = state;
    if (!state.mayPremove) return false;
    if (premove.length && this.#reaches(square)) this.#enter([...premove, square]);
    else if (state.canPremove(square) && square !== premove[0]) this.#enter([square]);
    else if (premove.length) this.cancel();
    else return false;
    return true;
  }

  /**
   * A piece is lifted out of turn: it takes the place of what was entered before, and is chosen when the turn
   * comes.
   * @param {number} square
   * @returns {boolean} whether it begins a premove
   */
  lift(square) {
    if (!this.state.canPremove(square)) return false;
    this.#enter([square]);
    return true;
  }

  /** A piece was dragged from one square to another out of turn. @param {number} from @param {number} to */
  drop(from, to) {
    if (from === to) return; // it stays chosen
    if (to >= 0 && this.#isInLine(from, to)) this.#enter([from, to]);
    else this.cancel();
  }

  /** All squares of a typed move out of turn. @param {number[]} squares */
  enterTyped(squares) {
    if (!this.state.mayPremove || !this.state.canPremove(squares[0])) return false;
    this.#enter(squares);
    return true;
  }

  /** @returns {boolean} whether there was one to cancel */
  cancel() {
    if (!this.state.premove.length) return false;
    this.#forget();
    this.board.say(t('board.premove.cancelled'));
    return true;
  }

  /** Plays or drops the premove in the position that is shown now, once everybody has heard of it. */
  follow() {
    const { state } = this;
    if (!state.premove.length || state.movable === 'none') return; // an earlier position is shown
    if (state.mayPremove && state.view.fen === this.#fen) return;
    const squares = state.premove, { view } = state;
    this.#forget();
    queueMicrotask(() => this.#play(squares, view));
  }

  /** @param {number[]} squares @param {PositionView} view */
  #play(squares, view) {
    const { state, board } = this;
    if (state.view !== view || state.entered.length) return; // the game has gone on meanwhile
    const isNext = state.premoves && state.mayMove && view.ply === this.#ply + 1; // nothing was taken back
    const path = isNext ? premovePath(state.legal, squares) : null;
    if (path) board.entry.playText(path.move.text, path.route);
    else if (squares.length === 1) board.entry.selectTouched(squares[0]); // chosen, and it stays so
    else board.showHint(t('board.premove.dropped'));
  }

  /** @param {number[]} squares */
  #enter(squares) {
    const { state, board } = this;
    state.premove = squares;
    this.#fen = state.view.fen;
    this.#ply = state.view.ply ?? 0;
    const names = squares.map((square) => state.names[square]).join(' ');
    board.say(t(squares.length > 1 ? 'board.premove.set' : 'board.premove.from', { squares: names }));
    board.render();
  }

  #forget() {
    this.state.premove = [];
    this.board.render();
  }

  /** Whether the piece can go on: along a line, after the first step only by jumps. @param {number} to */
  #reaches(to) {
    const { premove } = this.state;
    const from = premove[premove.length - 1];
    if (from === to || !this.#isInLine(from, to)) return false;
    if (premove.length === 1) return !this.state.canPremove(to);
    const steps = [...premove, to];
    const { geometry } = this.board.stage;
    if (steps.slice(1).some((square, i) => !geometry.between(steps[i], square).length)) return false;
    return to === premove[0] ? premove.length > 3 : !this.state.canPremove(to);
  }

  /** @param {number} from @param {number} to */
  #isInLine(from, to) {
    const { geometry } = this.board.stage;
    return geometry.rays(from).some((ray) => ray.includes(to)) || geometry.between(from, to).length > 0;
  }
}
