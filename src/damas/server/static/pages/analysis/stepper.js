/** Plays a line on the board step by step, with an arrow for the next move. */

import { h, iconButton, markCurrent } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { engine } from './engine.js';
import { board, goTo, onNavigation } from './navigation.js';
import { state } from './state.js';

/** @import { Node } from './tree.js' */

/**
 * @typedef {object} Line
 * @property {Node} start the position before it
 * @property {Node[]} nodes one for each move
 * @property {number[]} takes pieces that each move takes
 * @property {boolean} isShot whether its own moves give or take, and each reply is compulsory
 * @property {number[]} marks squares
 */

const STEP_MS = 1400;

const rows = h('ol.steps');
const playButton = iconButton('shot-play', 'play', t('analysis.shot_play'), () => (timer ? pause() : play()));
const buttons = h('div.toolbar.step-buttons',
  iconButton('shot-back', 'previous', t('analysis.step_back'), () => stepTo(current - 1)),
  iconButton('shot-next', 'next', t('analysis.step_next'), () => stepTo(current + 1), 'button'), playButton);
/** The steps of the line that is shown. */
export const stepper = h('div.stepper', { testid: 'stepper', onkeydown: stepByKey }, rows, buttons);

/** @type {Line | null} */
let line = null;
let current = 0;
let timer = 0;

/** Shows the position before a line. @param {Line} shown */
export function showSteps(shown) {
  pause();
  line = shown;
  rows.replaceChildren(...shown.nodes.map((node, index) => h('li',
    h('button.move', { onclick: () => stepTo(index + 1) }, node.text), role(index, shown))));
  void show(0);
}

/** Takes the line's arrows and marks off the board. */
export function hideSteps() {
  pause();
  if (line) board.set({ arrows: [], marks: [] });
  line = null;
}

function play() {
  const last = line?.nodes.length ?? 0;
  if (current === last) void show(0);
  timer = window.setInterval(() => {
    void show(current + 1);
    if (current === last) pause();
  }, STEP_MS);
  playButton.setAttribute('aria-pressed', 'true');
}

function pause() {
  window.clearInterval(timer);
  timer = 0;
  playButton.setAttribute('aria-pressed', 'false');
}

/** @param {KeyboardEvent} event */
function stepByKey(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  stepTo(current + step);
}

/** By the visitor, which stops playing. @param {number} step */
function stepTo(step) {
  pause();
  void show(step);
}

/** @param {number} step */
async function show(step) {
  if (!line) return;
  const { start, nodes } = line;
  current = Math.max(0, Math.min(nodes.length, step));
  markCurrent(rows.children, current - 1);
  const node = current ? nodes[current - 1] : start;
  await goTo(node);
  if (state.node === node) draw();
}

/** The next move as an arrow, what it takes, and the squares that the line is about. */
function draw() {
  if (!line) return;
  const next = state.view?.legal.find((move) => move.text === line?.nodes[current]?.text);
  const brush = current % 2 ? 'red' : 'green';
  board.set({
    arrows: next && !engine.isOn ? [{ route: next.routes[0], brush }] : [],
    marks: [...line.marks, ...(next?.captured ?? [])],
  });
}

/** Own moves of a shot give or take, and its replies are forced. @param {number} index @param {Line} shown */
function role(index, { takes, isShot }) {
  if (!isShot) return null;
  const own = takes[index] ? 'analysis.step_takes' : 'analysis.step_gives';
  return h('span.small.muted', t(index % 2 ? 'analysis.step_forced' : own));
}

onNavigation({
  positionSettled: () => { if (line) draw(); }, // the engine has just drawn its own arrows, or none
  nodeSelected: () => {
    if (line && ![line.start, ...line.nodes].includes(state.node)) hideSteps();
  },
  treeLoaded: hideSteps,
});
