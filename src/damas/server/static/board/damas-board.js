/**
 * `<damas-board>`: shows a position and its legal moves, both sent by the server, and reports which move a
 * player enters by pointer, keyboard or text. It knows no rules. Its events are described in `events.d.ts`.
 */

import { h } from '../lib/dom.js';
import { onPreferences } from '../lib/preferences.js';
import { t, useWordsOf } from '../lib/words.js';
import { displayState } from './display.js';
import { Grid } from './grid.js';
import { listenToKeys } from './keyboard.js';
import { squareNames } from './labels.js';
import { MoveEntry } from './move-entry.js';
import { provideShapes } from './pieces.js';
import { listenToPointer } from './pointer.js';
import { Premove } from './premove.js';
import { piecesWords } from './spoken.js';
import { Stage } from './stage.js';
import { BoardState, EMPTY_POSITION } from './state.js';
import { Transitions } from './transitions.js';
import { Tray } from './tray.js';

/** @import { PositionView, RulebookView } from '../lib/messages.js' */

const HINT_MS = 3000;
const PULSE_MS = 1000;
/** The labels are drawn again when the board's size on the screen changes by this share. */
const RESIZE_TOLERANCE = 0.04;

export class DamasBoard extends HTMLElement {
  #frame = h('div.board-frame');
  #live = h('div.visually-hidden', { role: 'status', 'aria-live': 'polite', testid: 'live' });
  #hint = h('p.board-hint', { 'aria-hidden': 'true', hidden: true, testid: 'board-hint' });
  #hintTimer = 0;
  #pulseTimer = 0;
  #unitsPerPixel = 1.5;
  /** How many squares of an unfinished capture were last reported by `damas-step`. */
  #reportedSteps = 0;

  state = new BoardState();
  tray = new Tray();
  /** Set once there is a rulebook and the element is in a page. */
  stage = /** @type {Stage} */ (/** @type {unknown} */ (null));
  /** Set with the stage. */
  grid = /** @type {Grid} */ (/** @type {unknown} */ (null));
  transitions = new Transitions(this);
  /** Moves entered by pages: typed, played by a button, taken back. */
  entry = new MoveEntry(this);
  /** The move entered before its turn. */
  premove = new Premove(this);

  connectedCallback() {
    if (this.#frame.parentNode === this) return;
    provideShapes();
    this.dataset.testid ??= 'board';
    this.append(this.#frame, this.#hint, this.tray.element, this.#live);
    listenToKeys(this);
    new ResizeObserver(() => this.#resize()).observe(this.#frame);
    onPreferences(({ blindfold }) => {
      this.classList.toggle('blindfold', Boolean(blindfold));
      this.render();
    });
    this.#build();
  }

  // Properties

  /** As it was set: our pages give all they know of a rulebook. */
  get book() { return /** @type {RulebookView | null} */ (this.state.book); }
  get orientation() { return this.state.orientation; }
  get hints() { return this.state.hints; }
  get movable() { return this.state.movable; }

  /** Changes what is shown. @param {Partial<BoardState>} changes */
  set(changes) {
    const needsBuild = /** @type {const} */ (['book', 'orientation', 'numbering'])
      .some((name) => name in changes && changes[name] !== this.state[name]);
    const changesTerms = /** @type {const} */ (['attemptsCount', 'illegalLoseAt'])
      .some((name) => name in changes && changes[name] !== this.state[name]);
    Object.assign(this.state, changes);
    if (needsBuild) this.#build();
    else this.render();
    if (changesTerms) this.emit('damas-terms', {});
  }

  /** @returns {PositionView} */
  get position() { return this.state.view; }
  set position(position) {
    const state = this.state, before = state.view, pending = state.pending;
    const view = position ?? EMPTY_POSITION;
    const isSame = state.isSamePosition(view);
    state.view = view;
    if (isSame && (pending || state.entered.length)) {
      this.render();
      return;
    }
    state.pending = null;
    this.entry.forget();
    if (before.fen !== view.fen) state.refusal = null;
    this.setAttribute('fen', view.fen ?? '');
    this.setAttribute('turn', view.turn);
    if (this.stage) this.stage.toLift = view.lifting?.squares ?? [];
    this.transitions.show(before, view, pending);
    this.render();
    this.premove.follow();
  }

  /** Square names as shown now. */
  get names() { return this.state.names; }

  get legal() { return this.state.legal; }

  /** Whether the visitor is to enter a move. */
  get awaitsMove() { return this.state.awaitsMove; }

  // Methods for pages

  /** Announces a sentence to screen readers. @param {string} words */
  say(words) {
    // A changed text is announced even when it is the same sentence again.
    this.#live.textContent = this.#live.textContent === words ? `${words} ` : words;
  }

  /** Where the pieces are, in words. */
  describe() { return piecesWords(this.state.view.pieces, this.names); }

  /** Lets the outlines of pieces pulse for a moment. @param {Set<number>} squares */
  pulse(squares) {
    this.set({ pulsing: squares });
    clearTimeout(this.#pulseTimer);
    this.#pulseTimer = window.setTimeout(() => this.set({ pulsing: new Set() }), PULSE_MS);
  }

  // Drawing

  #build() {
    const { book, orientation, numbering } = this.state;
    if (!book || !this.isConnected) return;
    const focused = this.grid?.element.contains(document.activeElement) ? this.grid.current : -1;
    const stage = new Stage(book, orientation, numbering, this.#unitsPerPixel);
    useWordsOf(book.id);
    const label = t('board.label', { rulebook: book.name ?? book.id, size: book.board.size });
    const grid = new Grid(stage.geometry, squareNames(book, 'rulebook'), label);
    const squares = stage.geometry.cells.length;
    // A position on a larger board does not fit on this one; that of the new rulebook is set afterwards.
    if (Object.keys(this.state.view.pieces).some((square) => Number(square) >= squares)) {
      this.state.view = EMPTY_POSITION;
    }
    const { view } = this.state;
    this.stage = stage;
    this.grid = grid;
    this.setAttribute('rulebook', book.id);
    this.setAttribute('corner', book.board.corner);
    this.setAttribute('orientation', orientation);
    this.#listenToGrid(grid);
    this.#frame.replaceChildren(stage.svg, grid.element);
    this.entry.forget();
    stage.toLift = view.lifting?.squares ?? [];
    stage.place(view.pieces);
    if (focused >= 0 && focused < grid.cells.length) grid.moveTo(focused);
    this.#resize();
    this.render();
  }

  /** @param {Grid} grid */
  #listenToGrid(grid) {
    listenToPointer(this, grid.element);
    grid.element.addEventListener('focusin', (event) => {
      const square = grid.squareOf(event);
      if (square >= 0 && square !== grid.current) grid.moveTo(square, false);
    });
    grid.element.addEventListener('click', (event) => {
      // A click without a pointer comes from a screen reader.
      if (event.detail === 0) this.entry.click(grid.squareOf(event));
    });
  }

  #resize() {
    const width = this.#frame.clientWidth;
    if (!this.stage || !width) return;
    const scale = this.stage.geometry.side / width;
    if (Math.abs(scale - this.#unitsPerPixel) / this.#unitsPerPixel < RESIZE_TOLERANCE) return;
    this.#unitsPerPixel = scale;
    this.stage.scaleLabels(scale);
  }

  /** Draws the state. */
  render() {
    const { entered } = this.state;
    if (!this.stage || !this.grid) return;
    const steps = entered.length > 1 ? entered : [];
    if (steps.length !== this.#reportedSteps) {
      this.#reportedSteps = steps.length;
      this.emit('damas-step', { route: steps });
    }
    displayState(this.state, this.stage, this.grid);
  }

  // Speech and events

  /** Shows a sentence on the board for a moment and announces it. @param {string} words */
  showHint(words) {
    this.say(words);
    this.#hint.textContent = words;
    this.#hint.hidden = false;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = window.setTimeout(() => this.hideHint(), HINT_MS);
  }

  hideHint() {
    this.#hint.hidden = true;
  }

  /** @param {string} name @param {object} detail @returns {boolean} false if a listener cancelled it */
  emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, detail }));
  }
}

customElements.define('damas-board', DamasBoard);
