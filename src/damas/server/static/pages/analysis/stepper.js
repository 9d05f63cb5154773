/** A shot, step by step: who gives what, every reply forced, and what comes back. */

import { h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

const PACE = 1400;

export class Stepper {
  /** @param {HTMLElement} panel @param {(node: import('./tree.js').Node) => void} go */
  constructor(panel, go) {
    this.panel = panel;
    this.go = go;
    this.timer = 0;
    panel.hidden = true;
  }

  /** @param {import('./tree.js').Node} start @param {import('./tree.js').Node[]} nodes @param {{given: number, taken: number}} shot */
  show(start, nodes, shot) {
    this.nodes = [start, ...nodes];
    this.at = 0;
    this.steps = h('ol.steps', null, ...nodes.map((node, index) => h('li', null,
      h('button.move', { type: 'button', onclick: () => { this.pause(); this.#stand(index + 1); } }, node.text),
      h('span.small.muted', null, t(this.#role(index, nodes.length))))));
    this.playing = h('button.button-quiet', { type: 'button', dataset: { testid: 'shot-play' }, onclick: () => (this.timer ? this.pause() : this.play()) }, icon('play'), t('analysis.shot_play'));
    this.panel.replaceChildren(
      h('h2.card-title', null, icon('star'), t('analysis.shot_title')),
      h('p', { dataset: { testid: 'shot-sum' } }, t('analysis.shot_sum', shot)),
      this.steps,
      h('div.toolbar', null,
        h('button.button-quiet', { type: 'button', dataset: { testid: 'shot-back' }, onclick: () => this.#step(-1) }, icon('previous'), t('analysis.step_back')),
        h('button.button', { type: 'button', dataset: { testid: 'shot-next' }, onclick: () => this.#step(1) }, icon('next'), t('analysis.step_next')),
        this.playing,
        h('button.button-quiet', { type: 'button', dataset: { testid: 'shot-close' }, onclick: () => this.hide() }, icon('close'), t('analysis.close'))),
    );
    this.panel.hidden = false;
    this.#stand(0);
  }

  /** Own moves give or take; those between are forced. @param {number} index @param {number} length */
  #role(index, length) {
    if (index % 2) return 'analysis.step_forced';
    return index === length - 1 ? 'analysis.step_takes' : 'analysis.step_gives';
  }

  hide() {
    this.pause();
    this.panel.hidden = true;
  }

  play() {
    if (this.at === (this.nodes?.length ?? 1) - 1) this.#stand(0);
    this.timer = window.setInterval(() => {
      this.#step(1, true);
      if (this.at === (this.nodes?.length ?? 1) - 1) this.pause();
    }, PACE);
    this.playing?.setAttribute('aria-pressed', 'true');
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.playing?.setAttribute('aria-pressed', 'false');
  }

  /** @param {number} by @param {boolean} [byItself] */
  #step(by, byItself = false) {
    if (!byItself) this.pause();
    this.#stand(Math.max(0, Math.min((this.nodes?.length ?? 1) - 1, (this.at ?? 0) + by)));
  }

  /** @param {number} at */
  #stand(at) {
    this.at = at;
    [...(this.steps?.children ?? [])].forEach((step, index) => {
      if (index === at - 1) step.setAttribute('aria-current', 'step');
      else step.removeAttribute('aria-current');
    });
    if (this.nodes) this.go(this.nodes[at]);
  }
}
