/** One lesson: a board, a step at a time. Each task says what counts as done; the rules are the server's. */

import { api } from '../lib/api.js';
import { byId, h, icon } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { Desk, ending, Player, positionAfter } from './learning/desk.js';
import { join, keep, progress } from './learning/progress.js';

const REPLY_AFTER = 600;
/** Milliseconds before the opponent's forced move. */

const id = document.querySelector('[data-lesson]')?.getAttribute('data-lesson') ?? '';
const key = `lesson.${id}`;
const desk = new Desk(byId('lesson-board'), { played, refused, typedAt: byId('typed-place'), reasonsAt: byId('reasons') });
const { board } = desk;

let lesson = /** @type {any} */ (null);
let at = 0;
let done = false;
/** Plies of a shot made so far. */
let ply = 0;
let player = /** @type {Player | null} */ (null);

const step = () => lesson.step[at];
const kept = () => progress(key, { done: /** @type {number[]} */ ([]), at: 0 });

async function start() {
  byId('step-next').addEventListener('click', next);
  byId('step-back').addEventListener('click', () => open(at - 1));
  byId('show-me').addEventListener('click', showMe);
  [lesson] = await Promise.all([api.get(`/api/lessons/${id}`), join()]);
  const wanted = Number(new URLSearchParams(location.search).get('step')) - 1;
  const first = lesson.step.findIndex((/** @type {any} */ _, /** @type {number} */ i) => !kept().done.includes(i));
  await open(wanted >= 0 ? wanted : first >= 0 ? first : 0);
  document.body.dataset.ready = 'lesson';
}

/** @param {number} which */
async function open(which) {
  player = null;
  at = Math.max(0, Math.min(which, lesson.step.length - 1));
  done = false;
  ply = 0;
  const now = step();
  byId('lesson-end').hidden = true;
  await desk.use(now.rulebook);
  const view = now.frames?.[0] ?? now.view ?? desk.book.start;
  board.numbering = now.numbered ? desk.book.board.scheme : 'rulebook';
  board.marks = now.marks;
  board.arrows = [];
  desk.handlers.counting = now.task === 'watch';
  board.orientation = ['line', 'play', 'only'].includes(now.task) ? view.turn : 'white';
  board.hints = now.task !== 'count';
  board.movable = ['play', 'only', 'refused', 'line'].includes(now.task) ? view.turn : 'none';
  desk.show(view);
  if (desk.input) desk.input.hidden = board.movable === 'none';
  describe(now);
  dots();
  if (now.task === 'watch') watch(now);
  if (now.task === 'look' || now.task === 'read') finish('', false);
}

/** @param {any} now */
function describe(now) {
  byId('step-of').textContent = t('learn.step_of', { n: at + 1, count: lesson.step.length });
  byId('lesson-text').textContent = now.text;
  const prompt = now.task === 'play' && now.judged ? 'judged' : now.task;
  byId('prompt').textContent = now.task === 'refused' ? t('learn.try_it', { move: now.tried }) : t(`learn.prompt.${prompt}`);
  tell('', '');
  byId('after').hidden = true;
  const quoted = byId('article');
  const article = now.article;
  quoted.hidden = !article || article.text === now.text;
  quoted.replaceChildren(...(article ? [h('p', null, article.text), h('a', { href: `/rules/${article.rulebook}#${article.id}` }, article.cite)] : []));
  const options = byId('options');
  options.hidden = !['count', 'watch'].includes(now.task);
  options.replaceChildren(...(now.options ?? []).map((/** @type {number} */ n) => h('button.button-quiet', { type: 'button', dataset: { testid: `option-${n}` }, onclick: () => answer(n) }, String(n))));
  byId('show-me').hidden = ['look', 'read', 'watch', 'count'].includes(now.task);
  byId('step-back').disabled = at === 0;
  byId('step-next').disabled = !kept().done.includes(at);
}

function dots() {
  const finished = kept().done;
  byId('lesson-dots').replaceChildren(...lesson.step.map((/** @type {any} */ _, /** @type {number} */ i) => h('button.lesson-dot', {
    type: 'button', class: finished.includes(i) ? 'is-done' : '', 'aria-current': i === at ? 'step' : null,
    'aria-label': t('learn.step_of', { n: i + 1, count: lesson.step.length }) + (finished.includes(i) ? ` (${t('learn.complete')})` : ''),
    dataset: { testid: `dot-${i + 1}` }, onclick: () => open(i),
  }, h('span', null, finished.includes(i) ? '✓' : String(i + 1)))));
}

/** @param {string} words @param {''|'good'|'bad'} mood */
function tell(words, mood) {
  const line = byId('feedback');
  line.textContent = words;
  line.dataset.mood = mood;
}

/** The step is done: it is kept, and the way on is open. @param {string} [words] @param {boolean} [focus] */
function finish(words = t('learn.right'), focus = true) {
  if (done) return;
  done = true;
  const before = kept();
  if (!before.done.includes(at)) keep(key, { ...before, done: [...before.done, at].sort((a, b) => a - b), at });
  if (words) tell(words, 'good');
  const after = byId('after');
  after.textContent = step().after;
  after.hidden = !step().after;
  byId('step-next').disabled = false;
  dots();
  if (focus) byId('step-next').focus({ preventScroll: true });
}

function next() {
  if (at + 1 < lesson.step.length) return open(at + 1);
  const end = byId('lesson-end');
  end.hidden = false;
  end.replaceChildren(
    h('h2', null, t('learn.lesson_done')),
    h('p', null, t('learn.lesson_done_text', { n: lesson.step.length, title: lesson.title })),
    h('div.toolbar', null,
      ...(lesson.next ? [h('a.button', { href: `/learn/${lesson.next.id}`, dataset: { testid: 'next-lesson' } }, t('learn.next_lesson', { title: lesson.next.title }), icon('next'))] : []),
      h('a.button-quiet', { href: '/learn' }, t('learn.all_lessons'))));
  end.scrollIntoView({ block: 'center' });
  end.focus({ preventScroll: true });
}

// What the visitor does

/** @param {any} move @returns {Promise<void>} */
async function played(move) {
  const now = step();
  if (now.task === 'line') return playedLine(move.text);
  const instead = now.task === 'refused' && done; // the move that the refusal asked for
  if (!instead && !now.answer?.includes(move.text)) {
    if (now.refuted?.[move.text]) return punish(now, [move.text, ...now.refuted[move.text]]);
    tell(t('learn.wrong'), 'bad');
    return board.reset();
  }
  const view = await positionAfter(now.rulebook, now.view.fen, [move.text]);
  if (step() !== now) return;
  board.movable = 'none';
  desk.show(view);
  finish(ending(view) || t('learn.right'));
}

/** Shows what a mistake costs, move by move, and puts the position back. @param {any} now @param {string[]} line */
async function punish(now, line) {
  board.movable = 'none';
  tell(t('learn.refuted', { move: line[0], reply: line[1] }), 'bad');
  for (let made = 1; made <= line.length; made += 1) {
    const view = await positionAfter(now.rulebook, now.view.fen, line.slice(0, made));
    if (step() !== now) return;
    desk.show(view);
    await new Promise((go) => { setTimeout(go, made === line.length ? 2 * REPLY_AFTER : REPLY_AFTER); });
    if (step() !== now) return;
  }
  desk.show(now.view);
  board.movable = now.view.turn;
}

/** @param {any} answer @param {number[]} route @param {string} text */
function refused(answer, route, text) {
  const now = step();
  if (now.task !== 'refused' || done) return;
  const why = answer.refusal?.code ?? answer.code;
  const tried = (text || answer.tried || answer.refusal?.tried || '').replaceAll(/\s+/g, ' ');
  const same = tried.replaceAll(/[^0-9a-h]+/g, '') === now.tried.replaceAll(/[^0-9a-h]+/g, '') || matches(route, now.tried);
  if (why === now.code && same) finish(t('learn.refused_right'));
}

/** Whether squares touched by hand are the attempt: its first and its last at least. @param {number[]} route @param {string} tried */
function matches(route, tried) {
  const names = board.names;
  const wanted = tried.split(/[-x ]/);
  return route.length > 1 && names[route[0]] === wanted[0] && wanted.includes(names[route[route.length - 1]]);
}

/** @param {string} text @returns {void} */
function playedLine(text) {
  const now = step(), frames = now.frames;
  if (frames[ply + 1].last.text !== text) {
    tell(t('learn.wrong'), 'bad');
    return board.reset();
  }
  ply += 1;
  desk.show(frames[ply]);
  if (ply === frames.length - 1) {
    board.movable = 'none';
    return finish();
  }
  tell('', '');
  window.setTimeout(() => {
    if (step() !== now || ply % 2 === 0) return;
    ply += 1;
    desk.show(frames[ply]);
  }, REPLY_AFTER);
}

/** @param {number} n */
function answer(n) {
  if (String(n) === step().answer) return finish();
  tell(t('learn.wrong_count'), 'bad');
}

/** @param {any} now */
function watch(now) {
  player = new Player(desk, now.frames, (ply) => {
    const frame = now.frames[ply];
    tell([frame.claimed ? t('rules.claimed') : t('rules.ply', { n: frame.ply, count: now.frames.at(-1).ply }), ending(frame)].filter(Boolean).join(' — '), '');
    if (ply === now.frames.length - 1) finish(byId('feedback').textContent ?? '');
  });
  const { go, run } = { go: () => player?.go(player.at + 1), run: () => player?.go(player.last) };
  byId('options').replaceChildren(
    h('button.button-quiet', { type: 'button', dataset: { testid: 'watch-step' }, onclick: go }, icon('next'), t('rules.step')),
    h('button.button-quiet', { type: 'button', dataset: { testid: 'watch-run' }, onclick: run }, icon('last'), t('rules.to_end')));
}

/** Draws what is asked for; the visitor still plays it. */
function showMe() {
  const now = step();
  if (now.task === 'refused') return board.playTyped(now.tried);
  const wanted = now.task === 'line' ? now.frames[ply + 1]?.last.text : now.answer[0];
  const move = board.legal.find((/** @type {any} */ legal) => legal.text === wanted);
  if (!move) return;
  board.arrows = [{ route: move.routes[0], brush: 'green' }];
  tell(move.text, '');
}

start();
