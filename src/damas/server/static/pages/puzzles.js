/** Puzzles: rated training, the puzzle of the day, a run, a review, and puzzles chosen by motif and grade. */

import { ApiError } from '../lib/api.js';
import { $$, byId, isWriting } from '../lib/dom.js';
import { loadValue, storeValue } from '../lib/storage.js';
import { lang, t } from '../lib/words.js';
import { showFeedback } from './learning/lesson-board.js';
import { getProgress, setProgress, syncProgress } from './learning/progress.js';
import { cachePuzzles, findPuzzles, getPuzzle } from './learning/puzzle-store.js';
import { keepAttempt, sendRated } from './puzzles/attempts.js';
import { chooseFree, chooseRated, loadToday, MODES, ReviewQueue, Run } from './puzzles/choice.js';
import { showDashboard } from './puzzles/dashboard.js';
import { PuzzleSolver } from './puzzles/solver.js';

/** @import { PuzzleTried, TrainingToday } from './learning/messages.js' */
/** @import { Choice, Mode } from './puzzles/choice.js' */
/** @import { Outcome } from './puzzles/solver.js' */

const STORAGE_KEY = 'damas.puzzles';
/** Test ids of the buttons by key. @type {Record<string, string>} */
const SHORTCUTS = { d: 'hint', s: 'solution', n: 'next-puzzle' };

const query = new URLSearchParams(location.search);
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const motifSelect = byId('motif-choice', HTMLSelectElement);
const nextButton = byId('next-puzzle', HTMLButtonElement);
const solver = new PuzzleSolver({ onOutcome, onFinish });
const run = new Run();
const reviews = new ReviewQueue();

const state = {
  book: query.get('rulebook') ?? loadValue(STORAGE_KEY)
    ?? document.documentElement.dataset.rulebookDefault ?? '',
  /** @type {Mode} */
  mode: 'rated',
  /** 0 for all grades. */
  grade: Number(query.get('grade') ?? 0),
  /** Puzzles of the rulebook. */
  total: 0,
  /** Whether the puzzle was chosen without the server, so that it is not rated. */
  isUnrated: false,
  /** @type {TrainingToday | null} */
  today: null,
};

/** How many puzzles were asked for: only the last one is opened. */
let openings = 0;

/** @typedef {{solved: string[], streak: number, best: number, run?: number}} Score */
const progressKey = () => `puzzles.${state.book}`;
/** @returns {Score} */
const score = () => getProgress(progressKey(), { solved: [], streak: 0, best: 0 });

/** The mode that an address names; one with a puzzle or a grade is an address of puzzles that were chosen. */
function modeOfAddress() {
  const named = MODES.find((mode) => mode === query.get('mode'));
  return named ?? (['id', 'grade', 'motif'].some((name) => query.get(name)) ? 'free' : 'rated');
}

async function start() {
  const books = [...rulebookSelect.options].map((option) => option.value);
  if (!books.includes(state.book)) state.book = books[0];
  rulebookSelect.value = state.book;
  rulebookSelect.addEventListener('change', () => loadRulebook(rulebookSelect.value));
  motifSelect.value = query.get('motif') ?? '';
  if (motifSelect.selectedIndex < 0) motifSelect.value = '';
  motifSelect.addEventListener('change', () => openNext());
  for (const radio of $$('input[name="grade"]', HTMLInputElement)) {
    radio.checked = Number(radio.value) === state.grade;
    radio.addEventListener('change', () => {
      state.grade = Number(radio.value);
      void openNext();
    });
  }
  for (const radio of $$('input[name="mode"]', HTMLInputElement)) {
    radio.addEventListener('change', () => {
      showMode(MODES.find((mode) => mode === radio.value) ?? 'rated');
      if (!state.today) void showToday(); // the server did not answer before
      void openNext();
    });
  }
  showMode(modeOfAddress());
  nextButton.addEventListener('click', () => {
    if (state.mode === 'daily' && solver.puzzle) showMode('rated'); // there is one a day
    void openNext();
  });
  document.addEventListener('keydown', (event) => {
    const testid = SHORTCUTS[event.key.toLowerCase()];
    if (!testid || isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = byId(testid, HTMLButtonElement);
    if (!button.hidden && !button.disabled) button.click();
  });
  await syncProgress();
  // Another puzzle of a run or a review would be out of turn.
  await loadRulebook(state.book, ['free', 'rated'].includes(state.mode) ? query.get('id') ?? '' : '');
  document.body.dataset.ready = 'puzzles';
}

/** Shows the fields of a mode. @param {Mode} mode */
function showMode(mode) {
  state.mode = mode;
  run.isOver = true;
  for (const radio of $$('input[name="mode"]', HTMLInputElement)) radio.checked = radio.value === mode;
  byId('motif-field').hidden = mode !== 'free' && mode !== 'rated';
  byId('grade-field').hidden = mode !== 'free';
  byId('streak-line').hidden = mode === 'run';
  byId('mode-line').textContent = t(`puzzles.mode_lines.${mode}`);
  solver.allowsHints = mode !== 'run';
}

/** Opens a puzzle of a rulebook, or stays at the current one. @param {string} book @param {string} [id] */
async function loadRulebook(book, id = '') {
  try {
    const { total, motifs } = await findPuzzles(book, {});
    if (rulebookSelect.value !== book) return; // another was chosen meanwhile
    openings += 1; // a puzzle of another rulebook would not fit on the board
    await solver.lessonBoard.useRulebook(book);
    Object.assign(state, { book, total });
    run.isOver = true;
    showMotifs(motifs);
  } catch (error) {
    if (rulebookSelect.value !== book) return;
    showProblem(error, book);
    rulebookSelect.value = state.book;
    return;
  }
  storeValue(STORAGE_KEY, book);
  void showToday();
  await openNext(id);
  void cachePuzzles(book);
}

/** Offers the motifs that the rulebook has. @param {Record<string, number>} counts */
function showMotifs(counts) {
  for (const option of motifSelect.options) {
    if (!option.value) continue;
    const count = counts[option.value] ?? 0;
    option.text = `${t(`puzzles.motif.${option.value}`)} (${count})`;
    option.hidden = option.disabled = !count;
  }
  if (motifSelect.selectedOptions[0].disabled) motifSelect.value = '';
}

/** What is due, the puzzle of the day, and the solver's rating. */
async function showToday() {
  const { book } = state;
  const today = await loadToday(book).catch(() => null); // without the server there is none
  if (book !== state.book) return;
  state.today = today;
  byId('review-count').textContent = today?.due ? `(${today.due})` : '';
  byId('daily-done').hidden = !today?.daily_solved;
  void showDashboard(book, today);
}

/** @param {unknown} error @param {string} book */
function showProblem(error, book) {
  if (!(error instanceof ApiError)) throw error;
  const name = [...rulebookSelect.options].find((option) => option.value === book)?.text;
  const isKeptMode = state.mode === 'free' || state.mode === 'rated';
  if (!error.status && !isKeptMode) solver.clear(t(`puzzles.mode.${state.mode}`));
  else if (!solver.puzzle) byId('hint').hidden = byId('solution').hidden = true;
  const more = t(isKeptMode ? 'puzzles.none_kept' : 'puzzles.needs_server', { rulebook: name });
  showFeedback(error.status ? error.message : `${error.message} ${more}`, 'bad');
}

/** Opens a puzzle by its id, or the next one of the mode. @param {string} [id] @returns {Promise<void>} */
async function openNext(id = '') {
  if (!state.total) return loadRulebook(state.book, id); // it failed before
  const opening = openings += 1;
  const { mode, book } = state;
  let chosen = '';
  try {
    const next = id ? { id } : await chooseNext(mode, book);
    if (opening !== openings) return; // something else was chosen meanwhile
    if (!next) return showNothing(mode, book);
    chosen = next.id;
    const puzzle = await getPuzzle(book, chosen);
    if (opening !== openings) return;
    state.isUnrated = Boolean(next.isUnrated || next.isAgain);
    solver.open(puzzle, book);
    byId('rating-change').textContent = '';
    showAddress(puzzle.id);
    showScore();
    if (next.isUnrated) showFeedback(t('puzzles.unrated_away'), '');
    else if (next.isAgain) showFeedback(t('puzzles.all_solved'), '');
  } catch (error) {
    if (opening !== openings) return;
    const isUnknown = chosen && error instanceof ApiError && error.status === 404;
    if (!isUnknown) return showProblem(error, book);
    if (mode === 'review') await reviews.forget(book, chosen); // it is no longer among the puzzles
    return openNext(); // an old address
  }
}

/** @param {Mode} mode @param {string} book @returns {Promise<Choice | null>} */
async function chooseNext(mode, book) {
  const { min = '', max = '' } = $$('input[name="grade"]:checked', HTMLInputElement)[0].dataset;
  const criteria = { motif: motifSelect.value, solved: score().solved, current: solver.puzzle?.id };
  switch (mode) {
    case 'rated': return chooseRated(book, { ...criteria, min: 0, hasGrade: false });
    case 'daily': return { id: (await loadToday(book)).daily };
    case 'run': return run.next(book);
    case 'review': return reviews.next(book);
    default: return chooseFree(book,
      { ...criteria, min: Number(min), max: max ? Number(max) : undefined, hasGrade: state.grade > 0 });
  }
}

/** There is no next puzzle. @param {Mode} mode @param {string} book */
async function showNothing(mode, book) {
  if (mode === 'review') {
    const due_ms = await reviews.nextDue(book);
    const date = due_ms && new Date(due_ms).toLocaleString(lang, { dateStyle: 'medium', timeStyle: 'short' });
    solver.clear(t('puzzles.nothing_due'));
    showFeedback(date ? t('puzzles.next_due', { date }) : t('puzzles.empty_deck'), '');
  } else if (mode === 'run') {
    solver.clear(t('puzzles.run_complete'));
    endRun();
  } else {
    showFeedback(t('puzzles.no_match'), 'bad');
  }
  showScore();
}

/** Names the puzzle and the choice in the address. @param {string} id */
function showAddress(id) {
  const { mode, book, grade } = state;
  const choice = [['mode', mode === 'free' ? '' : mode],
    ['motif', byId('motif-field').hidden ? '' : motifSelect.value],
    ['grade', mode === 'free' && grade ? String(grade) : '']].filter(([, value]) => value);
  const address = new URL(location.href);
  address.search = new URLSearchParams([['rulebook', book], ...choice, ['id', id]]).toString();
  history.replaceState(null, '', address);
}

/** The first thing that is known of how a puzzle went. @param {Outcome} outcome */
function onOutcome(outcome) {
  const { book, mode } = state;
  if (!outcome.solved) {
    const before = score();
    if (before.streak) setProgress(progressKey(), { ...before, streak: 0 });
  }
  if (mode === 'rated' && !state.isUnrated && !outcome.hints) void rate(book, outcome);
  else keepAttempt(book, outcome);
  if (mode === 'review') void answerReview(book, outcome);
  if (mode === 'run') {
    run.take(outcome.solved);
    if (run.isOver) endRun();
  }
  showScore();
}

/** @param {Outcome} outcome */
function onFinish(outcome) {
  const { puzzle, solved, isClean } = outcome;
  if (solved) {
    const before = score();
    const streak = isClean ? before.streak + 1 : 0;
    setProgress(progressKey(), { ...before, solved: [...new Set([...before.solved, puzzle.id])], streak,
      best: Math.max(before.best, streak) });
    if (outcome.isSecondTry) keepAttempt(state.book, outcome); // the first one is not rated anew
  }
  showScore();
  nextButton.focus({ preventScroll: true });
}

/** @param {string} book @param {Outcome} outcome */
async function rate(book, outcome) {
  const tried = await sendRated(book, outcome);
  if (book !== state.book || solver.puzzle !== outcome.puzzle) return;
  byId('rating-change').textContent = changeWords(tried);
  await showToday();
}

/** @param {PuzzleTried | null} tried */
function changeWords(tried) {
  if (!tried) return t('puzzles.unrated_away');
  if (!tried.rating) return t('puzzles.unrated_again');
  const change = tried.change > 0 ? `+${tried.change}` : String(tried.change).replace('-', '−');
  return t('puzzles.rated', { rating: tried.rating.rating, change });
}

/** @param {string} book @param {Outcome} outcome */
async function answerReview(book, { puzzle, solved, hints }) {
  try {
    const grade = hints ? 'hard' : 'good';
    const reply = await reviews.answer(book, puzzle.id, solved ? grade : 'again');
    if (!reply || solver.puzzle !== puzzle) return;
    const date = new Date(reply.due_ms).toLocaleString(lang, { dateStyle: 'medium', timeStyle: 'short' });
    byId('rating-change').textContent = t('puzzles.comes_back', { date });
    await showToday();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    byId('rating-change').textContent = `${error.message} ${t('puzzles.review_unsent')}`;
  }
}

function endRun() {
  const before = score();
  const best = Math.max(before.run ?? 0, run.score);
  setProgress(progressKey(), { ...before, run: best });
}

function showScore() {
  const { streak, best, solved, run: bestRun = 0 } = score();
  byId('streak').textContent = String(streak);
  byId('best-streak').textContent = best ? t('puzzles.best_streak', { n: best }) : '';
  byId('solved-count').textContent = t('puzzles.solved_count', { n: solved.length, count: state.total });
  const runLine = byId('run-line');
  runLine.hidden = state.mode !== 'run';
  runLine.textContent = [
    t(run.isOver ? 'puzzles.run_over' : 'puzzles.run_now', { n: run.score }),
    bestRun ? t('puzzles.run_best', { n: bestRun }) : ''].filter(Boolean).join(' · ');
  const isRunOver = state.mode === 'run' && run.isOver;
  byId('next-label').textContent = t(isRunOver ? 'puzzles.run_again' : 'puzzles.next');
}

void start();
