/** Drills: squares and their names, captures to be counted or made; for some seconds, or ten tasks. */

import { EMPTY_POSITION } from '../board/state.js';
import { ApiError } from '../lib/api.js';
import { $$, byId, fill, h, isWriting } from '../lib/dom.js';
import { loadValue, storeValue } from '../lib/storage.js';
import { t } from '../lib/words.js';
import { bestScore, Run, withScore } from './drills/run.js';
import { Supply } from './drills/supply.js';
import { countTask, MAX_COUNT, squareTask } from './drills/tasks.js';
import { LessonBoard, pause, showFeedback } from './learning/lesson-board.js';
import { getProgress, setProgress, syncProgress } from './learning/progress.js';

/** @import { PositionView } from '../lib/messages.js' */
/** @import { DrillProgress, Length } from './drills/run.js' */
/** @import { CountTask } from './drills/tasks.js' */

/** @typedef {'find' | 'name' | 'count' | 'capture'} Kind */
/** @typedef {{view: PositionView, count: CountTask | null}} PositionTask `count`: what is to be counted */

const STORAGE_KEY = 'damas.drills';
const TICK_MS = 100;
/** How long a capture that was made stays on the board. */
const SHOWN_MS = 300;

const lessonBoard = new LessonBoard(byId('drill-board'), {
  onMove, inputPlace: byId('typed-place'), refusalPlace: byId('reasons'), showsCounts: false,
});
const { board } = lessonBoard;
const query = new URLSearchParams(location.search);
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const startButton = byId('start', HTMLButtonElement);
const flipButton = byId('flip', HTMLButtonElement);
const setup = byId('setup'), bar = byId('bar'), choices = byId('choices'), result = byId('result');

const stored = loadValue(STORAGE_KEY);
const state = {
  book: query.get('rulebook') ?? stored?.book ?? document.documentElement.dataset.rulebookDefault ?? '',
  kind: /** @type {Kind} */ (query.get('kind') ?? stored?.kind ?? 'find'),
  length: /** @type {Length} */ (query.get('length') ?? stored?.length ?? '30'),
  /** @type {Run | null} */
  run: null,
  supply: new Supply(''),
  /** The square of the task, or the number of pieces or moves. */
  answer: -1,
  /** Whether the next task is still on its way. */
  isSolved: false,
  timer: 0,
};
/** A drag over several squares is one answer. */
let hasPointed = false;

const progressKey = () => `drills.${state.book}`;
/** @returns {DrillProgress} */
const progress = () => getProgress(progressKey(), {});

async function start() {
  const books = [...rulebookSelect.options].map((option) => option.value);
  if (!books.includes(state.book)) state.book = books[0];
  rulebookSelect.value = state.book;
  rulebookSelect.addEventListener('change', () => {
    state.book = rulebookSelect.value;
    void showBoard();
  });
  for (const name of /** @type {const} */ (['kind', 'length'])) {
    const radios = $$(`input[name="${name}"]`, HTMLInputElement);
    if (!radios.some(({ value }) => value === state[name])) Object.assign(state, { [name]: radios[0].value });
    for (const radio of radios) {
      radio.checked = radio.value === state[name];
      radio.addEventListener('change', () => {
        Object.assign(state, { [name]: radio.value });
        showChoice();
      });
    }
  }
  startButton.addEventListener('click', () => begin());
  byId('stop').addEventListener('click', stop);
  flipButton.addEventListener('click',
    () => board.set({ orientation: board.orientation === 'white' ? 'black' : 'white' }));
  document.addEventListener('keydown', onKey);
  for (const type of ['pointerdown', 'keydown']) {
    board.addEventListener(type, () => { hasPointed = false; }, { capture: true });
  }
  board.addEventListener('damas-edit', ({ detail: { square } }) => onSquare(square));
  board.addEventListener('damas-illegal', () => state.run?.miss());
  await syncProgress();
  await showBoard();
  document.body.dataset.ready = 'drills';
}

/** The board of the chosen rulebook, before a run. */
async function showBoard() {
  const { book } = state;
  lessonBoard.input.hidden = true;
  startButton.disabled = true;
  try {
    await lessonBoard.useRulebook(book);
    if (book !== state.book) return; // another was chosen meanwhile
    state.supply = new Supply(book);
    startButton.disabled = false;
    rest();
  } catch (error) {
    if (error instanceof ApiError && book === state.book) showFeedback(error.message, 'bad');
    else if (!(error instanceof ApiError)) throw error;
  }
}

/** Nothing is asked. */
function rest() {
  const view = /** @type {PositionView} */ (board.book?.start);
  board.set({ editable: false, movable: 'none', marks: [], numbering: 'rulebook', orientation: 'white' });
  lessonBoard.show(view);
  showChoice();
}

function showChoice() {
  const { book, kind, length } = state;
  const best = bestScore(progress(), kind, length);
  byId('best').textContent = best ? t('drills.best', { n: best }) : t('drills.no_best');
  storeValue(STORAGE_KEY, { book, kind, length });
  history.replaceState(null, '', `?${new URLSearchParams({ rulebook: book, kind, length })}`);
}

/** @param {boolean} isRunning */
function showRunning(isRunning) {
  const { kind } = state;
  document.body.classList.toggle('is-drilling', isRunning);
  setup.hidden = isRunning;
  bar.hidden = !isRunning;
  rulebookSelect.disabled = isRunning;
  choices.hidden = !isRunning || !['name', 'count'].includes(kind);
  flipButton.hidden = !isRunning || !['find', 'name'].includes(kind);
  lessonBoard.input.hidden = !isRunning || kind !== 'capture';
  result.hidden = true;
  showFeedback('', '');
}

async function begin() {
  startButton.disabled = true;
  try {
    const { kind, supply } = state;
    const task = await nextTask();
    if (kind !== state.kind || supply !== state.supply) return; // something else was chosen meanwhile
    state.run = new Run(state.length, performance.now());
    showRunning(true);
    showTask(task);
    focusAnswer();
    tick();
    state.timer = window.setInterval(tick, TICK_MS);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showFeedback(error.message, 'bad');
  } finally {
    startButton.disabled = false;
  }
}

const isOfSquares = () => state.kind === 'find' || state.kind === 'name';

/** A position, unless a square is asked for. @returns {Promise<PositionTask | null>} */
async function nextTask() {
  if (isOfSquares()) return null;
  const view = await state.supply.next();
  if (state.kind === 'capture') return { view, count: null };
  const count = countTask(view, Math.random);
  return count ? { view, count } : nextTask();
}

/** @param {PositionTask | null} task */
function showTask(task) {
  const words = task ? showPosition(task) : showSquare();
  state.isSolved = false;
  byId('task').textContent = words;
  showScore();
}

/** @returns {string} the task in words */
function showSquare() {
  const isFind = state.kind === 'find';
  const { square, choices: squares } = squareTask(board.names.length, state.answer, Math.random);
  state.answer = square;
  board.set({ editable: isFind, movable: 'none', numbering: 'none', marks: isFind ? [] : [square] });
  lessonBoard.show(EMPTY_POSITION);
  if (isFind) return t('drills.task.find', { square: board.names[square] });
  showChoices(squares.map((each) => [each, board.names[each]]));
  return t('drills.task.name');
}

/** @param {PositionTask} task @returns {string} the task in words */
function showPosition({ view, count }) {
  const { turn } = view;
  board.set({ editable: false, hints: false, marks: [], numbering: 'rulebook', orientation: turn,
    movable: count ? 'none' : turn });
  lessonBoard.show(view);
  if (!count) return t(`drills.task.capture.${turn}`);
  state.answer = count.answer;
  showChoices(Array.from({ length: MAX_COUNT }, (_, index) => [index + 1, String(index + 1)]));
  return t(`drills.task.${count.question}.${turn}`);
}

/** @param {[value: number, words: string][]} offered */
function showChoices(offered) {
  fill(choices, ...offered.map(([value, words], index) => h('button.button-quiet.numbers', {
    testid: `choice-${index + 1}`, dataset: { value }, 'aria-keyshortcuts': String(index + 1),
    onclick: ({ currentTarget }) => onChoice(/** @type {HTMLButtonElement} */ (currentTarget), value, words),
  }, words)));
}

/** @param {HTMLButtonElement} button @param {number} value @param {string} words */
function onChoice(button, value, words) {
  if (!state.run || state.isSolved || button.getAttribute('aria-disabled')) return;
  if (value === state.answer) return void solve(t('drills.right', { answer: words }));
  button.setAttribute('aria-disabled', 'true');
  miss(t(state.kind === 'name' ? 'drills.wrong.name' : 'drills.wrong.count', { answer: words }));
}

/** @param {number} square */
function onSquare(square) {
  if (!state.run || state.isSolved || hasPointed) return;
  hasPointed = true;
  const answer = board.names[square];
  if (square === state.answer) void solve(t('drills.right', { answer }));
  else miss(t('drills.wrong.find', { answer }));
}

/** Every legal move of these positions captures. @param {{text: string}} move */
async function onMove({ text }) {
  const { run } = state;
  if (!run) return;
  board.set({ movable: 'none' });
  await solve(t('drills.right', { answer: text }), SHOWN_MS);
}

/** @param {string} words */
function miss(words) {
  state.run?.miss();
  showFeedback(words, 'bad');
}

/** @param {string} words @param {number} [shownMs] */
async function solve(words, shownMs = 0) {
  const { run } = state;
  if (!run || run.isOver(performance.now())) return tick();
  run.solve();
  state.isSolved = true;
  showFeedback(words, 'good');
  if (run.isOver(performance.now())) return tick();
  try {
    const [task] = await Promise.all([nextTask(), shownMs && pause(shownMs)]);
    if (run === state.run) showTask(task);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    stop();
    showFeedback(error.message, 'bad');
  }
}

function tick() {
  const { run } = state;
  if (!run) return;
  const now = performance.now(), seconds = run.secondsLeft(now);
  byId('time').textContent = Number.isFinite(seconds) ? t('drills.seconds', { n: seconds })
    : t('drills.done_of', { done: run.done, n: run.tasks });
  if (run.isOver(now)) finish(run);
}

function showScore() {
  byId('score').textContent = t('drills.score', { n: state.run?.score ?? 0 });
  if (state.run && !Number.isFinite(state.run.endsMs)) tick();
}

/** @param {Run} run */
function finish({ score, done }) {
  const { kind, length } = state;
  const before = bestScore(progress(), kind, length);
  stop();
  setProgress(progressKey(), withScore(progress(), kind, length, score));
  showChoice();
  result.textContent = [t('drills.result', { n: score, done }), score > before && t('drills.new_best')]
    .filter(Boolean).join(' ');
  result.hidden = false;
}

/** Ends the run; without its result it is given up. */
function stop() {
  clearInterval(state.timer);
  state.run = null;
  state.answer = -1;
  showRunning(false);
  rest();
  startButton.focus({ preventScroll: true });
}

/** Where the answer is given. */
function focusAnswer() {
  if (!choices.hidden) byId('choice-1').focus({ preventScroll: true });
  else board.grid.moveTo(board.grid.current);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (!state.run || isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') stop();
  else if (!choices.hidden && /^[1-9]$/.test(event.key)) {
    $$('button', HTMLButtonElement, choices)[Number(event.key) - 1]?.click();
  }
}

void start();
