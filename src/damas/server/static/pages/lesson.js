/** A lesson, one step at a time. The rules are the server's; each task says what counts as done. */

import { endOf } from '../board/selection.js';
import { api } from '../lib/api.js';
import { untilAnswered } from '../lib/connection.js';
import { $, byId, h, icon, iconButton, showText } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { rememberCourse } from './learning/course.js';
import {
  LessonBoard, outcomeWords, pause, positionAfter, Replay, showFeedback,
} from './learning/lesson-board.js';
import { getProgress, setProgress, syncProgress } from './learning/progress.js';
import { articleElements, gameLinks } from './learning/quotation.js';

/** @import { Repeat } from './learning/lesson-board.js' */
/** @import { LessonStep, LessonView } from './learning/messages.js' */
/** @import { MoveView, PositionView } from '../lib/messages.js' */
/** @import { Explanation } from '../lib/refusal.js' */

const REPLY_DELAY_MS = 600;
/** Tasks in which the visitor moves pieces. */
const MOVE_TASKS = ['play', 'only', 'refused', 'line', 'lift'];

const { lesson: id = '', course = '' } = $('[data-lesson]', HTMLElement).dataset;
const progressKey = `lesson.${id}`;
const lessonBoard = new LessonBoard(byId('lesson-board'), {
  onMove, onRefused, repeat: keepTrying, inputPlace: byId('typed-place'), refusalPlace: byId('reasons'),
  playButton: byId('play-from-here'),
});
const { board } = lessonBoard;
const nextButton = byId('step-next', HTMLButtonElement);
const backButton = byId('step-back', HTMLButtonElement);
const optionRow = byId('options');

let lesson = /** @type {LessonView} */ (/** @type {unknown} */ (null));
let stepIndex = 0;
let isDone = false;
/** Plies played of a task's line, or pieces lifted. */
let linePly = 0;
/** After the capture whose pieces are being lifted. @type {PositionView | null} */
let afterCapture = null;
/** How often a step was opened: what was asked for an earlier one is no longer wanted. */
let openings = 0;

const currentStep = () => lesson.step[stepIndex];
const stored = () => getProgress(progressKey, { done: /** @type {number[]} */ ([]), at: 0 });

/** Repeats an action while the connection is lost, and says so. @type {Repeat} */
function keepTrying(action) {
  const opening = openings;
  return untilAnswered(action, {
    onLost: (isLost) => showText(byId('offline'), isLost ? t('learn.offline') : ''),
    isWanted: () => opening === openings,
  });
}

async function start() {
  rememberCourse(course);
  nextButton.addEventListener('click', goOn);
  backButton.addEventListener('click', () => openStep(stepIndex - 1));
  byId('show-me').addEventListener('click', showAnswer);
  board.addEventListener('damas-edit', ({ detail }) => lift(detail.square));
  [lesson] = await Promise.all([keepTrying(() => api.get(`/api/lessons/${id}`)), syncProgress()]);
  const requested = Number(new URLSearchParams(location.search).get('step')) - 1;
  const firstOpen = Math.max(0, lesson.step.findIndex((_, index) => !stored().done.includes(index)));
  await openStep(requested >= 0 ? requested : firstOpen);
  document.body.dataset.ready = 'lesson';
}

/** @param {number} index */
async function openStep(index) {
  stepIndex = Math.max(0, Math.min(index, lesson.step.length - 1));
  isDone = false;
  linePly = 0;
  openings += 1;
  const step = currentStep();
  byId('lesson-end').hidden = true;
  byId('offline').hidden = true;
  board.entry.reset();
  board.set({ movable: 'none' });
  lessonBoard.offerGame(false);
  showTexts(step);
  showDots();
  await keepTrying(() => lessonBoard.useRulebook(step.rulebook));
  if (currentStep() !== step) return;
  const { book } = board;
  const view = step.frames?.[0] ?? step.view ?? book?.start;
  if (!book || !view) return;
  const isForMoves = MOVE_TASKS.includes(step.task);
  board.set({
    numbering: step.numbered ? book.board.scheme : 'rulebook', marks: step.marks, arrows: [],
    orientation: ['line', 'play', 'only'].includes(step.task) ? view.turn : 'white',
    hints: step.task !== 'count', movable: isForMoves ? view.turn : 'none', editable: false,
  });
  lessonBoard.showsCounts = step.task === 'watch';
  lessonBoard.show(view);
  lessonBoard.input.hidden = !isForMoves;
  if (step.task === 'watch') startReplay(step);
  if (step.task === 'look') finish('', false);
}

/** @param {LessonStep} step */
function showTexts(step) {
  const { task } = step;
  byId('step-of').textContent = t('learn.step_of', { n: stepIndex + 1, count: lesson.step.length });
  byId('lesson-text').textContent = step.text;
  const prompt = task === 'play' && step.judged ? 'judged' : task;
  byId('prompt').textContent = task === 'refused'
    ? t('learn.try_it', { move: step.tried }) : t(`learn.prompt.${prompt}`);
  showFeedback('', '');
  byId('after').hidden = true;
  byId('article').replaceChildren(...articleElements(step.articles));
  byId('article').hidden = task === 'choose'; // it has the answer
  byId('games').replaceChildren(...gameLinks(step));
  byId('games').hidden = !step.games.length;
  optionRow.hidden = !['count', 'watch', 'choose'].includes(task);
  optionRow.classList.toggle('is-choices', task === 'choose');
  optionRow.replaceChildren(...optionButtons(step));
  byId('show-me').hidden = !MOVE_TASKS.includes(task);
  backButton.disabled = stepIndex === 0;
  nextButton.disabled = !stored().done.includes(stepIndex);
}

/** The answers of a question, or the numbers of a count. @param {LessonStep} step */
function optionButtons({ choices, options }) {
  const answers = choices?.map((words, index) => [`choice-${index}`, words, String(index)])
    ?? options?.map((count) => [`option-${count}`, String(count), String(count)]) ?? [];
  return answers.map(([testid, words, value]) =>
    h('button.button-quiet', { testid, onclick: () => answerQuestion(value) }, words));
}

function showDots() {
  const { done } = stored();
  byId('lesson-dots').replaceChildren(...lesson.step.map((_, index) => {
    const isComplete = done.includes(index);
    const label = t('learn.step_of', { n: index + 1, count: lesson.step.length });
    return h('button.lesson-dot', {
      class: isComplete ? 'is-done' : '', 'aria-current': index === stepIndex ? 'step' : null,
      'aria-label': isComplete ? `${label} (${t('learn.complete')})` : label, testid: `dot-${index + 1}`,
      onclick: () => openStep(index),
    }, h('span', isComplete ? '✓' : index + 1));
  }));
}

/** Marks the step as done and allows the next. @param {string} [words] @param {boolean} [focusNext] */
function finish(words = t('learn.right'), focusNext = true) {
  if (isDone) return;
  isDone = true;
  const before = stored();
  if (!before.done.includes(stepIndex)) {
    setProgress(progressKey, { ...before, done: [...before.done, stepIndex].sort((a, b) => a - b),
      at: stepIndex });
  }
  if (words) showFeedback(words, 'good');
  showText(byId('after'), currentStep().after);
  byId('article').hidden = false;
  nextButton.disabled = false;
  lessonBoard.offerGame(true);
  showDots();
  if (focusNext) nextButton.focus({ preventScroll: true });
}

/** Opens the next step, or shows the end of the lesson. */
function goOn() {
  if (stepIndex + 1 < lesson.step.length) return openStep(stepIndex + 1);
  const end = byId('lesson-end');
  const nextLesson = lesson.next
    && h('a.button', { href: `/learn/${lesson.next.id}`, testid: 'next-lesson' },
    t('learn.next_lesson', { title: lesson.next.title }), icon('next'));
  end.hidden = false;
  end.replaceChildren(
    h('h2', t('learn.lesson_done')),
    h('p', t('learn.lesson_done_text', { n: lesson.step.length, title: lesson.title })),
    h('div.toolbar', nextLesson, h('a.button-quiet', { href: `/learn/${course}` }, t('learn.all_lessons'))));
  end.scrollIntoView({ block: 'center' });
  end.focus({ preventScroll: true });
}

// Tasks

/** @param {MoveView} move */
async function onMove({ text }) {
  const step = currentStep();
  if (step.task === 'line') return playLine(step, text);
  const isAfterRefusal = step.task === 'refused' && isDone; // the move that the refusal asked for
  if (!isAfterRefusal && !step.answer?.includes(text)) {
    if (step.refuted?.[text]) return showRefutation(step, [text, ...step.refuted[text]]);
    showFeedback(t('learn.wrong'), 'bad');
    return board.entry.reset();
  }
  const view = await keepTrying(() => positionAfter(step.rulebook, step.view?.fen ?? '', [text]));
  if (!view || currentStep() !== step) return;
  board.set({ movable: 'none' });
  if (step.task === 'lift') return startLifting(step, view);
  lessonBoard.show(view);
  finish(outcomeWords(view) || t('learn.right'));
}

/** Plays what refutes a wrong move, then goes back. @param {LessonStep} step @param {string[]} line */
async function showRefutation(step, line) {
  const { view: before } = step;
  if (!before) return;
  board.set({ movable: 'none' });
  showFeedback(t('learn.refuted', { move: line[0], reply: line[1] }), 'bad');
  for (let plies = 1; plies <= line.length; plies += 1) {
    const view = await keepTrying(() => positionAfter(step.rulebook, before.fen, line.slice(0, plies)));
    if (!view || currentStep() !== step) return;
    lessonBoard.show(view);
    await pause(plies === line.length ? 2 * REPLY_DELAY_MS : REPLY_DELAY_MS);
    if (currentStep() !== step) return;
  }
  lessonBoard.show(before);
  board.set({ movable: before.turn });
}

/** @param {Explanation} explanation @param {number[]} route @param {string} text */
function onRefused({ refusal }, route, text) {
  const step = currentStep();
  if (step.task !== 'refused' || isDone) return;
  const squares = (/** @type {string} */ move) => move.replaceAll(/[^0-9a-h]+/g, '');
  const tried = step.tried ?? '';
  const isAttempt = squares(text || refusal?.tried || '') === squares(tried) || isRouteOf(route, tried);
  if (refusal?.code === step.code && isAttempt) finish(t('learn.refused_right'));
}

/** Whether entered squares start like a move and end on it. @param {number[]} route @param {string} move */
function isRouteOf(route, move) {
  const { names } = board;
  const squares = move.split(/[-x ]/);
  return route.length > 1 && names[route[0]] === squares[0] && squares.includes(names[endOf(route)]);
}

/** @param {LessonStep} step @param {string} text */
function playLine(step, text) {
  const frames = step.frames ?? [];
  if (frames[linePly + 1]?.last?.text !== text) {
    showFeedback(t('learn.wrong'), 'bad');
    return board.entry.reset();
  }
  linePly += 1;
  lessonBoard.show(frames[linePly]);
  if (linePly === frames.length - 1) {
    board.set({ movable: 'none' });
    return finish();
  }
  showFeedback('', '');
  window.setTimeout(() => {
    if (currentStep() !== step || linePly % 2 === 0) return;
    linePly += 1;
    lessonBoard.show(frames[linePly]);
  }, REPLY_DELAY_MS);
}

/** @param {string} value */
function answerQuestion(value) {
  if (value === currentStep().answer) finish();
  else showFeedback(t(currentStep().task === 'count' ? 'learn.wrong_count' : 'learn.wrong_choice'), 'bad');
}

/** The captured pieces still stand. @param {LessonStep} step @param {PositionView} view after the capture */
function startLifting(step, view) {
  afterCapture = view;
  board.set({ editable: true });
  showUnlifted(step);
}

/** @param {LessonStep} step */
function showUnlifted({ lifts = [], view }) {
  if (!afterCapture || !lifts || !view) return;
  const left = lifts.slice(linePly);
  const standing = Object.fromEntries(left.map((square) => [square, view.pieces[square]]));
  lessonBoard.show({ ...afterCapture, pieces: { ...afterCapture.pieces, ...standing }, legal: [] });
  if (left.length) return showFeedback(t('learn.lift_now', { n: left.length }), '');
  board.set({ editable: false });
  finish();
}

/** Lifts a captured piece if it is the next in the order of the jumps. @param {number} square */
function lift(square) {
  const step = currentStep();
  if (!step.lifts?.includes(square)) return;
  if (square !== step.lifts[linePly]) {
    if (step.lifts.indexOf(square) > linePly) showFeedback(t('learn.lift_order'), 'bad');
    return;
  }
  linePly += 1;
  showUnlifted(step);
}

/** @param {LessonStep} step */
function startReplay(step) {
  const replay = new Replay(lessonBoard, step.frames ?? [], (words, isLast) => {
    showFeedback(words, '');
    if (isLast) finish(words);
  });
  optionRow.replaceChildren(
    iconButton('watch-step', 'next', t('rules.step'), () => replay.goTo(replay.current + 1)),
    iconButton('watch-run', 'last', t('rules.to_end'), () => replay.goTo(replay.last)));
}

/** Shows the right move as an arrow; the visitor still has to play it. */
function showAnswer() {
  const step = currentStep();
  if (step.task === 'refused') return board.entry.playTyped(step.tried ?? '');
  const text = step.task === 'line' ? step.frames?.[linePly + 1]?.last?.text : step.answer?.[0];
  const move = board.legal.find((legal) => legal.text === text);
  if (!move) return;
  board.set({ arrows: [{ route: move.routes[0], brush: 'green' }] });
  showFeedback(move.text, '');
}

void start();
