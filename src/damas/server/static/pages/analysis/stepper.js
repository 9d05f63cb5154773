/** Plays a shot step by step: who sacrifices what, the forced replies, and what is captured. */

import { byId, h, icon, iconButton, markCurrent } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { goTo, onNavigation } from './navigation.js';

/** @import { ShotView } from '../../lib/messages.js' */
/** @import { Node } from './tree.js' */

const STEP_MS = 1400;

const panel = byId('stepper');
const rows = h('ol.steps');
const playButton = iconButton('shot-play', 'play', t('analysis.shot_play'), () => (timer ? pause() : play()));
/** The position before the shot, then one node per move. @type {Node[]} */
let nodes = [];
let current = 0;
let timer = 0;

/** @param {Node} start @param {Node[]} moves @param {ShotView} shot */
export function showSteps(start, moves, shot) {
  nodes = [start, ...moves];
  rows.replaceChildren(...moves.map((node, index) => h('li',
    h('button.move', { onclick: () => stepTo(index + 1) }, node.text),
    h('span.small.muted', t(roleKey(index, shot))))));
  panel.replaceChildren(
    h('h2.card-title', icon('star'), t('analysis.shot_title')),
    h('p', { testid: 'shot-sum' }, t('analysis.shot_sum', { ...shot })),
    rows,
    h('div.toolbar',
      iconButton('shot-back', 'previous', t('analysis.step_back'), () => stepTo(current - 1)),
      iconButton('shot-next', 'next', t('analysis.step_next'), () => stepTo(current + 1), 'button'),
      playButton, iconButton('shot-close', 'close', t('board.close'), hide)));
  panel.hidden = false;
  show(0);
}

function hide() {
  pause();
  panel.hidden = true;
}

function play() {
  const last = nodes.length - 1;
  if (current === last) show(0);
  timer = window.setInterval(() => {
    show(current + 1);
    if (current === last) pause();
  }, STEP_MS);
  playButton.setAttribute('aria-pressed', 'true');
}

function pause() {
  window.clearInterval(timer);
  timer = 0;
  playButton.setAttribute('aria-pressed', 'false');
}

/** By the visitor, which stops playing. @param {number} step */
function stepTo(step) {
  pause();
  show(step);
}

/** @param {number} step */
function show(step) {
  current = Math.max(0, Math.min(nodes.length - 1, step));
  markCurrent(rows.children, current - 1);
  void goTo(nodes[current]);
}

/** Own moves offer or capture; the replies are forced. @param {number} index @param {ShotView} shot */
function roleKey(index, { takes }) {
  if (index % 2) return 'analysis.step_forced';
  return takes[index] ? 'analysis.step_takes' : 'analysis.step_gives';
}

onNavigation({ treeLoaded: hide });
