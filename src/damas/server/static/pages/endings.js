/** Endings to practise: the endgame tables defend and say after each move what it was worth. */

import { api, tryAction } from '../lib/api.js';
import { byId, h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { LessonBoard, outcomeWords, pause, showFeedback } from './learning/lesson-board.js';
import { countOf, oneMore } from './learning/merging.js';
import { getProgress, setProgress, syncProgress } from './learning/progress.js';

/** @import { Count } from './learning/merging.js' */
/** @import { EndingReply, EndingVerdict, EndingView } from './learning/messages.js' */
/** @import { MoveView, PositionView } from '../lib/messages.js' */

/** Moves after which a defence has succeeded where no draw rule ends the game. */
const DEFENCE_MOVES = 12;
const REPLY_DELAY_MS = 450;

const lessonBoard = new LessonBoard(byId('ending-board'), {
  onMove, inputPlace: byId('typed-place'), refusalPlace: byId('reasons'),
});
const { board } = lessonBoard;
const query = new URLSearchParams(location.search);
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const endingSelect = byId('ending', HTMLSelectElement);
const newButton = byId('another', HTMLButtonElement);
const sameButton = byId('same', HTMLButtonElement);
const takeBackButton = byId('take-back', HTMLButtonElement);
const bestButton = byId('best', HTMLButtonElement);

const state = {
  book: query.get('rulebook') ?? document.documentElement.dataset.rulebookDefault ?? '',
  kind: query.get('ending') ?? '',
  /** @type {EndingView | null} */
  ending: null,
  /** @type {{text: string, isMistake: boolean}[]} */
  moves: [],
  /**
   * Positions before each own move.
   * @type {{view: PositionView, verdict: EndingVerdict | null, moveCount: number}[]}
   */
  history: [],
  /** @type {PositionView | null} */
  view: null,
  /** @type {EndingVerdict | null} */
  verdict: null,
  isBusy: false,
};
/** Number of the last requested ending: building tables takes time, and older answers are dropped. */
let requestNumber = 0;

const progressKey = () => `endings.${state.book}`;
/** @returns {Count} */
const wins = () => getProgress(progressKey(), {});

async function start() {
  const books = [...rulebookSelect.options].map((option) => option.value);
  if (!books.includes(state.book)) state.book = books[0];
  rulebookSelect.value = state.book;
  rulebookSelect.addEventListener('change', () => {
    state.book = rulebookSelect.value;
    showKinds();
    void requestEnding();
  });
  endingSelect.addEventListener('change', () => {
    state.kind = endingSelect.value;
    void requestEnding();
  });
  newButton.addEventListener('click', () => requestEnding());
  sameButton.addEventListener('click',
    () => { if (state.ending && !state.isBusy) openEnding(state.ending); });
  takeBackButton.addEventListener('click', takeBack);
  bestButton.addEventListener('click', showBest);
  showKinds();
  setBusy(true, t('learn.preparing'));
  document.body.dataset.ready = 'endings';
  await syncProgress();
  await requestEnding(query.has('seed') ? Number(query.get('seed')) : undefined);
}

function showKinds() {
  const kinds = (rulebookSelect.selectedOptions[0].dataset.endings ?? '').split(' ');
  endingSelect.replaceChildren(...kinds
    .map((kind) => h('option', { value: kind }, t(`learn.ending.${kind}`))));
  if (!kinds.includes(state.kind)) state.kind = kinds[0];
  endingSelect.value = state.kind;
}

/** @param {number} [seed] */
async function requestEnding(seed) {
  const number = ++requestNumber;
  setBusy(true, t('learn.preparing'));
  board.set({ movable: 'none' });
  await tryAction(async () => {
    await lessonBoard.useRulebook(state.book);
    /** @type {EndingView} */
    const ending = await api.post('/api/endings', { rulebook: state.book, ending: state.kind, seed });
    if (number === requestNumber) openEnding(ending);
  }, ({ message }) => { if (number === requestNumber) showFeedback(message, 'bad'); })
    .finally(() => { if (number === requestNumber) setBusy(false); });
}

/** @param {EndingView} ending */
function openEnding(ending) {
  Object.assign(state, { ending, moves: [], history: [] });
  byId('goal').textContent = t(`learn.goal.${ending.goal}`);
  showFeedback(ending.goal === 'draw' ? t('learn.hold_on', { n: DEFENCE_MOVES }) : '', '');
  show(ending.view, ending.verdict);
  showScore();
  history.replaceState(null, '', `?${new URLSearchParams({ rulebook: state.book, ending: state.kind })}`);
}

/** @param {PositionView} view @param {EndingVerdict | null} verdict */
function show(view, verdict) {
  state.view = view;
  state.verdict = verdict;
  board.set({ arrows: [], movable: view.outcome ? 'none' : 'white' });
  lessonBoard.show(view);
  byId('verdict').textContent = view.outcome ? outcomeWords(view) : verdict?.message ?? '';
  showButtons();
  byId('moves').replaceChildren(...state.moves.map(({ text, isMistake }) =>
    h('li', h('span', { class: isMistake ? 'slip' : '' }, text))));
}

/** @param {MoveView} move */
async function onMove({ text }) {
  const { ending, view } = state;
  if (state.isBusy || !ending || !view) return board.entry.reset();
  setBusy(true, t('learn.thinking'));
  await tryAction(async () => {
    const moves = [...state.moves.map((move) => move.text), text];
    /** @type {EndingReply} */
    const reply = await api.post('/api/endings/reply', { rulebook: state.book, fen: ending.fen, moves });
    state.history.push({ view, verdict: state.verdict, moveCount: state.moves.length });
    state.moves.push({ text: reply.played, isMistake: !reply.kept });
    show(reply.after_move, null);
    board.set({ movable: 'none' });
    if (reply.reply) {
      await pause(REPLY_DELAY_MS);
      state.moves.push({ text: reply.reply, isMistake: false });
    }
    show(reply.view, reply.verdict);
    comment(reply, ending.goal);
  }, ({ message }) => {
    board.entry.reset();
    showFeedback(message, 'bad');
  }).finally(() => setBusy(false));
}

/** @param {EndingReply} reply @param {EndingView['goal']} goal */
function comment(reply, goal) {
  const { outcome } = reply.view;
  const hasHeldLong = state.history.length >= DEFENCE_MOVES && reply.kept;
  const isHeld = goal === 'draw' && (outcome ? outcome.winner !== 'black' : hasHeldLong);
  if (reply.won || isHeld) {
    showFeedback(t(reply.won ? 'learn.won' : 'learn.held'), 'good');
    setProgress(progressKey(), oneMore(wins()));
    board.set({ movable: 'none' });
    newButton.focus({ preventScroll: true });
    showScore();
  } else if (outcome) {
    showFeedback(t('learn.missed'), 'bad');
  } else if (!reply.kept) {
    showFeedback(t(`learn.slip.${goal}`, { move: reply.played, best: reply.best.text }), 'bad');
  } else {
    showFeedback(`${t('learn.kept', { move: reply.played })} ${t('learn.reply', { move: reply.reply })}`,
      'good');
  }
}

function takeBack() {
  const last = state.isBusy ? undefined : state.history.pop();
  if (!last) return;
  state.moves = state.moves.slice(0, last.moveCount);
  show(last.view, last.verdict);
  showFeedback('', '');
}

function showBest() {
  const best = state.verdict?.moves?.[0];
  if (!best) return;
  board.set({ arrows: [{ route: best.route, brush: 'green' }] });
  showFeedback(best.text, '');
}

/** @param {boolean} isBusy @param {string} [words] */
function setBusy(isBusy, words = '') {
  state.isBusy = isBusy;
  document.body.toggleAttribute('aria-busy', isBusy);
  if (isBusy) showFeedback(words, '');
  showButtons();
}

function showButtons() {
  const { isBusy, ending, history: earlier, verdict, view } = state;
  newButton.disabled = isBusy;
  sameButton.disabled = isBusy || !ending;
  takeBackButton.disabled = isBusy || !earlier.length;
  bestButton.disabled = isBusy || !verdict || Boolean(view?.outcome);
}

function showScore() {
  byId('ending-score').textContent = t('learn.wins', { n: countOf(wins()) });
}

void start();
