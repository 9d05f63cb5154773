/** What a board shows and which move is being entered. No drawing, no rules. */

import { squareNames } from './labels.js';
import { colourOf } from './pieces.js';

/** @import { MoveView, PositionView, ShownRulebook, Side } from '../lib/messages.js' */
/** @import { Numbering } from './labels.js' */
/** @import { Arrow, Brush } from './overlay.js' */
/** @import { Path } from './selection.js' */

/**
 * @typedef {{from: number, to: number, brush: Brush}} Drawing an arrow, or a square where both are equal
 * @typedef {{route?: number[], captured?: number[], marks?: number[]}} ShownRefusal the capture that the
 *   rules ask for as a numbered path with its pieces ringed, or marked squares
 */

/** @type {PositionView} */
export const EMPTY_POSITION = { fen: '', turn: 'white', pieces: {}, legal: [], must_capture: false };

export class BoardState {
  /** @type {ShownRulebook | null} */
  book = null;
  view = EMPTY_POSITION;
  /** The side at the bottom. @type {Side} */
  orientation = 'white';
  /** Whose pieces the visitor may move. @type {Side | 'both' | 'none'} */
  movable = 'none';
  /** @type {Numbering} */
  numbering = 'rulebook';
  /** Whether possible moves may be shown. */
  hints = true;
  /** @type {Arrow[]} */
  arrows = [];
  /** Squares to mark. @type {number[]} */
  marks = [];
  /** What somebody has drawn on the board. @type {Drawing[]} */
  drawings = [];
  /** Whether the visitor may draw, by the right button. */
  mayDraw = false;
  /** The colour in which taps and drags draw; empty: they move pieces. @type {Brush | ''} */
  brush = '';
  /** Where an arrow begins that is being drawn, or -1. */
  drawnFrom = -1;
  /** @type {ShownRefusal | null} */
  refusal = null;
  touchMove = false;
  /** Whether every attempt counts: any piece may be led to any square, and invalid moves are sent. */
  attemptsCount = false;
  /** The illegal move that loses the game, where they are counted; 0 if none does. */
  illegalLoseAt = 0;
  /** Whether each move has to be confirmed. */
  confirm = false;
  editable = false;
  /** Whether a move may be entered before its turn: only where no attempt costs anything. */
  premoves = false;

  /** Squares of a move entered before its turn, the piece's own first. @type {number[]} */
  premove = [];
  /** Squares of the move being entered, the piece's own first. @type {number[]} */
  entered = [];
  /** A move that was entered and is not part of a position yet. @type {Path | null} */
  pending = null;
  /** Paths to choose from. @type {{paths: Path[], previewed: number} | null} */
  choice = null;
  /** Squares whose pieces attract attention. @type {Set<number>} */
  pulsing = new Set();

  /** @returns {MoveView[]} */
  get legal() {
    return this.view.legal ?? [];
  }

  /** Square names as shown. @returns {string[]} */
  get names() {
    return this.book ? squareNames(this.book, this.numbering) : [];
  }

  /** Whether the side to move may be moved here. */
  get mayMove() {
    return this.#isMine(this.view.turn);
  }

  /** Squares of captured pieces that the visitor has to lift, in their order. @returns {number[]} */
  get toLift() {
    const { lifting } = this.view;
    return lifting && this.#isMine(lifting.by) ? lifting.squares : [];
  }

  /** The square of the opponent's man that the visitor has to crown, or -1. */
  get toCrown() {
    const { crowning } = this.view;
    return crowning && this.#isMine(crowning.by) ? crowning.square : -1;
  }

  /** @param {Side} side */
  #isMine(side) {
    return this.movable === 'both' || this.movable === side;
  }

  /** Whether the visitor is to enter a move. */
  get awaitsMove() {
    return Boolean(this.book) && !this.pending && this.mayMove && this.legal.length > 0;
  }

  /** Whether the visitor may try to move out of turn, which loses: only where every attempt counts. */
  get mayTryOutOfTurn() {
    return this.attemptsCount && !this.mayMove && this.movable !== 'none' && this.legal.length > 0;
  }

  /** Whether a move may be entered now for the turn to come. */
  get mayPremove() {
    const isOneSide = this.movable === 'white' || this.movable === 'black';
    const isFree = this.premoves && !this.pending && !this.editable;
    return isFree && isOneSide && !this.mayMove && Boolean(this.book);
  }

  /** Whether a premove may begin with the piece on a square. @param {number} square */
  canPremove(square) {
    const code = this.view.pieces[square];
    return this.mayPremove && Boolean(code) && colourOf(code) === this.movable;
  }

  /** Where the piece of the move being entered is, or -1. */
  get currentSquare() {
    return this.entered.length ? this.entered[this.entered.length - 1] : -1;
  }

  /** The square of a touched piece that must be played, or -1. */
  get touchedSquare() {
    const name = this.view.touched, board = this.book?.board;
    if (!name || !board) return -1;
    return board.squares.findIndex((square) => square[board.scheme] === name || square.alg === name);
  }

  /** @param {number} square */
  isOwnPiece(square) {
    const code = this.view.pieces[square];
    return Boolean(code) && colourOf(code) === this.view.turn && this.mayMove;
  }

  /** Whether a piece may be selected: one's own, or any where every attempt counts. @param {number} square */
  canSelect(square) {
    const code = this.view.pieces[square];
    if (this.mayTryOutOfTurn) return Boolean(code) && colourOf(code) === this.movable;
    return this.isOwnPiece(square) || (this.attemptsCount && this.mayMove && Boolean(code));
  }

  /** Whether a piece may be dragged. @param {number} square */
  canLift(square) {
    if (this.canPremove(square)) return true;
    if (this.pending || this.editable || this.choice || !this.legal.length) return false;
    return this.entered.length > 1 ? square === this.currentSquare : this.canSelect(square);
  }

  /** Whether a view shows the same position: a move being entered goes on. @param {PositionView} view */
  isSamePosition(view) {
    const now = this.view;
    return now !== view && now.fen === view.fen && now.ply === view.ply && now.rulebook === view.rulebook
      && now.crowning?.square === view.crowning?.square && view.legal?.length > 0;
  }

  /** A square of the last row that a man only passes without being crowned, or -1. @param {Path} path */
  passedCrownRow({ move, route }) {
    const code = this.view.pieces[route[0]], board = this.book?.board;
    if (!board || move.promotes || code !== code?.toLowerCase()) return -1;
    const row = code === 'w' ? board.size - 1 : 0;
    return route.slice(1, -1).find((square) => board.squares[square].row === row) ?? -1;
  }
}
