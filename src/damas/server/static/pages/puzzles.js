/** Puzzles: one line wins, or saves the draw. Hints come in two steps, the solution ply by ply. */

import { currentAccount } from '../lib/account.js';
import { ApiError } from '../lib/api.js';
import { $$, byId, h, isWriting, markCurrent } from '../lib/dom.js';
import { randomId } from '../lib/random.js';
import { loadValue, storeValue } from '../lib/storage.js';
import { lang, t } from '../lib/words.js';
import { storeAttempt } from '../local/store.js';
import { LessonBoard, showFeedback } from './learning/lesson-board.js';
import { getProgress, setProgress, syncProgress } from './learning/progress.js';
import { cachePuzzles, findPuzzles, getPuzzle } from './learning/puzzle-store.js';

/** @import { MoveView } from '../lib/messages.js' */
/** @import { PuzzleEntry, PuzzleList, PuzzleView } from './learning/messages.js' */

const REPLY_DELAY_MS = 600;
const MAX_REPORTED_MS = 86_400_000, MAX_REPORTED_HINTS = 9;
/** The next puzzle is one of this many: the easiest, or of the chosen grade those nearest to some rating. */
const NEAREST_COUNT = 12;
/** Width of a grade, from whose ratings that one is drawn. */
const GRADE_WIDTH = 250;
const STORAGE_KEY = 'damas.puzzles';
/** Test ids of the buttons by key. @type {Record<string, string>} */
const SHORTCUTS = { d: 'hint', s: 'solution', n: 'next-puzzle' };

const lessonBoard = new LessonBoard(byId('puzzle-board'), {
  onMove, inputPlace: byId('typed-place'), refusalPlace: byId('reasons'), showsCounts: false,
  playButton: byId('play-from-here'),
});
const { board } = lessonBoard;
const query = new URLSearchParams(location.search);
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const motifSelect = byId('motif-choice', HTMLSelectElement);
const hintButton = byId('hint', HTMLButtonElement);
const solutionButton = byId('solution', HTMLButtonElement);
const againButton = byId('again', HTMLButtonElement);
const nextButton = byId('next-puzzle', HTMLButtonElement);
const analyseLink = byId('analyse', HTMLAnchorElement);
const motifTags = byId('motifs');
const solutionCard = byId('line');

const state = {
  book: query.get('rulebook') ?? loadValue(STORAGE_KEY)
    ?? document.documentElement.dataset.rulebookDefault ?? '',
  /** 0 for all grades. */
  grade: Number(query.get('grade') ?? 0),
  /** Puzzles of the rulebook. */
  total: 0,
  /** @type {PuzzleView | null} */
  puzzle: null,
  ply: 0,
  hintCount: 0,
  /** How many hints were given for the next move. */
  moveHints: 0,
  /** Without hints and wrong moves so far, which counts for the streak. */
  isClean: true,
  isOver: false,
  /** Whether the reader steps through the solution. */
  isBrowsing: false,
  startedAt: 0,
};

/** How many puzzles were asked for: only the last one is opened. */
let openings = 0;

const progressKey = () => `puzzles.${state.book}`;
const score = () => getProgress(progressKey(), { solved: /** @type {string[]} */ ([]), streak: 0, best: 0 });

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
  await loadRulebook(state.book, query.get('id') ?? '');
  document.body.dataset.ready = 'puzzles';
}

/** Opens a puzzle of a rulebook, or stays at the current one. @param {string} book @param {string} [id] */
async function loadRulebook(book, id = '') {
  try {
    const { total, motifs } = await findPuzzles(book, {});
    if (rulebookSelect.value !== book) return; // another was chosen meanwhile
    await lessonBoard.useRulebook(book);
    Object.assign(state, { book, total });
    showMotifs(motifs);
  } catch (error) {
    if (rulebookSelect.value !== book) return;
    showProblem(error, book);
    rulebookSelect.value = state.book;
    return;
  }
  storeValue(STORAGE_KEY, book);
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
  if (!state.total) return loadRulebook(state.book, id); // it failed before
  const opening = openings += 1;
  try {
    const next = id ? { entry: { id }, isSolved: false } : await chooseNext();
    const puzzle = next.entry && await getPuzzle(state.book, next.entry.id);
    if (opening !== openings) return; // something else was chosen meanwhile
    if (!puzzle) return showFeedback(t('puzzles.no_match'), 'bad');
    openPuzzle(puzzle);
    if (next.isSolved) showFeedback(t('puzzles.all_solved'), '');
  } catch (error) {
    if (opening !== openings) return;
    const isUnknown = id && error instanceof ApiError && error.status === 404; // an old address
    return isUnknown ? openNext() : showProblem(error, state.book);
  }
}

/** An unsolved puzzle of what is chosen, else a solved one. */
async function chooseNext() {
  const solved = new Set(score().solved);
  const { min = '', max = '' } = $$('input[name="grade"]:checked', HTMLInputElement)[0].dataset;
  const near = state.grade ? Number(min) + Math.floor(Math.random() * GRADE_WIDTH) : 0;
  const criteria = { motif: motifSelect.value, near, min: Number(min), max: max ? Number(max) : undefined };
  /** @type {PuzzleEntry[]} */
  const others = [];
  for (let page = 0, seen = 0; ; page += 1) {
    /** @type {PuzzleList} */
    const { puzzles, matching } = await findPuzzles(state.book, { ...criteria, page });
    const unsolved = puzzles.filter(({ id }) => !solved.has(id) && id !== state.puzzle?.id);
    if (unsolved.length) return { entry: anyOf(unsolved.slice(0, NEAREST_COUNT)), isSolved: false };
    others.push(...puzzles);
    seen += puzzles.length;
    if (!puzzles.length || seen >= matching) return { entry: anyOf(others), isSolved: true };
  }
}

/** @template T @param {T[]} list @returns {T | undefined} */
function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/** @param {PuzzleView} puzzle */
function openPuzzle(puzzle) {
  const isClean = state.puzzle !== puzzle;
  Object.assign(state, { puzzle, ply: 0, hintCount: 0, moveHints: 0, isClean, isOver: false,
    isBrowsing: false, startedAt: performance.now() });
  const { turn } = puzzle.frames[0];
  board.set({ orientation: turn, movable: turn, marks: [], arrows: [] });
  lessonBoard.show(puzzle.frames[0]);
  lessonBoard.input.hidden = false;
  byId('task').textContent = t(`puzzles.${turn}_${puzzle.goal}`);
  byId('grade').textContent = `${t('puzzles.grade_name', { n: puzzle.grade })} · ${puzzle.rating}`;
  byId('own-moves').textContent = t('puzzles.moves', { n: puzzle.moves });
  hintButton.hidden = solutionButton.hidden = false;
  motifTags.hidden = againButton.hidden = analyseLink.hidden = solutionCard.hidden = true;
  lessonBoard.offerGame(false);
  showFeedback('', '');
  showScore();
  const choice = [['motif', motifSelect.value], ['grade', String(state.grade || '')]]
    .filter(([, value]) => value);
  const address = new URL(location.href);
  address.search = new URLSearchParams([['rulebook', state.book], ...choice, ['id', puzzle.id]]).toString();
  history.replaceState(null, '', address);
}

/** @param {MoveView} move */
function onMove({ text }) {
  const { puzzle } = state;
  if (!puzzle) return;
  const isRight = text === puzzle.line[state.ply];
  const isLast = state.ply === 2 * puzzle.moves - 2;
  if (!isRight && !(isLast && puzzle.also.includes(text))) {
    endStreak();
    showFeedback(t(puzzle.goal === 'draw' ? 'puzzles.loses' : 'puzzles.wrong', { move: text }), 'bad');
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
  const hasReply = state.ply < puzzle.line.length;
  if (isLast) finishSolved(puzzle);
  else showFeedback(t('puzzles.good', { move: text }), 'good');
  if (hasReply) window.setTimeout(() => showReply(puzzle), REPLY_DELAY_MS);
}

/** Plays the opponent's move, unless the solution is being looked at meanwhile. @param {PuzzleView} puzzle */
function showReply(puzzle) {
  if (state.puzzle !== puzzle || state.ply % 2 === 0 || state.isBrowsing) return;
  state.ply += 1;
  lessonBoard.show(puzzle.frames[state.ply]);
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
  finish(puzzle, t('puzzles.solved'), 'good');
}

/** @param {PuzzleView} puzzle @param {boolean} solved */
function sendResult({ id }, solved) {
  const spent_ms = Math.min(MAX_REPORTED_MS, Math.round(performance.now() - state.startedAt));
  const attempt = { id: randomId(), account: currentAccount(), rulebook: state.book, puzzle: id, solved,
    hints: Math.min(MAX_REPORTED_HINTS, state.hintCount), spent_ms, at_ms: Date.now() };
  storeAttempt(attempt).catch(() => {}); // a browser without a database
}

/** @param {PuzzleView} puzzle @param {string} words @param {'' | 'good'} mood */
function finish(puzzle, words, mood) {
  state.isOver = true;
  board.set({ movable: 'none' });
  lessonBoard.input.hidden = true;
  const { given, taken } = puzzle;
  showFeedback(`${words} ${t(`puzzles.result_${puzzle.goal}`, { given, taken })}`, mood);
  motifTags.replaceChildren(...puzzle.motifs.map((motif) => h('span.tag', t(`puzzles.motif.${motif}`))));
  hintButton.hidden = solutionButton.hidden = true;
  motifTags.hidden = againButton.hidden = analyseLink.hidden = false;
  lessonBoard.offerGame(true);
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
  finish(puzzle, t('puzzles.shown'), '');
  goTo(puzzle, 1);
}

/** Lists the solution: sacrifices, replies, captures. @param {PuzzleView} puzzle */
function showSolution(puzzle) {
  const captures = puzzle.frames.slice(1).map(({ last }) => last?.captured.length ?? 0);
  const rows = puzzle.line.map((text, index) => {
    const isReply = index % 2 === 1;
    const isForced = puzzle.frames[index].legal.length === 1;
    const words = [isReply && t(isForced ? 'puzzles.forced' : 'puzzles.defence'),
      captures[index] && t('puzzles.takes', { n: captures[index] }),
      !isReply && !captures[index] && captures[index + 1] && t('puzzles.sacrifice')].filter(Boolean);
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
  Object.assign(state, { ply, isBrowsing: true });
  lessonBoard.show(puzzle.frames[ply]);
  lessonBoard.offerGame(true);
  markCurrent($$('.solution-move'), ply - 1);
}

function showScore() {
  const { streak, best, solved } = score();
  byId('streak').textContent = String(streak);
  byId('best-streak').textContent = best ? t('puzzles.best_streak', { n: best }) : '';
  byId('solved-count').textContent = t('puzzles.solved_count',
    { n: solved.length, count: state.total });
}

void start();
