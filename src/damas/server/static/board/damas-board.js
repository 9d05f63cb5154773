/**
 * `<damas-board>`: shows a position and its legal moves, both sent by the server, and reports which move a
 * player enters by pointer, keyboard or text. It knows no rules. Its events are described in `events.d.ts`.
 */

import { h } from '../lib/dom.js';
import { onPreferences } from '../lib/preferences.js';
import { t } from '../lib/words.js';
import { displayState } from './display.js';
import { Grid } from './grid.js';
import { listenToKeys } from './keyboard.js';
import { squareNames } from './labels.js';
import { MoveEntry } from './move-entry.js';
import { provideShapes } from './pieces.js';
import { listenToPointer } from './pointer.js';
import { onePathPerMove, pathsStartingWith } from './selection.js';
import { piecesWords, raysWords } from './spoken.js';
import { Stage } from './stage.js';
import { BoardState, EMPTY_POSITION } from './state.js';
import { Transitions } from './transitions.js';
import { Tray } from './tray.js';

/** @import { PositionView, RulebookView } from '../lib/messages.js' */
/** @import { Numbering } from './labels.js' */
/** @import { ShownRefusal } from './state.js' */

const HINT_MS = 3000;
const PULSE_MS = 1000;
/** The labels are drawn again when the board's size on the screen changes by this share. */
const RESIZE_TOLERANCE = 0.04;

export class DamasBoard extends HTMLElement {
  #state = new BoardState();
  #tray = new Tray();
  #frame = h('div.board-frame');
  #live = h('div.visually-hidden', { role: 'status', 'aria-live': 'polite', dataset: { testid: 'live' } });
  #hint = h('p.board-hint', { 'aria-hidden': 'true', hidden: true, dataset: { testid: 'board-hint' } });
  #hintTimer = 0;
  #pulseTimer = 0;
  #unitsPerPixel = 1.5;
  /** How many squares of an unfinished capture were last reported by `damas-step`. */
  #reportedSteps = 0;
  /** Null until there is a rulebook and the element is in a page. @type {Stage | null} */
  #stage = null;
  /** @type {Grid | null} */
  #grid = null;
  #transitions = new Transitions((words) => this.say(words));
  #entry = new MoveEntry({
    state: this.#state, tray: this.#tray, transitions: this.#transitions,
    stage: () => /** @type {Stage} */ (this.#stage), grid: () => /** @type {Grid} */ (this.#grid),
    render: () => this.#render(), say: (words) => this.say(words), showHint: (words) => this.#showHint(words),
    hideHint: () => { this.#hint.hidden = true; }, pulse: (squares) => this.pulse(squares),
    emit: (name, detail) => this.#emit(name, detail),
  });

  connectedCallback() {
    if (this.#frame.parentNode === this) return;
    provideShapes();
    this.dataset.testid ??= 'board';
    this.append(this.#frame, this.#hint, this.#tray.element, this.#live);
    listenToKeys(this, {
      tray: this.#tray,
      grid: () => /** @type {Grid} */ (this.#grid),
      geometry: () => /** @type {Stage} */ (this.#stage).geometry,
      click: (square) => this.#entry.click(square),
      cancel: () => (this.#state.entered.length ? this.#entry.cancel() : this.clearRefusal()),
      read: (square, what) => this.say(this.#squareSpeech[what](square)),
    });
    new ResizeObserver(() => this.#resize()).observe(this.#frame);
    onPreferences(({ blindfold }) => {
      this.classList.toggle('blindfold', Boolean(blindfold));
      this.#render();
    });
    this.#build();
  }

  // Properties

  /** @returns {RulebookView | null} */
  get book() { return this.#state.book; }
  set book(book) {
    if (!book || this.#state.book === book) return;
    this.#state.book = book;
    this.setAttribute('rulebook', book.id);
    this.setAttribute('corner', book.board.corner);
    this.#build();
  }

  get orientation() { return this.#state.orientation; }
  set orientation(side) {
    if (this.#state.orientation === side) return;
    this.#state.orientation = side;
    this.#build();
  }

  /** @returns {Numbering} */
  get numbering() { return this.#state.numbering; }
  set numbering(numbering) {
    if (this.#state.numbering === numbering) return;
    this.#state.numbering = numbering;
    this.#build();
  }

  get movable() { return this.#state.movable; }
  set movable(movable) { this.#set({ movable }); }

  get hints() { return this.#state.hints; }
  set hints(hints) { this.#set({ hints }); }

  get arrows() { return this.#state.arrows; }
  set arrows(arrows) { this.#set({ arrows }); }

  get marks() { return this.#state.marks; }
  set marks(marks) { this.#set({ marks }); }

  get touchMove() { return this.#state.touchMove; }
  set touchMove(touchMove) { this.#set({ touchMove }); }

  get confirm() { return this.#state.confirm; }
  set confirm(confirm) { this.#set({ confirm }); }

  get editable() { return this.#state.editable; }
  set editable(editable) { this.#set({ editable }); }

  /** @param {Partial<BoardState>} changes */
  #set(changes) {
    Object.assign(this.#state, changes);
    this.#render();
  }

  /** @returns {PositionView} */
  get position() { return this.#state.view; }
  set position(position) {
    const state = this.#state, before = state.view, pending = state.pending;
    const view = position ?? EMPTY_POSITION;
    const isSame = state.isSamePosition(view);
    state.view = view;
    if (isSame && (pending || state.entered.length)) {
      this.#render();
      return;
    }
    state.pending = null;
    this.#entry.forget();
    if (before.fen !== view.fen) state.refusal = null;
    this.setAttribute('fen', view.fen ?? '');
    this.setAttribute('turn', view.turn);
    this.#transitions.show(before, view, pending);
    this.#render();
  }

  /** Square names as shown now. */
  get names() { return this.#state.names; }

  get legal() { return this.#state.legal; }

  /** Whether the visitor is to enter a move. */
  get awaitsMove() { return this.#state.awaitsMove; }

  get geometry() { return this.#stage?.geometry; }

  // Methods for pages

  /** @param {ShownRefusal} refusal */
  showRefusal(refusal) { this.#set({ refusal }); }

  clearRefusal() { this.#entry.clearRefusal(); }

  /** Takes back a move that was entered but not accepted. */
  reset() { this.#entry.reset(); }

  /** Selects a piece that was touched before, without an event. @param {number} square */
  selectTouched(square) { this.#entry.selectTouched(square); }

  /** Plays a legal move by its text. @param {string} text @returns {boolean} whether it could be played */
  play(text) { return this.#entry.playText(text); }

  /**
   * Enters a typed move; events are the same as by hand.
   * @param {string} text @returns {'move' | 'choose' | 'illegal'}
   */
  playTyped(text) { return this.#entry.playTyped(text); }

  /** Announces a sentence to screen readers. @param {string} words */
  say(words) {
    // A changed text is announced even when it is the same sentence again.
    this.#live.textContent = this.#live.textContent === words ? `${words} ` : words;
  }

  /** Where the pieces are, in words. */
  describe() { return piecesWords(this.#state.view.pieces, this.names); }

  /** Lets the outlines of pieces pulse for a moment. @param {Set<number>} squares */
  pulse(squares) {
    this.#set({ pulsing: squares });
    clearTimeout(this.#pulseTimer);
    this.#pulseTimer = window.setTimeout(() => this.#set({ pulsing: new Set() }), PULSE_MS);
  }

  // Drawing

  #build() {
    const { book, orientation, numbering, view } = this.#state;
    if (!book || !this.isConnected) return;
    const focused = this.#grid?.element.contains(document.activeElement) ? this.#grid.current : -1;
    const stage = new Stage(book, orientation, numbering, this.#unitsPerPixel);
    const label = t('board.label', { rulebook: book.name ?? book.id, size: book.board.size });
    const grid = new Grid(stage.geometry, squareNames(book, 'rulebook'), label);
    this.#stage = this.#transitions.stage = stage;
    this.#grid = grid;
    this.setAttribute('orientation', orientation);
    this.#listenToGrid(stage, grid);
    this.#frame.replaceChildren(stage.svg, grid.element);
    this.#entry.forget();
    stage.place(view.pieces);
    if (focused >= 0 && focused < grid.cells.length) grid.moveTo(focused);
    this.#resize();
    this.#render();
  }

  /** @param {Stage} stage @param {Grid} grid */
  #listenToGrid(stage, grid) {
    listenToPointer(grid.element, {
      squareAt: (event, nearest) => stage.squareAt(event, nearest),
      canLift: (square) => this.#state.canLift(square) && !this.#tray.open,
      click: (square) => this.#entry.click(square),
      lift: (square) => this.#entry.lift(square),
      drag: (square, event) => stage.drag(square, stage.pointOf(event)),
      drop: (square, target) => this.#entry.drop(square, target),
      isEditing: () => this.editable,
      edit: (square) => this.#emit('damas-edit', { square }),
    });
    grid.element.addEventListener('focusin', (event) => {
      const square = grid.squareOf(event);
      if (square >= 0 && square !== grid.current) grid.moveTo(square, false);
    });
    grid.element.addEventListener('click', (event) => {
      // A click without a pointer comes from a screen reader.
      if (event.detail === 0) this.#entry.click(grid.squareOf(event));
    });
  }

  #resize() {
    const width = this.#frame.clientWidth;
    if (!this.#stage || !width) return;
    const scale = this.#stage.geometry.side / width;
    if (Math.abs(scale - this.#unitsPerPixel) / this.#unitsPerPixel < RESIZE_TOLERANCE) return;
    this.#unitsPerPixel = scale;
    this.#stage.scaleLabels(scale);
  }

  #render() {
    const { entered, pending, choice } = this.#state;
    if (!this.#stage || !this.#grid) return;
    const steps = entered.length > 1 ? entered : [];
    if (steps.length !== this.#reportedSteps) {
      this.#reportedSteps = steps.length;
      this.#emit('damas-step', { route: steps });
    }
    displayState(this.#state, this.#stage, this.#grid);
    this.classList.toggle('busy', Boolean(pending));
    this.classList.toggle('choosing', Boolean(choice));
  }

  // Speech and events

  /** Shows a sentence on the board for a moment and announces it. @param {string} words */
  #showHint(words) {
    this.say(words);
    this.#hint.textContent = words;
    this.#hint.hidden = false;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = window.setTimeout(() => { this.#hint.hidden = true; }, HINT_MS);
  }

  /** Sentences about a square, read on demand. */
  #squareSpeech = {
    moves: (/** @type {number} */ square) => {
      if (!this.hints) return t('board.no_hints');
      const paths = onePathPerMove(pathsStartingWith(this.legal, [square]));
      const moves = paths.map(({ move }) => move.text).join(', ');
      return t(moves ? 'board.moves_of' : 'board.no_moves', { square: this.names[square], moves });
    },
    here: (/** @type {number} */ square) => this.#grid?.cells[square].getAttribute('aria-label') ?? '',
    rays: (/** @type {number} */ square) =>
      raysWords(this.names[square], this.geometry?.rays(square) ?? [], this.position.pieces, this.names),
  };

  /** @param {string} name @param {object} detail @returns {boolean} false if a listener cancelled it */
  #emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, detail }));
  }
}

customElements.define('damas-board', DamasBoard);
