/** Puzzles: one line wins, every reply is forced. Hints come in two steps, the solution ply by ply. */

import { api, ApiError } from '../lib/api.js';
import { $$, byId, h, isWriting } from '../lib/dom.js';
import { lang, t } from '../lib/words.js';
import { Desk } from './learning/desk.js';
import { join, keep, progress } from './learning/progress.js';
import { keepSheet, puzzleOf, puzzlesOf } from './learning/sheets.js';

const REPLY_AFTER = 600;
const LAST = 'damas.puzzles';
const KEYS = { d: 'hint', s: 'solution', n: 'next-puzzle' };

const desk = new Desk(byId('puzzle-board'), { played, typedAt: byId('typed-place'), reasonsAt: byId('reasons'), counting: false });
const { board } = desk;
const asked = new URLSearchParams(location.search);

const state = {
  book: asked.get('rulebook') ?? lastUsed() ?? document.documentElement.dataset.rulebookDefault ?? 'brasileira',
  grade: Number(asked.get('grade') ?? 0),
  list: /** @type {any[]} */ ([]),
  puzzle: /** @type {any} */ (null),
  ply: 0,
  hints: 0,
  /** How much of the next own move was told. */
  told: 0,
  /** Nothing was shown and no wrong move made: it counts for the streak. */
  clean: true,
  over: false,
  begun: 0,
};

function lastUsed() {
  try {
    return localStorage.getItem(LAST);
  } catch {
    return null;
  }
}

const key = () => `puzzles.${state.book}`;
const score = () => progress(key(), { solved: /** @type {string[]} */ ([]), streak: 0, best: 0 });

async function start() {
  const choice = byId('rulebook');
  if (![...choice.options].some((option) => option.value === state.book)) state.book = choice.options[0].value;
  choice.value = state.book;
  choice.addEventListener('change', () => load(choice.value));
  for (const radio of $$('input[name="grade"]')) {
    radio.checked = Number(radio.value) === state.grade;
    radio.addEventListener('change', () => { state.grade = Number(radio.value); next(); });
  }
  byId('hint').addEventListener('click', hint);
  byId('solution').addEventListener('click', solution);
  byId('again').addEventListener('click', () => begin(state.puzzle));
  byId('next-puzzle').addEventListener('click', () => next());
  document.addEventListener('keydown', (event) => {
    const name = KEYS[/** @type {keyof typeof KEYS} */ (event.key.toLowerCase())];
    if (!name || isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = byId(name);
    if (!button.hidden && !button.disabled) button.click();
  });
  await join();
  await load(state.book, asked.get('id') ?? '');
  document.body.dataset.ready = 'puzzles';
}

/** Where its puzzles do not come, what is on the board stays there. @param {string} book @param {string} [wanted] the id of a puzzle */
async function load(book, wanted = '') {
  try {
    const list = await puzzlesOf(book);
    await desk.use(book);
    Object.assign(state, { book, list });
  } catch (problem) {
    trouble(problem, book);
    byId('rulebook').value = state.book;
    return;
  }
  try {
    localStorage.setItem(LAST, book);
  } catch { /* then the next visit begins with another */ }
  await next(wanted);
  keepSheet(book);
}

/** Without a puzzle there is nothing to give hints about. @param {unknown} problem @param {string} book */
function trouble(problem, book) {
  if (!(problem instanceof ApiError)) throw problem;
  if (!state.puzzle) byId('hint').hidden = byId('solution').hidden = true;
  const name = [...byId('rulebook').options].find((option) => option.value === book)?.text;
  tell(problem.status ? problem.message : `${problem.message} ${t('puzzles.none_kept', { rulebook: name })}`, 'bad');
}

/** @param {string} [wanted] @returns {Promise<void>} */
async function next(wanted = '') {
  if (!state.list.length) return load(state.book, wanted); // it did not come before
  const { solved } = score();
  const fits = state.list.filter((puzzle) => !state.grade || puzzle.grade === state.grade);
  const fresh = fits.filter((puzzle) => !solved.includes(puzzle.id) && puzzle.id !== state.puzzle?.id);
  const from = fresh.length ? fresh : fits.length ? fits : state.list;
  // While every grade is asked for, one of the easiest that are left.
  const near = state.grade ? from : [...from].sort((a, b) => a.grade - b.grade).slice(0, 12);
  const id = wanted || near[Math.floor(Math.random() * near.length)].id;
  try {
    begin(await puzzleOf(state.book, id));
  } catch (problem) {
    // An address may name a puzzle that is there no more: then another.
    return wanted && problem instanceof ApiError && problem.status === 404 ? next() : trouble(problem, state.book);
  }
  if (!fresh.length && !wanted) tell(t('puzzles.all_solved'), '');
}

/** @param {any} puzzle */
function begin(puzzle) {
  const again = state.puzzle === puzzle;
  state.puzzle = puzzle;
  Object.assign(state, { ply: 0, hints: 0, told: 0, clean: !again, over: false, begun: performance.now() });
  const first = puzzle.frames[0];
  board.orientation = first.turn;
  board.movable = first.turn;
  board.marks = [];
  board.arrows = [];
  desk.show(first);
  if (desk.input) desk.input.hidden = false;
  byId('task').textContent = t(`puzzles.${first.turn}_plays`);
  byId('grade').textContent = t('puzzles.grade_name', { n: puzzle.grade });
  byId('own-moves').textContent = t('puzzles.moves', { n: puzzle.moves });
  byId('motif').hidden = true;
  byId('hint').hidden = byId('solution').hidden = false;
  byId('again').hidden = byId('analyse').hidden = byId('line').hidden = true;
  tell('', '');
  tellScore();
  const address = new URL(location.href);
  address.search = new URLSearchParams({ rulebook: state.book, ...(state.grade ? { grade: String(state.grade) } : {}), id: puzzle.id }).toString();
  history.replaceState(null, '', address);
}

/** @param {any} move @returns {void} */
function played(move) {
  const { puzzle } = state, expected = puzzle.line[state.ply];
  const last = state.ply === puzzle.line.length - 1;
  if (move.text !== expected && !(last && puzzle.also.includes(move.text))) {
    slip();
    tell(t('puzzles.wrong', { move: move.text }), 'bad');
    return board.reset();
  }
  board.marks = [];
  board.arrows = [];
  if (last && move.text !== expected) return finishWith(move.text);
  state.ply += 1;
  state.told = 0;
  desk.show(puzzle.frames[state.ply]);
  if (last) return solved();
  tell(t('puzzles.good', { move: move.text }), 'good');
  window.setTimeout(() => {
    if (state.puzzle !== puzzle || state.over || state.ply % 2 === 0) return;
    state.ply += 1;
    desk.show(puzzle.frames[state.ply]);
  }, REPLY_AFTER);
}

/** Another last move that wins as much. @param {string} text */
function finishWith(text) {
  desk.show(state.puzzle.also_frames[text]);
  solved();
}

function slip() {
  const now = score();
  state.clean = false;
  if (now.streak) keep(key(), { ...now, streak: 0 });
  tellScore();
}

function solved() {
  const now = score(), { puzzle } = state;
  const streak = state.clean ? now.streak + 1 : 0;
  keep(key(), { solved: [...new Set([...now.solved, puzzle.id])], streak, best: Math.max(now.best, streak) });
  report(true);
  finish(t('puzzles.solved', { given: puzzle.given, taken: puzzle.taken }), 'good');
}

/** @param {boolean} won */
function report(won) {
  const spent_ms = Math.min(86_400_000, Math.round(performance.now() - state.begun));
  api.post(`/api/puzzles/${state.book}/${state.puzzle.id}`, { solved: won, hints: state.hints, spent_ms }).catch(() => {});
}

/** @param {string} words @param {''|'good'|'bad'} mood */
function finish(words, mood) {
  const { puzzle } = state;
  state.over = true;
  board.movable = 'none';
  if (desk.input) desk.input.hidden = true;
  tell(`${words} ${t('puzzles.level', { n: puzzle.level })}`, mood);
  byId('motif').textContent = t(`puzzles.motif.${puzzle.motif}`);
  byId('motif').hidden = false;
  byId('hint').hidden = byId('solution').hidden = true;
  byId('again').hidden = byId('analyse').hidden = false;
  byId('analyse').href = `/analysis?rulebook=${state.book}&fen=${encodeURIComponent(puzzle.fen)}&lang=${lang}`;
  tellScore();
  line(puzzle);
  byId('next-puzzle').focus({ preventScroll: true });
}

/** First the piece, then the square it goes to; of one's own moves only, and the reply may still be on its way. */
function hint() {
  const { puzzle } = state;
  const move = board.legal.find((/** @type {any} */ legal) => legal.text === puzzle.line[state.ply]);
  if (!move || state.over || state.ply % 2) return;
  const route = move.routes[0], names = board.names;
  state.hints += 1;
  state.told += 1;
  state.clean = false;
  board.marks = [route[0]];
  if (state.told === 1) return tell(t('puzzles.hint_piece', { square: names[route[0]] }), '');
  board.arrows = [{ route: [route[0], route[1]], brush: 'blue' }];
  tell(t('puzzles.hint_square', { from: names[route[0]], to: names[route[1]] }), '');
}

/** Gives up: the solution is shown ply by ply. */
function solution() {
  if (state.over) return;
  slip();
  report(false);
  finish(t('puzzles.shown', { given: state.puzzle.given, taken: state.puzzle.taken }), '');
  goTo(1);
}

/** The solution as a list: what is given, what is forced, what is taken. @param {any} puzzle */
function line(puzzle) {
  const rows = puzzle.line.map((/** @type {string} */ text, /** @type {number} */ i) => {
    const taken = puzzle.frames[i + 1].last.captured.length;
    const words = [i % 2 ? t('puzzles.forced') : '', taken ? t('puzzles.takes', { n: taken }) : i % 2 ? '' : t('puzzles.sacrifice')].filter(Boolean).join(', ');
    return h('li', null, h('button.solution-move', { type: 'button', class: i % 2 ? 'solution-reply' : '', dataset: { testid: `solution-${i + 1}` }, onclick: () => goTo(i + 1) },
      h('span.move', null, text), h('span.small.muted', null, words)));
  });
  byId('line').replaceChildren(h('h2.card-title', null, t('puzzles.line')), h('ol.solution', null, ...rows));
  byId('line').hidden = false;
}

/** @param {number} ply */
function goTo(ply) {
  state.ply = ply;
  desk.show(state.puzzle.frames[ply]);
  for (const [i, row] of $$('.solution-move').entries()) {
    if (i + 1 === ply) row.setAttribute('aria-current', 'step');
    else row.removeAttribute('aria-current');
  }
}

/** @param {string} words @param {''|'good'|'bad'} mood */
function tell(words, mood) {
  const line = byId('feedback');
  line.textContent = words;
  line.dataset.mood = mood;
}

function tellScore() {
  const { streak, best, solved } = score();
  byId('streak').textContent = String(streak);
  byId('best-streak').textContent = best ? t('puzzles.best_streak', { n: best }) : '';
  byId('solved-count').textContent = t('puzzles.solved_count', { n: solved.length, count: state.list.length });
}

start();
