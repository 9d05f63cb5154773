/** Shows the state of a board: marks in the drawing, classes and labels in the grid. */

import { preference } from '../lib/preferences.js';
import { t } from '../lib/words.js';
import * as overlay from './overlay.js';
import { endOf, landings, origins } from './selection.js';

/** @import { Grid, CellState } from './grid.js' */
/** @import { Landing } from './selection.js' */
/** @import { Stage } from './stage.js' */
/** @import { BoardState } from './state.js' */

/** @typedef {{movers: Set<number>, targets: Map<number, Landing>}} Hints what can move, and where to */

/** @param {BoardState} state @param {Stage} stage @param {Grid} grid */
export function displayState(state, stage, grid) {
  const hints = hintsOf(state);
  drawMarks(state, stage, hints);
  grid.update(state.names, state.view.pieces, (square) => cellState(state, hints, square));
}

/** @param {BoardState} state @returns {Hints} */
function hintsOf(state) {
  const { legal, entered } = state;
  const isFree = state.hints && !state.pending && !state.editable && state.mayMove;
  const showsTargets = isFree && preference('dests') && entered.length && !state.choice;
  return {
    movers: isFree ? origins(legal) : new Set(), targets: showsTargets ? landings(legal, entered) : new Map(),
  };
}

/** @param {BoardState} state @param {Stage} stage @param {Hints} hints */
function drawMarks(state, stage, { movers, targets }) {
  const { view, entered, touchedSquare } = state;
  const { geometry } = stage;
  const lastRoute = view.last?.route ?? [];
  const { marks = [], captured = [], route = [] } = state.refusal ?? {};
  const mustCapture = Boolean(view.must_capture);
  const uncrowned = view.crowning ? [view.crowning.square] : [];
  const outlined = mustCapture || !entered.length ? [...movers] : [];
  stage.show('marks', [
    ...(lastRoute.length > 1 ? [overlay.drawLastMove(geometry, lastRoute)] : []),
    ...[...state.marks, ...marks, ...uncrowned]
      .map((square) => overlay.drawBrackets(geometry, square, 'mark')),
    ...(entered.length ? [overlay.drawBrackets(geometry, state.currentSquare, 'selection')] : []),
    ...shownPremove(state).map((square) => overlay.drawBrackets(geometry, square, 'premove-mark')),
  ]);
  stage.show('outlines', outlined.map((square) =>
    overlay.drawMovable(geometry, square, mustCapture, state.pulsing.has(square))));
  stage.show('dests', [...targets]
    .map(([square, landing]) => overlay.drawLanding(geometry, square, landing)));
  stage.show('over', touchedSquare >= 0 ? [overlay.drawPin(geometry, touchedSquare)] : []);
  stage.show('paths', [
    ...state.drawings.map(({ from, to, brush }) => (from === to ? overlay.drawSpot(geometry, from, brush)
      : overlay.drawArrow(geometry, { route: [from, to], brush }))),
    ...(state.drawnFrom >= 0 ? [overlay.drawBrackets(geometry, state.drawnFrom, 'selection')] : []),
    ...state.arrows.filter((arrow) => arrow.route.length > 1)
      .map((arrow) => overlay.drawArrow(geometry, arrow)),
    ...(shownPremove(state).length > 1
      ? [overlay.drawArrow(geometry, { route: state.premove, brush: 'blue' })] : []),
    ...captured.map((square) => overlay.drawRing(geometry, square)),
    ...(route.length > 1 ? [overlay.drawRoute(geometry, route, (square) => square in view.pieces)] : []),
    ...drawChoice(state, stage),
  ]);
}

/** Squares of the premove; none while an earlier position is shown. @param {BoardState} state */
function shownPremove({ movable, premove, premoves }) {
  return movable === 'none' || !premoves ? [] : premove;
}

/** The paths to choose from, the previewed one on top. @param {BoardState} state @param {Stage} stage */
function drawChoice({ choice }, { geometry }) {
  if (!choice) return [];
  const routes = choice.paths.map(({ route }) => route);
  const isPreviewed = (/** @type {number} */ index) => Number(index === choice.previewed);
  return routes.map((_, index) => index).sort((a, b) => isPreviewed(a) - isPreviewed(b)).map((index) => {
    const path = overlay.drawRouteChoice(geometry, routes, index);
    path.classList.toggle('aside', index !== choice.previewed);
    return path;
  });
}

/** @param {BoardState} state @param {Hints} hints @param {number} square @returns {CellState} */
function cellState(state, { movers, targets }, square) {
  const { view } = state;
  const lastRoute = view.last?.route ?? [];
  const { marks = [], captured = [], route = [] } = state.refusal ?? {};
  /** @type {string[]} */
  const classes = [];
  /** @type {string[]} */
  const words = [];
  const add = (/** @type {string} */ className, /** @type {string} */ text = '') => {
    classes.push(className);
    if (text) words.push(text);
  };
  const landing = targets.get(square);
  if (state.currentSquare === square) add('selected', t('board.selected'));
  if (shownPremove(state).includes(square)) add('premove', t('board.premove.here'));
  if (movers.has(square)) add('movable', t(view.must_capture ? 'board.must_take' : 'board.can_move'));
  const targetKey = landing?.captures ? 'board.dest_takes' : 'board.dest';
  if (landing) add('move-dest', t(targetKey, { n: landing.captures }));
  if (state.pulsing.has(square)) add('pulse');
  if (lastRoute.length && (square === lastRoute[0] || square === endOf(lastRoute))) add('last-move');
  if (captured.includes(square)) add('ringed', t('board.ringed'));
  if (state.touchedSquare === square) add('bound', t('board.bound'));
  if (view.lifting?.squares.includes(square)) add('to-lift', t('board.taken'));
  if (view.crowning?.square === square) add('uncrowned', t('board.uncrowned'));
  if (state.drawnFrom === square) add('selected', t('board.selected'));
  const drawn = state.drawings.filter(({ from }) => from === square);
  for (const { to } of drawn) {
    add('drawn', to === square ? t('board.drawn') : t('board.drawn_to', { square: state.names[to] }));
  }
  if (state.marks.includes(square) || marks.includes(square)) add('marked');
  const jumps = route.flatMap((at, jump) => (at === square && jump ? [jump] : []));
  return { classes, words, path: jumps.join(' ') };
}
