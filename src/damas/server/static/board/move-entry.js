/** Entering a move by clicks, dragging or typing: from the first square to the event that a page hears. */

import { t } from '../lib/words.js';
import { tapToDraw } from './drawing.js';
import { colourOf } from './pieces.js';
import {
  endOf, onePathPerMove, onlyCapture, onlyCaptureTo, origins, pathsStartingWith, readTarget,
} from './selection.js';
import { squareWords } from './spoken.js';
import { pathsThrough, readSquares } from './typed.js';

/** @import { NotationScheme } from '../lib/messages.js' */
/** @import { DamasBoard } from './damas-board.js' */
/** @import { Path } from './selection.js' */

const STEP_MS = 150;

export class MoveEntry {
  /** @param {DamasBoard} board */
  constructor(board) {
    this.board = board;
    this.state = board.state;
  }

  /** @param {number} square */
  click(square) {
    const { state, board } = this;
    if (state.editable) return void board.emit('damas-edit', { square });
    if (state.brush) return tapToDraw(board, square);
    if (state.pending || square < 0 || !state.book) return;
    this.finishAnimations();
    if (board.tray.open) return board.tray.cancel?.();
    this.clearRefusal();
    if (board.premove.click(square) || this.#finishByHand(square)) return;
    if (!state.entered.length) return this.#clickFirst(square);
    if (square !== state.currentSquare) return this.#enterTarget(square, false);
    const only = state.entered.length === 1 && state.hints ? onlyCapture(state.legal, square) : null;
    if (only) this.#play(only, false);
    // A touched piece stays selected.
    else if (state.entered.length > 1 || square !== state.touchedSquare) this.cancel();
  }

  /** Lifts a captured piece or crowns a man, where that is done by hand. @param {number} square */
  #finishByHand(square) {
    const { state, board } = this;
    if (state.toLift.includes(square)) board.emit('damas-lift', { square });
    else if (state.toCrown === square) board.emit('damas-crown', { square });
    else if (state.toLift.length) board.showHint(t('board.lift_first'));
    else return false;
    return true;
  }

  /** A click while nothing is selected. @param {number} square */
  #clickFirst(square) {
    const { state } = this;
    if (state.canSelect(square) && state.legal.length) return this.#select(square, true);
    const isFree = state.hints && state.mayMove && !state.view.pieces[square];
    const only = isFree ? onlyCaptureTo(state.legal, square) : null;
    if (only) this.#play(only, false);
    else this.#explainNotPlayable(square);
  }

  /** Says whose piece it is, or whose turn. @param {number} square */
  #explainNotPlayable(square) {
    const { view, movable, names } = this.state;
    const code = view.pieces[square];
    if (!code || movable === 'none') return;
    const side = colourOf(code);
    const piece = squareWords(names[square], code, []);
    if (movable === 'both') {
      this.board.showHint(side === view.turn ? piece : t(`board.turn_of.${view.turn}`, { piece }));
    } else this.board.showHint(t(side === movable ? 'board.not_turn' : 'board.theirs', { piece }));
  }

  /** @param {number} square @param {boolean} byClick */
  #select(square, byClick) {
    const { state, board } = this;
    const isBound = state.touchedSquare >= 0 && state.touchedSquare !== square;
    // Another piece than the touched one is only touched: no square entered next is a move of either.
    state.entered = isBound ? [] : [square];
    if (state.touchMove) board.emit('damas-touch', { square });
    if (isBound) return board.render();
    board.emit('damas-select', { square });
    if (byClick && state.hints && !pathsStartingWith(state.legal, [square]).length) {
      board.emit('damas-illegal', { route: [square] });
      board.pulse(origins(state.legal));
    }
    board.render();
  }

  /** Selects a piece without an event, because it was touched before. @param {number} square */
  selectTouched(square) {
    if (!this.state.isOwnPiece(square) || !this.state.legal.length) return;
    this.finishAnimations();
    this.forget();
    this.state.entered = [square];
    this.board.render();
  }

  /** @param {number} square */
  lift(square) {
    this.finishAnimations();
    this.clearRefusal();
    if (!this.board.premove.lift(square) && this.state.entered.length < 2) this.#select(square, false);
    this.board.stage.lift(square);
  }

  /** @param {number} square @param {number} target -1 outside the squares */
  drop(square, target) {
    const { state, board } = this;
    if (state.canPremove(square)) board.premove.drop(square, target);
    // The position may have changed during the drag, or the piece may not be moved.
    if (square !== state.currentSquare) return board.stage.place(state.view.pieces);
    if (target >= 0 && target !== square) return this.#enterTarget(target, true);
    board.transitions.run(board.stage.putBack(square));
    if (target < 0 && state.entered.length < 2) {
      state.entered = [];
      board.render();
    }
  }

  /** @param {number} target @param {boolean} dropped whether the piece was dragged there */
  #enterTarget(target, dropped) {
    const { state, board } = this;
    const meant = readTarget(state.legal, state.entered, target, { complete: state.hints });
    if (meant.kind === 'play') this.#play(meant.path, dropped);
    else if (meant.kind === 'choose') this.#choose(meant.paths, dropped);
    else if (meant.kind === 'step') this.#step(target, dropped);
    else if (!dropped && this.#isAnotherChoice(target)) this.#select(target, true);
    else if (target === state.entered[0]) this.cancel(); // the piece goes back where it stood
    else if (this.#isSlip(target)) {
      if (dropped) board.transitions.run(board.stage.putBack(state.currentSquare));
    } else this.#refuse(target, dropped);
  }

  /** Whether nobody can mean a move to this square, which would be written down. @param {number} square */
  #isSlip(square) {
    const { hints, attemptsCount } = this.state; // where the first invalid move loses, a wrong square is one
    return !hints && !attemptsCount && this.state.isOwnPiece(square);
  }

  /** Whether a click on a square means another piece to move. @param {number} square */
  #isAnotherChoice(square) {
    const { state } = this;
    const isOwn = state.isOwnPiece(square) || (state.mayTryOutOfTurn && state.canSelect(square));
    return isOwn && state.entered.length === 1;
  }

  /** One jump of a capture that continues. @param {number} target @param {boolean} dropped */
  #step(target, dropped) {
    const { state, board } = this;
    const from = state.currentSquare, stage = board.stage;
    state.entered = [...state.entered, target];
    const captured = new Set(pathsStartingWith(state.legal, state.entered)
      .flatMap(({ move }) => move.captured));
    const jumped = stage.geometry.between(from, target).filter((square) => captured.has(square));
    board.transitions.run(stage.move([from, target], jumped, dropped ? 0 : STEP_MS));
    board.say(t('board.goes_on', { square: state.names[target] }));
    board.render();
  }

  /** @param {Path[]} unsorted @param {boolean} dropped */
  #choose(unsorted, dropped) {
    const { state, board } = this;
    const paths = [...unsorted]
      .sort((a, b) => a.move.text.localeCompare(b.move.text, 'en', { numeric: true }));
    if (dropped) void board.stage.putBack(state.currentSquare);
    const choice = { paths, previewed: 0 };
    state.choice = choice;
    board.tray.choosePath(paths, {
      choose: (path) => {
        this.#play(path, false);
        board.grid.moveTo(endOf(path.route));
      },
      cancel: () => {
        const origin = state.entered[0];
        this.cancel();
        if (origin >= 0) board.grid.moveTo(origin);
      },
      preview: (index) => {
        if (state.choice !== choice || choice.previewed === index) return;
        choice.previewed = index;
        board.render();
      },
    });
    board.render();
  }

  /** @param {Path} path @param {boolean} dropped @param {NotationScheme} [scheme] of a typed move */
  #play(path, dropped, scheme) {
    const { state, board } = this;
    const { move, route } = path;
    const rest = state.entered.length > 1 ? route.slice(state.entered.length - 1) : route;
    state.refusal = null;
    state.entered = [];
    state.choice = null;
    state.pending = path;
    board.transitions.run(board.stage.move(rest, move.captured, dropped ? 0 : undefined));
    board.render();
    const send = () => {
      const detail = { move, route, scheme: scheme ?? null, passes: state.passedCrownRow(path) };
      if (!board.emit('damas-move', detail)) this.reset();
    };
    if (state.confirm) board.tray.confirm(move.text, { confirm: send, cancel: () => this.reset() });
    else send();
  }

  /** @param {number} target @param {boolean} dropped */
  #refuse(target, dropped) {
    const { state, board } = this;
    const route = [...state.entered, target];
    if (state.entered.length > 1) board.stage.place(state.view.pieces);
    else if (dropped) board.transitions.run(board.stage.putBack(state.currentSquare));
    state.entered = [];
    board.render();
    this.#attempt({ route }, route.map((square) => state.names[square]).join(' '));
  }

  /**
   * Reports an illegal attempt, which is confirmed like a move where it counts; out of turn it always is.
   * @param {{route: number[], text?: string, scheme?: NotationScheme | null}} attempt @param {string} words
   */
  #attempt(attempt, words) {
    const { state, board } = this;
    const send = () => void board.emit('damas-illegal', attempt);
    const warning = state.mayTryOutOfTurn ? t('board.out_of_turn') : '';
    if (!warning && (!state.attemptsCount || !state.confirm)) return send();
    if (warning) board.say(warning);
    board.tray.confirm(words, { confirm: send, cancel: () => this.cancel(), warning });
  }

  /**
   * Plays a legal move by its text.
   * @param {string} text @param {number[]} [along] which of its routes
   * @returns {boolean} whether it could be played
   */
  playText(text, along) {
    const paths = pathsStartingWith(this.state.legal, []).filter(({ move }) => move.text === text);
    const path = paths.find(({ route }) => route === along) ?? paths[0];
    if (!path || !this.state.mayMove) return false;
    this.finishAnimations();
    this.forget();
    this.#play(path, false);
    return true;
  }

  /** Plays a typed move, asks which one is meant, or reports an illegal attempt. @param {string} text */
  playTyped(text) {
    const { state, board } = this;
    const early = state.book && state.mayPremove ? readSquares(state.book, text) : null;
    if (early && board.premove.enterTyped(early.squares)) return 'premove';
    if ((!state.awaitsMove && !state.mayTryOutOfTurn) || !state.book || state.pending) {
      const isWaiting = state.legal.length > 0 && !state.pending && state.movable !== 'none';
      board.showHint(t(isWaiting ? 'board.not_turn' : 'board.nothing_to_play'));
      return 'illegal';
    }
    this.finishAnimations();
    this.forget();
    const read = readSquares(state.book, text);
    const isInTurn = read && !state.mayTryOutOfTurn;
    const paths = isInTurn ? onePathPerMove(pathsThrough(state.legal, read.squares)) : [];
    if (paths.length === 1) {
      this.#play(paths[0], false, read?.scheme);
      return 'move';
    }
    if (paths.length > 1 && new Set(paths.map(({ route }) => endOf(route))).size === 1) {
      state.entered = [paths[0].route[0]];
      this.#choose(paths, false);
      return 'choose';
    }
    this.#attempt({ route: read?.squares ?? [], text, scheme: read?.scheme ?? null }, text);
    return 'illegal';
  }

  /** Takes back a move that was not accepted. */
  reset() {
    this.state.pending = null;
    this.board.transitions.stop();
    this.cancel();
  }

  /** Stops entering a move. */
  cancel() {
    this.forget();
    this.board.stage?.place(this.state.view.pieces);
    this.board.render();
  }

  forget() {
    this.state.entered = [];
    this.state.choice = null;
    this.board.tray.close();
  }

  clearRefusal() {
    if (!this.state.refusal) return;
    this.state.refusal = null;
    this.board.render();
  }

  /** Shows everything at its final place at once: a player does not wait for animations. */
  finishAnimations() {
    this.board.hideHint();
    this.board.transitions.finish(this.state.view.pieces);
  }
}
