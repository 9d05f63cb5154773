/** Practice endings: the server's tables defend; after each move they say what it was worth and what is counted. */

import { api, ApiError } from '../lib/api.js';
import { byId, h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { Desk, ending as ended } from './learning/desk.js';
import { join, keep, progress } from './learning/progress.js';

const HOLD = 12;
/** Moves after which a defence has held where no count ends the game. */
const REPLY_AFTER = 450;

const desk = new Desk(byId('ending-board'), { played, typedAt: byId('typed-place'), reasonsAt: byId('reasons') });
const { board } = desk;
const asked = new URLSearchParams(location.search);

const state = {
  book: asked.get('rulebook') ?? document.documentElement.dataset.rulebookDefault ?? '',
  kind: asked.get('ending') ?? '',
  fen: '',
  goal: 'win',
  /** @type {{text: string, slip: boolean}[]} */
  moves: [],
  /** Views to go back to, one before each own move. @type {{view: any, verdict: any, moves: number}[]} */
  before: [],
  view: /** @type {any} */ (null),
  verdict: /** @type {any} */ (null),
  busy: false,
};

async function start() {
  const books = byId('rulebook'), kinds = byId('ending');
  if (![...books.options].some((option) => option.value === state.book)) state.book = books.options[0].value;
  books.value = state.book;
  books.addEventListener('change', () => { state.book = books.value; fillKinds(); fresh(); });
  kinds.addEventListener('change', () => { state.kind = kinds.value; fresh(); });
  byId('another').addEventListener('click', () => fresh());
  byId('same').addEventListener('click', again);
  byId('take-back').addEventListener('click', takeBack);
  byId('best').addEventListener('click', showBest);
  fillKinds();
  busy(true, t('learn.preparing'));
  document.body.dataset.ready = 'endings';
  await join();
  await fresh(asked.has('seed') ? Number(asked.get('seed')) : undefined);
}

function fillKinds() {
  const books = byId('rulebook'), kinds = byId('ending');
  const ids = books.selectedOptions[0].dataset.endings.split(' ');
  kinds.replaceChildren(...ids.map((/** @type {string} */ id) => h('option', { value: id }, t(`learn.ending.${id}`))));
  if (!ids.includes(state.kind)) state.kind = ids[0];
  kinds.value = state.kind;
}

/** @type {any} */
let given = null;

/** Which ending was asked for last: tables take their time, and an answer that comes too late is nobody's. */
let wanted = 0;

/** @param {number} [seed] */
async function fresh(seed) {
  const mark = ++wanted;
  busy(true, t('learn.preparing'));
  board.movable = 'none';
  try {
    await desk.use(state.book);
    const found = await api.post('/api/endings', { rulebook: state.book, ending: state.kind, ...(seed === undefined ? {} : { seed }) });
    if (mark !== wanted) return;
    given = found;
    begin();
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    if (mark === wanted) tell(problem.message, 'bad');
  } finally {
    if (mark === wanted) busy(false);
  }
}

function begin() {
  Object.assign(state, { fen: given.fen, goal: given.goal, moves: [], before: [] });
  byId('goal').textContent = t(`learn.goal.${given.goal}`);
  tell(given.goal === 'draw' ? t('learn.hold_on', { n: HOLD }) : '', '');
  show(given.view, given.verdict);
  tellScore();
  history.replaceState(null, '', `?${new URLSearchParams({ rulebook: state.book, ending: state.kind })}`);
}

function again() {
  if (given && !state.busy) begin();
}

/** @param {any} view @param {any} verdict */
function show(view, verdict) {
  state.view = view;
  state.verdict = verdict;
  board.arrows = [];
  board.movable = view.outcome ? 'none' : 'white';
  desk.show(view);
  byId('verdict').textContent = view.outcome ? ended(view) : verdict?.sentence ?? '';
  showButtons();
  byId('moves').replaceChildren(...state.moves.map((move) => h('li', null, h('span', { class: move.slip ? 'slip' : '' }, move.text))));
}

/** @param {any} move @returns {Promise<void>} */
async function played(move) {
  if (state.busy) return board.reset();
  busy(true, t('learn.thinking'));
  const texts = [...state.moves.map((each) => each.text), move.text];
  try {
    const answer = await api.post('/api/endings/reply', { rulebook: state.book, fen: state.fen, moves: texts });
    state.before.push({ view: state.view, verdict: state.verdict, moves: state.moves.length });
    state.moves = [...state.moves, { text: answer.played, slip: !answer.kept }];
    show(answer.after_move, null);
    board.movable = 'none';
    if (answer.reply) {
      await new Promise((go) => { setTimeout(go, REPLY_AFTER); });
      state.moves = [...state.moves, { text: answer.reply, slip: false }];
    }
    show(answer.view, answer.verdict);
    comment(answer);
  } catch (problem) {
    board.reset();
    if (!(problem instanceof ApiError)) throw problem;
    tell(problem.message, 'bad');
  } finally {
    busy(false);
  }
}

/** @param {any} answer */
function comment(answer) {
  const over = answer.view.outcome, held = state.goal === 'draw' && state.before.length >= HOLD && answer.kept;
  if (answer.won || (state.goal === 'draw' && over && over.winner !== 'black') || held) {
    tell(t(answer.won ? 'learn.won' : 'learn.held'), 'good');
    const key = `endings.${state.book}`, now = progress(key, { done: 0 });
    keep(key, { ...now, done: now.done + 1 });
    board.movable = 'none';
    byId('another').focus({ preventScroll: true });
    return tellScore();
  }
  if (over) return tell(t('learn.missed'), 'bad');
  if (!answer.kept) return tell(t(`learn.slip.${state.goal}`, { move: answer.played, best: answer.best.text }), 'bad');
  tell(`${t('learn.kept', { move: answer.played })} ${t('learn.reply', { move: answer.reply })}`, 'good');
}

function takeBack() {
  const last = state.busy ? undefined : state.before.pop();
  if (!last) return;
  state.moves = state.moves.slice(0, last.moves);
  show(last.view, last.verdict);
  tell('', '');
}

function showBest() {
  const best = state.verdict?.moves?.[0];
  if (!best) return;
  board.arrows = [{ route: best.route, brush: 'green' }];
  tell(best.text, '');
}

/** @param {boolean} now @param {string} [words] */
function busy(now, words = '') {
  state.busy = now;
  document.body.toggleAttribute('aria-busy', now);
  if (now) tell(words, '');
  showButtons();
}

/** What can be done with the ending as it stands. */
function showButtons() {
  byId('another').disabled = state.busy;
  byId('same').disabled = state.busy || !given;
  byId('take-back').disabled = state.busy || !state.before.length;
  byId('best').disabled = state.busy || !state.verdict || Boolean(state.view?.outcome);
}

/** @param {string} words @param {''|'good'|'bad'} mood */
function tell(words, mood) {
  const line = byId('feedback');
  line.textContent = words;
  line.dataset.mood = mood;
}

function tellScore() {
  byId('ending-score').textContent = t('learn.wins', { n: progress(`endings.${state.book}`, { done: 0 }).done });
}

start();
