/** Plays a shot step by step: who sacrifices what, the forced replies, and what is captured. */

import { h, icon, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { ShotView } from '../../lib/messages.js' */
/** @import { Node } from './tree.js' */

const STEP_MS = 1400;

export class ShotStepper {
  /** The position before the shot, then one node per move. @type {Node[]} */
  #nodes = [];
  #current = 0;
  #timer = 0;
  #steps = h('ol.steps');
  #playButton = iconButton('shot-play', 'play', t('analysis.shot_play'),
    () => (this.#timer ? this.#pause() : this.#play()));

  /** @param {HTMLElement} element @param {(node: Node) => void} goTo */
  constructor(element, goTo) {
    this.element = element;
    this.goTo = goTo;
    element.hidden = true;
  }

  /** @param {Node} start @param {Node[]} moves @param {ShotView} shot */
  show(start, moves, shot) {
    this.#nodes = [start, ...moves];
    this.#steps.replaceChildren(...moves.map((node, index) => h('li', null,
      h('button.move', { type: 'button', onclick: () => this.#stepTo(index + 1) }, node.text),
      h('span.small.muted', null, t(roleKey(index, moves.length))))));
    this.element.replaceChildren(
      h('h2.card-title', null, icon('star'), t('analysis.shot_title')),
      h('p', { dataset: { testid: 'shot-sum' } }, t('analysis.shot_sum', { ...shot })),
      this.#steps,
      h('div.toolbar', null,
        iconButton('shot-back', 'previous', t('analysis.step_back'), () => this.#stepTo(this.#current - 1)),
        iconButton('shot-next', 'next', t('analysis.step_next'), () => this.#stepTo(this.#current + 1),
          'button'),
        this.#playButton,
        iconButton('shot-close', 'close', t('analysis.close'), () => this.hide())));
    this.element.hidden = false;
    this.#goTo(0);
  }

  hide() {
    this.#pause();
    this.element.hidden = true;
  }

  get #last() {
    return this.#nodes.length - 1;
  }

  #play() {
    if (this.#current === this.#last) this.#goTo(0);
    this.#timer = window.setInterval(() => {
      this.#goTo(this.#current + 1);
      if (this.#current === this.#last) this.#pause();
    }, STEP_MS);
    this.#playButton.setAttribute('aria-pressed', 'true');
  }

  #pause() {
    window.clearInterval(this.#timer);
    this.#timer = 0;
    this.#playButton.setAttribute('aria-pressed', 'false');
  }

  /** By the visitor, which stops playing. @param {number} step */
  #stepTo(step) {
    this.#pause();
    this.#goTo(step);
  }

  /** @param {number} step */
  #goTo(step) {
    this.#current = Math.max(0, Math.min(this.#last, step));
    for (const [index, row] of Array.from(this.#steps.children).entries()) {
      if (index === this.#current - 1) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
    }
    this.goTo(this.#nodes[this.#current]);
  }
}

/**
 * The player's own moves sacrifice or capture; the replies are forced.
 * @param {number} index @param {number} length
 */
function roleKey(index, length) {
  if (index % 2) return 'analysis.step_forced';
  return index === length - 1 ? 'analysis.step_takes' : 'analysis.step_gives';
}
