/**
 * `<damas-board>`: a board that is drawn, heard, dragged, clicked, typed on and walked with the arrow keys.
 * It shows the position and the legal moves the server sent, and says which of them a player means; it knows no rules.
 *
 * Properties: book, position, orientation, movable, numbering, hints, touchMove, confirm, editable, arrows, marks.
 * Events (bubbling): damas-move {move, route}, damas-illegal {route, text?}, damas-select {square}, damas-touch {square}, damas-step {route}, damas-edit {square}.
 */

import { h } from '../lib/dom.js';
import { onPreferences, preference } from '../lib/preferences.js';
import { t } from '../lib/words.js';
import { Grid, said } from './grid.js';
import { listen } from './hands.js';
import { listenKeys } from './keyboard.js';
import { drawLabels, names } from './labels.js';
import { finish } from './motion.js';
import * as overlay from './overlay.js';
import { colourOf, provideShapes } from './pieces.js';
import { different, follow, landings, onlyCapture, onlyCaptureTo, origins, touch } from './selection.js';
import { moveWords, piecesWords, raysWords, squareWords } from './spoken.js';
import { Stage } from './stage.js';
import { Tray } from './tray.js';
import { pathsThrough, readSquares } from './typed.js';

/** @typedef {import('./selection.js').Path} Path @typedef {import('./selection.js').Legal} Legal */

const HINT_MS = 3000;
const NOWHERE = { fen: '', turn: 'white', pieces: {}, legal: [], must_capture: false };

export class DamasBoard extends HTMLElement {
  #book = /** @type {any} */ (null);
  #view = /** @type {any} */ (NOWHERE);
  #orientation = /** @type {'white'|'black'} */ ('white');
  #movable = 'none';
  #numbering = 'rulebook';
  #hints = true;
  #arrows = /** @type {{route: number[], brush?: string}[]} */ ([]);
  #marks = /** @type {number[]} */ ([]);
  #refusal = /** @type {{route?: number[], captured?: number[], marks?: number[]} | null} */ (null);

  /** The squares touched so far; the piece's own first. @type {number[]} */
  #prefix = [];
  /** How many squares of a capture that goes on have been told. */
  #begun = 0;
  /** A move given away and not yet come back in a position. @type {Path | null} */
  #pending = null;
  /** Paths to choose from, and the one looked at. @type {{paths: Path[], looked: number} | null} */
  #choice = null;
  #moving = Promise.resolve();
  /** The position whose pieces are still on their way. @type {any} */
  #arriving = null;
  #stage = /** @type {Stage} */ (/** @type {unknown} */ (null));
  #grid = /** @type {Grid} */ (/** @type {unknown} */ (null));
  #tray = new Tray();
  #frame = h('div.board-frame');
  #live = h('div.visually-hidden', { role: 'status', 'aria-live': 'polite', dataset: { testid: 'live' } });
  #hint = h('p.board-hint', { 'aria-hidden': 'true', hidden: true, dataset: { testid: 'board-hint' } });
  #hinted = 0;
  #unitsPerPixel = 1.5;
  /** @type {Set<number>} */
  #pulsing = new Set();
  #pulse = 0;

  touchMove = false;
  confirm = false;
  editable = false;

  connectedCallback() {
    if (this.#frame.parentNode === this) return;
    provideShapes();
    this.dataset.testid ??= 'board';
    this.append(this.#frame, this.#hint, this.#tray.element, this.#live);
    listenKeys(this, {
      tray: this.#tray,
      grid: () => this.#grid,
      geometry: () => this.#stage.geometry,
      click: (square) => this.#click(square),
      cancel: () => (this.#prefix.length ? this.#cancel() : this.clearShown()),
      hear: (square, what) => this.say(this.#words[what](square)),
    });
    new ResizeObserver(() => this.#resized()).observe(this.#frame);
    onPreferences(({ blindfold }) => {
      this.classList.toggle('blindfold', Boolean(blindfold));
      this.#render();
    });
    this.#build();
  }

  // Properties

  get book() { return this.#book; }
  set book(book) {
    if (this.#book === book) return;
    this.#book = book;
    this.setAttribute('rulebook', book.id);
    this.setAttribute('corner', book.board.corner);
    this.#build();
  }

  get orientation() { return this.#orientation; }
  set orientation(side) {
    if (this.#orientation === side) return;
    this.#orientation = side;
    this.#build();
  }

  get numbering() { return this.#numbering; }
  set numbering(kind) {
    if (this.#numbering === kind) return;
    this.#numbering = kind;
    this.#build();
  }

  get movable() { return this.#movable; }
  set movable(who) { this.#movable = who; this.#render(); }

  get hints() { return this.#hints; }
  set hints(shown) { this.#hints = shown; this.#render(); }

  get arrows() { return this.#arrows; }
  set arrows(arrows) { this.#arrows = arrows; this.#render(); }

  get marks() { return this.#marks; }
  set marks(squares) { this.#marks = squares; this.#render(); }

  get position() { return this.#view; }
  set position(view) {
    const before = this.#view, pending = this.#pending;
    this.#view = view ?? NOWHERE;
    if (this.#stands(before) && (pending || this.#prefix.length)) {
      this.#render();
      return;
    }
    this.#pending = null;
    this.#forget();
    if (before.fen !== this.#view.fen) this.#refusal = null;
    this.setAttribute('fen', this.#view.fen ?? '');
    this.setAttribute('turn', this.#view.turn);
    if (!this.#stage) return;
    this.#moving = this.#arrive(before, (this.#arriving = this.#view), pending);
    this.#render();
  }

  /** Whether the same position was sent again, with something else changed: then what a player has begun goes on. @param {any} before */
  #stands(before) {
    const now = this.#view;
    return before !== now && before.fen === now.fen && before.ply === now.ply && before.rulebook === now.rulebook && now.legal?.length > 0;
  }

  /** Names of all squares, as people read them now. */
  get names() { return this.#book ? names(this.#book, this.#numbering) : []; }

  get legal() { return /** @type {Legal[]} */ (this.#view.legal ?? []); }

  /** Whether it waits for a move of whoever sits here. */
  get asking() { return Boolean(this.#book) && !this.#pending && this.#mayMove(this.#view.turn) && this.legal.length > 0; }

  /** Resolves when nothing moves any more. */
  get still() { return this.#moving; }

  // What a page may ask

  /** Shows why not: the capture that is asked for as a numbered path, its pieces ringed. @param {{route?: number[], captured?: number[], marks?: number[]}} shown */
  showRefusal(shown) {
    this.#refusal = shown;
    this.#render();
  }

  clearShown() {
    if (!this.#refusal) return;
    this.#refusal = null;
    this.#render();
  }

  /** Back to the position as it stands: a move given away was not taken. */
  reset() {
    this.#pending = null;
    this.#forget();
    this.#arriving = null;
    this.#stage?.place(this.#view.pieces);
    this.#render();
  }

  /** Takes a piece in play as a click does, and tells nobody: it was touched before. @param {number} square */
  hold(square) {
    if (!this.#own(square) || !this.legal.length) return;
    this.#hurry();
    this.#forget();
    this.#prefix = [square];
    this.#render();
  }

  /** Plays a legal move by its text, as by hand. @param {string} text @returns {boolean} */
  play(text) {
    const path = follow(this.legal, []).find(({ move }) => move.text === text);
    if (!path || !this.#mayMove(this.#view.turn)) return false;
    this.#hurry();
    this.#forget();
    this.#play(path, false);
    return true;
  }

  /**
   * A typed move. Same events as by hand; `scheme` says how it was read.
   * @param {string} text @returns {'move' | 'choose' | 'illegal'}
   */
  attempt(text) {
    if (!this.asking) {
      const waits = this.legal.length > 0 && !this.#pending && this.#movable !== 'none';
      this.#tellAll(t(waits ? 'board.not_turn' : 'board.nothing_to_play'));
      return 'illegal';
    }
    this.#hurry();
    this.#forget();
    const read = readSquares(this.#book, text);
    const paths = read ? different(pathsThrough(this.legal, read.squares)) : [];
    if (paths.length === 1) {
      this.#play(paths[0], false, read?.scheme);
      return 'move';
    }
    if (paths.length > 1 && new Set(paths.map(({ route }) => route[route.length - 1])).size === 1) {
      this.#prefix = [paths[0].route[0]];
      this.#choose(paths, false);
      return 'choose';
    }
    this.#tell('damas-illegal', { route: read?.squares ?? [], text, scheme: read?.scheme ?? null });
    return 'illegal';
  }

  /** Says something to those who listen. @param {string} words */
  say(words) {
    // the same sentence twice is said twice
    this.#live.textContent = this.#live.textContent === words ? `${words} ` : words;
  }

  /** Where the pieces stand, in words. */
  describe() {
    return piecesWords(this.#view.pieces, this.names);
  }

  /** @param {number} square */
  focusSquare(square) {
    this.#grid?.rove(square);
  }

  /** Draws the eye to squares. @param {Iterable<number>} squares */
  pulse(squares) {
    this.#pulsing = new Set(squares);
    this.#render();
    clearTimeout(this.#pulse);
    this.#pulse = setTimeout(() => { this.#pulsing = new Set(); this.#render(); }, 1000);
  }

  get geometry() { return this.#stage?.geometry; }

  // Building and drawing

  #build() {
    if (!this.#book || !this.isConnected) return;
    const focused = this.#grid?.element.contains(document.activeElement) ? this.#grid.current : -1;
    const label = t('board.label', { rulebook: this.#book.name ?? this.#book.id, size: this.#book.board.size });
    this.setAttribute('orientation', this.#orientation);
    this.#stage = new Stage(this.#book, this.#orientation, this.#numbering, this.#unitsPerPixel);
    this.#grid = new Grid(this.#stage.geometry, names(this.#book, 'rulebook'), label);
    listen(this.#grid.element, {
      squareAt: (event, roughly) => this.#stage.squareAt(event, roughly),
      canLift: (square) => this.#canLift(square),
      click: (square) => this.#click(square),
      lift: (square) => this.#lift(square),
      hold: (square, event) => this.#stage.hold(square, this.#stage.point(event)),
      drop: (square, target) => this.#drop(square, target),
      editing: () => this.editable,
      edit: (square) => this.#tell('damas-edit', { square }),
    });
    this.#grid.element.addEventListener('focusin', (/** @type {Event} */ event) => {
      const square = this.#grid.squareOf(event);
      if (square >= 0 && square !== this.#grid.current) this.#grid.rove(square, false);
    });
    this.#grid.element.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      // pressed by a program that reads the page aloud: there was no pointer
      if (event.detail === 0) this.#click(this.#grid.squareOf(event));
    });
    this.#frame.replaceChildren(this.#stage.svg, this.#grid.element);
    this.#prefix = [];
    this.#tray.close();
    this.#stage.place(this.#view.pieces);
    if (focused >= 0 && focused < this.#grid.cells.length) this.#grid.rove(focused);
    this.#resized();
    this.#render();
  }

  #resized() {
    const width = this.#frame.clientWidth;
    if (!this.#stage || !width) return;
    const scale = this.#stage.geometry.side / width;
    if (Math.abs(scale - this.#unitsPerPixel) / this.#unitsPerPixel < 0.04) return;
    this.#unitsPerPixel = scale;
    const labels = drawLabels(this.#book, this.#stage.geometry, this.#numbering, this.#orientation, scale);
    this.#stage.labels.replaceWith(labels);
    this.#stage.labels = labels;
  }

  #render() {
    if (!this.#stage) return;
    const begun = this.#prefix.length > 1 ? this.#prefix : [];
    if (begun.length !== this.#begun) {
      this.#begun = begun.length;
      this.#tell('damas-step', { route: begun });
    }
    const view = this.#view, stage = this.#stage, geometry = stage.geometry;
    const free = !this.#pending && !this.editable && this.#mayMove(view.turn);
    const helping = this.#hints && preference('dests');
    const movers = free && this.#hints ? origins(this.legal) : new Set();
    const dests = free && helping && this.#prefix.length && !this.#choice ? landings(this.legal, this.#prefix) : new Map();
    const last = view.last?.route ?? [];
    const bound = this.#bound;
    const shown = this.#refusal ?? {};

    stage.show('marks', ...(last.length > 1 ? [overlay.drawLastMove(geometry, last)] : []),
      ...[...this.#marks, ...(shown.marks ?? [])].map((square) => overlay.drawBrackets(geometry, square, 'mark')),
      ...(this.#prefix.length ? [overlay.drawBrackets(geometry, this.#current, 'selection')] : []));
    stage.show('outlines', ...[...movers].filter(() => view.must_capture || !this.#prefix.length)
      .map((square) => overlay.drawMovable(geometry, square, Boolean(view.must_capture), this.#pulsing.has(square))));
    stage.show('dests', ...[...dests].map(([square, landing]) => overlay.drawLanding(geometry, square, landing)));
    stage.show('over', ...(bound >= 0 ? [overlay.drawPin(geometry, bound)] : []));
    const occupied = (/** @type {number} */ square) => square in view.pieces;
    stage.show('paths', ...this.#arrows.filter(({ route }) => route.length > 1).map((arrow) => overlay.drawArrow(geometry, arrow)),
      ...(shown.captured ?? []).map((square) => overlay.drawRing(geometry, square)),
      ...(shown.route && shown.route.length > 1 ? [overlay.drawRoute(geometry, shown.route, { occupied })] : []),
      ...this.#drawChoice());

    const names = this.names;
    const ends = last.length ? [last[0], last[last.length - 1]] : [];
    this.#grid.update(names, view.pieces, (square) => {
      const classes = [], words = [];
      if (this.#current === square) { classes.push('selected'); words.push(said.selected()); }
      if (movers.has(square)) { classes.push('movable'); words.push(view.must_capture ? said.must() : said.movable()); }
      if (dests.has(square)) { classes.push('move-dest'); words.push(said.dest(dests.get(square))); }
      if (this.#pulsing.has(square)) classes.push('pulse');
      if (ends.includes(square)) classes.push('last-move');
      if (shown.captured?.includes(square)) { classes.push('ringed'); words.push(said.ringed()); }
      if (bound === square) { classes.push('bound'); words.push(said.bound()); }
      if (this.#marks.includes(square) || shown.marks?.includes(square)) classes.push('marked');
      const jumps = (shown.route ?? []).flatMap((at, i) => (at === square && i ? [i] : []));
      return { classes, said: words, path: jumps.join(' ') };
    });
    this.classList.toggle('busy', Boolean(this.#pending));
    this.classList.toggle('choosing', Boolean(this.#choice));
  }

  #drawChoice() {
    if (!this.#choice) return [];
    const { paths, looked } = this.#choice;
    const order = paths.map((_, i) => i).sort((a, b) => Number(a === looked) - Number(b === looked));
    return order.map((i) => {
      const drawn = overlay.drawRoute(this.#stage.geometry, paths[i].route, { label: String(i + 1), others: paths.filter((_, other) => other !== i).map(({ route }) => route), variant: i });
      drawn.classList.add('ghost-path');
      if (i !== looked) drawn.classList.add('aside');
      return drawn;
    });
  }

  /** Brings the pieces from one position to the next, moving them where the last move says how. @param {any} before @param {any} view @param {Path | null} pending */
  async #arrive(before, view, pending) {
    const last = view.last, stage = this.#stage;
    const route = last?.route ?? [];
    const end = route[route.length - 1];
    const same = before.fen === view.fen && before.ply === view.ply;
    if (!last || same || route.length < 2) return stage.place(view.pieces);
    const mover = view.pieces[end] ?? before.pieces[route[0]];
    const forward = before !== NOWHERE && before.pieces[route[0]] && view.pieces[end] && (view.ply === undefined || before.ply === undefined || view.ply === before.ply + 1);
    if (mover && (forward || pending)) this.say(moveWords(colourOf(mover), last.text, last.captured?.length ?? 0));
    if (!forward) return stage.place(view.pieces);
    const crowned = before.pieces[route[0]] !== view.pieces[end] ? end : -1;
    if (pending && pending.move.text === last.text) await this.#moving;
    else {
      stage.place(before.pieces);
      await stage.carry(route, last.captured ?? []);
    }
    const wanted = () => this.#arriving === view && this.#stage === stage;
    if (wanted()) await stage.settle(view.pieces, crowned, wanted);
    if (wanted()) this.#arriving = null;
  }

  /** Whoever plays on does not wait: everything stands at once where it was going. */
  #hurry() {
    finish(this.#frame);
    this.#hint.hidden = true;
    if (!this.#arriving) return;
    this.#arriving = null;
    this.#stage.place(this.#view.pieces);
  }

  // What a player means

  /** The square of the piece in play. */
  get #current() {
    return this.#prefix.length ? this.#prefix[this.#prefix.length - 1] : -1;
  }

  /** The square of the piece that was touched and must be played, or -1. */
  get #bound() {
    return this.#view.touched ? this.#squareNamed(this.#view.touched) : -1;
  }

  /** @param {string} turn */
  #mayMove(turn) {
    return this.#movable === 'both' || this.#movable === turn;
  }

  /** @param {number} square */
  #own(square) {
    const code = this.#view.pieces[square];
    return Boolean(code) && colourOf(code) === this.#view.turn && this.#mayMove(this.#view.turn);
  }

  /** @param {number} square */
  #canLift(square) {
    if (this.#pending || this.editable || this.#tray.open || !this.legal.length) return false;
    return this.#prefix.length > 1 ? square === this.#current : this.#own(square);
  }

  /** @param {number} square */
  #click(square) {
    if (this.editable) return this.#tell('damas-edit', { square });
    if (this.#pending || square < 0 || !this.#book) return;
    this.#hurry();
    if (this.#tray.open) return this.#tray.cancel?.();
    this.clearShown();
    if (!this.#prefix.length) {
      if (this.#own(square) && this.legal.length) return this.#select(square, true);
      const only = this.#hints && this.#mayMove(this.#view.turn) && !this.#view.pieces[square] ? onlyCaptureTo(this.legal, square) : null;
      if (only) return this.#play(only, false);
      return this.#cannotTake(square);
    }
    if (square === this.#current) {
      const only = this.#prefix.length === 1 && this.#hints ? onlyCapture(this.legal, square) : null;
      if (only) this.#play(only, false);
      else if (this.#prefix.length > 1 || square !== this.#bound) this.#cancel(); // a piece that is bound stays in play
      return;
    }
    this.#target(square, false);
  }

  /** A piece was touched that cannot be played now: says whose it is, or whose turn, to eyes and ears. @param {number} square */
  #cannotTake(square) {
    const code = this.#view.pieces[square];
    if (!code || this.#movable === 'none') return;
    const side = colourOf(code);
    const piece = squareWords(this.names[square], code, []);
    if (this.#movable === 'both') this.#tellAll(side === this.#view.turn ? piece : t(`board.turn_of.${this.#view.turn}`, { piece }));
    else this.#tellAll(side === this.#movable ? t('board.not_turn') : t('board.theirs', { piece }));
  }

  /** Says something, and shows it on the board for a while. @param {string} words */
  #tellAll(words) {
    this.say(words);
    this.#hint.textContent = words;
    this.#hint.hidden = false;
    clearTimeout(this.#hinted);
    this.#hinted = window.setTimeout(() => { this.#hint.hidden = true; }, HINT_MS);
  }

  /** @param {number} square @param {boolean} byClick */
  #select(square, byClick) {
    this.#prefix = [square];
    if (this.touchMove) this.#tell('damas-touch', { square });
    this.#tell('damas-select', { square });
    const able = follow(this.legal, [square]).length > 0;
    if (byClick && !able && this.#hints) {
      this.#tell('damas-illegal', { route: [square] });
      this.pulse(origins(this.legal));
    }
    this.#render();
  }

  /** A square was pointed at with a piece in play. @param {number} target @param {boolean} dropped */
  #target(target, dropped) {
    const meant = touch(this.legal, this.#prefix, target, { complete: this.#hints });
    if (meant.kind === 'play') this.#play(meant.path, dropped);
    else if (meant.kind === 'choose') this.#choose(meant.paths, dropped);
    else if (meant.kind === 'step') this.#step(target, dropped);
    else if (!dropped && this.#prefix.length === 1 && this.#own(target)) this.#select(target, true);
    else this.#refuse(target, dropped);
  }

  /** One jump of a capture that goes on. @param {number} target @param {boolean} dropped */
  #step(target, dropped) {
    const from = this.#current;
    const taken = new Set(follow(this.legal, [...this.#prefix, target]).flatMap(({ move }) => move.captured));
    const jumped = this.#stage.geometry.between(from, target).filter((square) => taken.has(square));
    this.#prefix = [...this.#prefix, target];
    this.#moving = this.#stage.carry([from, target], jumped, dropped ? 0 : 150);
    this.say(t('board.goes_on', { square: this.names[target] }));
    this.#render();
  }

  /** @param {Path[]} found @param {boolean} dropped */
  #choose(found, dropped) {
    const paths = [...found].sort((a, b) => a.move.text.localeCompare(b.move.text, 'en', { numeric: true }));
    if (dropped) this.#stage.drop(this.#current, this.#current, true);
    this.#choice = { paths, looked: 0 };
    this.#tray.choosePath(paths, {
      chosen: (path) => { this.#choice = null; this.#play(path, false); this.#grid.rove(path.route[path.route.length - 1]); },
      cancelled: () => { this.#choice = null; const square = this.#prefix[0]; this.#cancel(); if (square >= 0) this.#grid.rove(square); },
      looked: (index) => { if (this.#choice && this.#choice.looked !== index) { this.#choice.looked = index; this.#render(); } },
    });
    this.#render();
  }

  /** @param {Path} path @param {boolean} dropped @param {string} [scheme] */
  #play(path, dropped, scheme) {
    const { move, route } = path;
    const rest = this.#prefix.length > 1 ? route.slice(this.#prefix.length - 1) : route;
    this.#refusal = null;
    this.#prefix = [];
    this.#choice = null;
    this.#pending = path;
    this.#moving = this.#stage.carry(rest, move.captured, dropped ? 0 : undefined);
    this.#render();
    const give = () => {
      const detail = { move, route, scheme: scheme ?? null, passes: this.#passes(path) };
      if (!this.#tell('damas-move', detail)) this.reset();
    };
    if (!this.confirm) return give();
    this.#tray.confirm(move.text, { confirmed: give, cancelled: () => this.reset() });
  }

  /** The last row a man only passes, or -1: worth a word, since it is not crowned there. @param {Path} path */
  #passes({ move, route }) {
    const code = this.#view.pieces[route[0]];
    if (move.promotes || code !== code?.toLowerCase()) return -1;
    const row = code === 'w' ? this.#book.board.size - 1 : 0;
    return route.slice(1, -1).find((square) => this.#book.board.squares[square].row === row) ?? -1;
  }

  /** @param {number} target @param {boolean} dropped */
  #refuse(target, dropped) {
    const route = [...this.#prefix, target];
    const stepped = this.#prefix.length > 1;
    if (dropped && !stepped) this.#moving = this.#stage.drop(this.#current, this.#current, true);
    this.#prefix = [];
    if (stepped) this.#stage.place(this.#view.pieces);
    this.#render();
    this.#tell('damas-illegal', { route });
  }

  #cancel() {
    this.#forget();
    this.#stage.place(this.#view.pieces);
    this.#render();
  }

  #forget() {
    this.#prefix = [];
    this.#choice = null;
    this.#tray.close();
  }

  // By hand

  /** @param {number} square */
  #lift(square) {
    this.#hurry();
    this.clearShown();
    if (this.#prefix.length < 2) this.#select(square, false);
    this.#stage.lift(square);
  }

  /** @param {number} square @param {number} target */
  #drop(square, target) {
    if (!this.#prefix.length) return this.#stage.place(this.#view.pieces); // another position came while it was in the hand
    if (target === square || target < 0) {
      this.#moving = this.#stage.drop(square, square, true);
      if (target < 0 && this.#prefix.length < 2) { this.#prefix = []; this.#render(); }
      return;
    }
    this.#target(target, true);
  }

  /** What can be heard about a square. */
  #words = {
    moves: (/** @type {number} */ square) => {
      if (!this.#hints) return t('board.no_hints');
      const moves = different(follow(this.legal, [square])).map(({ move }) => move.text);
      return moves.length ? t('board.moves_of', { square: this.names[square], moves: moves.join(', ') }) : t('board.no_moves', { square: this.names[square] });
    },
    here: (/** @type {number} */ square) => this.#grid.cells[square].getAttribute('aria-label') ?? '',
    rays: (/** @type {number} */ square) => raysWords(this.names[square], this.#stage.geometry.rays(square), this.#view.pieces, this.names),
  };

  /** @param {string} name */
  #squareNamed(name) {
    return this.#book.board.squares.findIndex((/** @type {any} */ square) => square[this.#book.board.scheme] === name || square.alg === name);
  }

  /** @param {string} name @param {object} detail @returns {boolean} false if somebody refused it */
  #tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, detail }));
  }
}

customElements.define('damas-board', DamasBoard);
