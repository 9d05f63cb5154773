/** Puzzles: one line wins and every reply is forced. Hints come in two steps, the solution ply by ply. */

import { api, ApiError } from '../lib/api.js';
import { $$, byId, h, isWriting, markCurrent } from '../lib/dom.js';
import { loadValue, storeValue } from '../lib/storage.js';
import { lang, t } from '../lib/words.js';
import { LessonBoard, showFeedback } from './learning/lesson-board.js';
import { getProgress, setProgress, syncProgress } from './learning/progress.js';
import { cachePuzzles, getPuzzle, listPuzzles } from './learning/puzzle-store.js';

/** @import { MoveView } from '../lib/messages.js' */
/** @import { PuzzleEntry, PuzzleView } from './learning/messages.js' */

const REPLY_DELAY_MS = 600;
const MAX_REPORTED_MS = 86_400_000;
/** The next puzzle is one of this many easiest ones, unless a grade is chosen. */
const EASIEST_COUNT = 12;
const STORAGE_KEY = 'damas.puzzles';
/** Test ids of the buttons by key. @type {Record<string, string>} */
const SHORTCUTS = { d: 'hint', s: 'solution', n: 'next-puzzle' };

const lessonBoard = new LessonBoard(byId('puzzle-board'), {
  onMove, inputPlace: byId('typed-place'), refusalPlace: byId('reasons'), showsCounts: false,
});
const { board } = lessonBoard;
const query = new URLSearchParams(location.search);
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const hintButton = byId('hint', HTMLButtonElement);
const solutionButton = byId('solution', HTMLButtonElement);
const againButton = byId('again', HTMLButtonElement);
const nextButton = byId('next-puzzle', HTMLButtonElement);
const analyseLink = byId('analyse', HTMLAnchorElement);
const motifTag = byId('motif');
const solutionCard = byId('line');

const state = {
  book: query.get('rulebook') ?? loadValue(STORAGE_KEY)
    ?? document.documentElement.dataset.rulebookDefault ?? '',
  /** 0 for all grades. */
  grade: Number(query.get('grade') ?? 0),
  /** @type {PuzzleEntry[]} */
  list: [],
  /** @type {PuzzleView | null} */
  puzzle: null,
  ply: 0,
  hintCount: 0,
  /** How many hints were given for the next move. */
  moveHints: 0,
  /** Without hints and wrong moves so far, which counts for the streak. */
  isClean: true,
  isOver: false,
  startedAt: 0,
};

const progressKey = () => `puzzles.${state.book}`;
const score = () => getProgress(progressKey(), { solved: /** @type {string[]} */ ([]), streak: 0, best: 0 });

async function start() {
  const books = [...rulebookSelect.options].map((option) => option.value);
  if (!books.includes(state.book)) state.book = books[0];
  rulebookSelect.value = state.book;
  rulebookSelect.addEventListener('change', () => loadList(rulebookSelect.value));
  for (const radio of $$('input[name="grade"]', HTMLInputElement)) {
    radio.checked = Number(radio.value) === state.grade;
    radio.addEventListener('change', () => {
      state.grade = Number(radio.value);
      void openNext();
    });
  }
  hintButton.addEventListener('click', giveHint);
  solutionButton.addEventListener('click', giveUp);
  againButton.addEventListener('click', () => { if (state.puzzle) openPuzzle(state.puzzle); });
  nextButton.addEventListener('click', () => openNext());
  document.addEventListener('keydown', (event) => {
    const testid = SHORTCUTS[event.key.toLowerCase()];
    if (!testid || isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = byId(testid, HTMLButtonElement);
    if (!button.hidden && !button.disabled) button.click();
  });
  await syncProgress();
  await loadList(state.book, query.get('id') ?? '');
  document.body.dataset.ready = 'puzzles';
}

/** Loads a rulebook's puzzles, or stays at the current one. @param {string} book @param {string} [id] */
async function loadList(book, id = '') {
  try {
    const list = await listPuzzles(book);
    await lessonBoard.useRulebook(book);
    Object.assign(state, { book, list });
  } catch (error) {
    showProblem(error, book);
    rulebookSelect.value = state.book;
    return;
  }
  storeValue(STORAGE_KEY, book);
  await openNext(id);
  void cachePuzzles(book);
}

/** @param {unknown} error @param {string} book */
function showProblem(error, book) {
  if (!(error instanceof ApiError)) throw error;
  if (!state.puzzle) hintButton.hidden = solutionButton.hidden = true;
  const name = [...rulebookSelect.options].find((option) => option.value === book)?.text;
  showFeedback(error.status ? error.message
    : `${error.message} ${t('puzzles.none_kept', { rulebook: name })}`, 'bad');
}

/** Opens a puzzle by its id, or an unsolved one. @param {string} [id] @returns {Promise<void>} */
async function openNext(id = '') {
  if (!state.list.length) return loadList(state.book, id); // it failed before
  const { solved } = score();
  const ofGrade = state.list.filter((puzzle) => !state.grade || puzzle.grade === state.grade);
  const unsolved = ofGrade.filter((puzzle) => !solved.includes(puzzle.id) && puzzle.id !== state.puzzle?.id);
  const candidates = [unsolved, ofGrade, state.list].find((list) => list.length) ?? [];
  const choices = state.grade
    ? candidates : [...candidates].sort((a, b) => a.grade - b.grade).slice(0, EASIEST_COUNT);
  try {
    openPuzzle(await getPuzzle(state.book, id || choices[Math.floor(Math.random() * choices.length)].id));
  } catch (error) {
    const isUnknown = id && error instanceof ApiError && error.status === 404; // an old address
    return isUnknown ? openNext() : showProblem(error, state.book);
  }
  if (!unsolved.length && !id) showFeedback(t('puzzles.all_solved'), '');
}

/** @param {PuzzleView} puzzle */
function openPuzzle(puzzle) {
  const isClean = state.puzzle !== puzzle;
  Object.assign(state, { puzzle, ply: 0, hintCount: 0, moveHints: 0, isClean, isOver: false,
    startedAt: performance.now() });
  const { turn } = puzzle.frames[0];
  board.set({ orientation: turn, movable: turn, marks: [], arrows: [] });
  lessonBoard.show(puzzle.frames[0]);
  lessonBoard.input.hidden = false;
  byId('task').textContent = t(`puzzles.${turn}_plays`);
  byId('grade').textContent = t('puzzles.grade_name', { n: puzzle.grade });
  byId('own-moves').textContent = t('puzzles.moves', { n: puzzle.moves });
  hintButton.hidden = solutionButton.hidden = false;
  motifTag.hidden = againButton.hidden = analyseLink.hidden = solutionCard.hidden = true;
  showFeedback('', '');
  showScore();
  const grade = state.grade ? [['grade', String(state.grade)]] : [];
  const address = new URL(location.href);
  address.search = new URLSearchParams([['rulebook', state.book], ...grade, ['id', puzzle.id]]).toString();
  history.replaceState(null, '', address);
}

/** @param {MoveView} move */
function onMove({ text }) {
  const { puzzle } = state;
  if (!puzzle) return;
  const isRight = text === puzzle.line[state.ply];
  const isLast = state.ply === puzzle.line.length - 1;
  if (!isRight && !(isLast && puzzle.also.includes(text))) {
    endStreak();
    showFeedback(t('puzzles.wrong', { move: text }), 'bad');
    return board.entry.reset();
  }
  board.set({ marks: [], arrows: [] });
  if (!isRight) {
    lessonBoard.show(puzzle.also_frames[text]);
    return finishSolved(puzzle);
  }
  state.ply += 1;
  state.moveHints = 0;
  lessonBoard.show(puzzle.frames[state.ply]);
  if (isLast) return finishSolved(puzzle);
  showFeedback(t('puzzles.good', { move: text }), 'good');
  window.setTimeout(() => {
    if (state.puzzle !== puzzle || state.isOver || state.ply % 2 === 0) return;
    state.ply += 1;
    lessonBoard.show(puzzle.frames[state.ply]);
  }, REPLY_DELAY_MS);
}

function endStreak() {
  const before = score();
  state.isClean = false;
  if (before.streak) setProgress(progressKey(), { ...before, streak: 0 });
  showScore();
}

/** @param {PuzzleView} puzzle */
function finishSolved(puzzle) {
  const before = score();
  const streak = state.isClean ? before.streak + 1 : 0;
  const solved = [...new Set([...before.solved, puzzle.id])];
  setProgress(progressKey(), { solved, streak, best: Math.max(before.best, streak) });
  sendResult(puzzle, true);
  finish(puzzle, t('puzzles.solved', { given: puzzle.given, taken: puzzle.taken }), 'good');
}

/** @param {PuzzleView} puzzle @param {boolean} solved */
function sendResult({ id }, solved) {
  const spent_ms = Math.min(MAX_REPORTED_MS, Math.round(performance.now() - state.startedAt));
  api.post(`/api/puzzles/${state.book}/${id}`, { solved, hints: state.hintCount, spent_ms }).catch(() => {});
}

/** @param {PuzzleView} puzzle @param {string} words @param {'' | 'good'} mood */
function finish(puzzle, words, mood) {
  state.isOver = true;
  board.set({ movable: 'none' });
  lessonBoard.input.hidden = true;
  showFeedback(`${words} ${t('puzzles.level', { n: puzzle.level })}`, mood);
  motifTag.textContent = t(`puzzles.motif.${puzzle.motif}`);
  hintButton.hidden = solutionButton.hidden = true;
  motifTag.hidden = againButton.hidden = analyseLink.hidden = false;
  analyseLink.href = `/analysis?rulebook=${state.book}&fen=${encodeURIComponent(puzzle.fen)}&lang=${lang}`;
  showScore();
  showSolution(puzzle);
  nextButton.focus({ preventScroll: true });
}

/** First the piece, then the square it goes to. */
function giveHint() {
  const { puzzle } = state;
  const move = board.legal.find((legal) => legal.text === puzzle?.line[state.ply]);
  if (!move || state.isOver || state.ply % 2) return; // the reply has not been played yet
  const [from, to] = move.routes[0];
  state.hintCount += 1;
  state.moveHints += 1;
  state.isClean = false;
  board.set({ marks: [from] });
  if (state.moveHints === 1) return showFeedback(t('puzzles.hint_piece', { square: board.names[from] }), '');
  board.set({ arrows: [{ route: [from, to], brush: 'blue' }] });
  showFeedback(t('puzzles.hint_square', { from: board.names[from], to: board.names[to] }), '');
}

function giveUp() {
  const { puzzle } = state;
  if (state.isOver || !puzzle) return;
  endStreak();
  sendResult(puzzle, false);
  finish(puzzle, t('puzzles.shown', { given: puzzle.given, taken: puzzle.taken }), '');
  goTo(puzzle, 1);
}

/** Lists the solution: sacrifices, forced replies, captures. @param {PuzzleView} puzzle */
function showSolution(puzzle) {
  const rows = puzzle.line.map((text, index) => {
    const isReply = index % 2 === 1;
    const captured = puzzle.frames[index + 1].last?.captured.length ?? 0;
    const words = [isReply && t('puzzles.forced'), captured && t('puzzles.takes', { n: captured }),
      !isReply && !captured && t('puzzles.sacrifice')].filter(Boolean);
    return h('li', h('button.solution-move', {
      class: isReply ? 'solution-reply' : '', testid: `solution-${index + 1}`,
      onclick: () => goTo(puzzle, index + 1),
    }, h('span.move', text), h('span.small.muted', words.join(', '))));
  });
  solutionCard.replaceChildren(h('h2.card-title', t('puzzles.line')), h('ol.solution', ...rows));
  solutionCard.hidden = false;
}

/** @param {PuzzleView} puzzle @param {number} ply */
function goTo(puzzle, ply) {
  state.ply = ply;
  lessonBoard.show(puzzle.frames[ply]);
  markCurrent($$('.solution-move'), ply - 1);
}

function showScore() {
  const { streak, best, solved } = score();
  byId('streak').textContent = String(streak);
  byId('best-streak').textContent = best ? t('puzzles.best_streak', { n: best }) : '';
  byId('solved-count').textContent = t('puzzles.solved_count',
    { n: solved.length, count: state.list.length });
}

void start();
