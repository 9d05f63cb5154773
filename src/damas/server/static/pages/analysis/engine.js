/** The engine at the side of the board: its lines as it finds them, arrows, and the bar that says who stands better. */

import { fill, h, icon } from '../../lib/dom.js';
import { number, t } from '../../lib/words.js';
import { events } from './events.js';
import { longScore, shortScore } from './scores.js';

const LINES = 3;
const BRUSHES = ['green', 'blue', 'yellow'];

/**
 * @typedef {{rulebook: string, fen: string, moves: string[], game?: string}} Place
 */

export class EnginePanel {
  /**
   * @param {{panel: HTMLElement, bar: HTMLElement, onArrows: (arrows: any[]) => void, onPlay: (texts: string[]) => void}} parts
   */
  constructor(parts) {
    this.parts = parts;
    this.on = kept('engine', false);
    this.arrows = kept('arrows', true);
    /** @type {any} the last thing heard */
    this.told = null;
    /** @type {AbortController|null} */
    this.asking = null;
    /** @type {Place|null} */
    this.place = null;
    this.turn = 'white';
    this.switch = h('button.button-quiet', { type: 'button', dataset: { testid: 'engine' }, 'aria-pressed': String(this.on), 'aria-keyshortcuts': 'l', onclick: () => this.toggle() }, icon('computer'), h('span', null, t('analysis.engine')));
    this.pointer = h('button.button-quiet.button-icon', { type: 'button', dataset: { testid: 'arrows' }, 'aria-pressed': String(this.arrows), 'aria-keyshortcuts': 'a', title: t('analysis.arrows'), 'aria-label': t('analysis.arrows'), onclick: () => this.toggleArrows() }, icon('arrow-right'));
    this.head = h('p.engine-score.numbers', { dataset: { testid: 'engine-score' } });
    this.effort = h('p.engine-effort.small.muted.numbers', { dataset: { testid: 'engine-depth' } });
    this.lines = h('ol.engine-lines', { dataset: { testid: 'engine-lines' }, 'aria-label': t('analysis.lines') });
    parts.panel.replaceChildren(
      h('div.engine-head', null, this.switch, this.head, this.pointer), this.effort, this.lines,
    );
    this.draw();
  }

  toggle(on = !this.on) {
    this.on = on;
    keep('engine', on);
    this.switch.setAttribute('aria-pressed', String(on));
    if (on && this.place) this.look(this.place, this.turn);
    else this.stop();
    this.draw();
  }

  toggleArrows() {
    this.arrows = !this.arrows;
    keep('arrows', this.arrows);
    this.pointer.setAttribute('aria-pressed', String(this.arrows));
    this.point();
  }

  /** The best move, if one is known for this place. */
  get best() {
    return this.told?.lines?.[0]?.moves?.[0]?.text ?? null;
  }

  stop() {
    this.asking?.abort();
    this.asking = null;
  }

  /** Another position is on the board: what was found is no longer about it. */
  leave() {
    this.stop();
    this.told = null;
    this.draw();
  }

  /** @param {Place} place @param {string} turn */
  async look(place, turn) {
    this.place = place;
    this.turn = turn;
    this.leave();
    if (!this.on) return;
    const asking = this.asking = new AbortController();
    const query = new URLSearchParams({ rulebook: place.rulebook, fen: place.fen, moves: place.moves.join('.'), lines: String(LINES) });
    if (place.game) query.set('game', place.game);
    try {
      for await (const told of events(`/api/analysis/stream?${query}`, asking.signal)) {
        if (asking !== this.asking) return;
        this.told = { ...this.told, ...told, waiting: told.waiting ?? false };
        this.draw();
        if (told.done) return;
      }
    } catch (trouble) {
      if (asking !== this.asking) return; // a newer question
      this.told = { refused: /** @type {Error} */ (trouble).message };
      this.draw();
    }
  }

  draw() {
    const { on, told } = this;
    this.parts.bar.hidden = !on;
    this.pointer.hidden = !on;
    this.head.textContent = on && told?.lines?.length ? shortScore(told) : '';
    this.effort.textContent = this.#effort();
    this.lines.hidden = !on;
    fill(this.lines, on ? (told?.lines ?? []).map((/** @type {any} */ line, /** @type {number} */ place) => this.#line(line, place)) : []);
    this.#bar();
    this.point();
  }

  #effort() {
    const { on, told } = this;
    if (!on) return t('analysis.engine_off');
    if (!told) return t('analysis.thinking');
    if (told.refused) return told.refused;
    if (told.waiting) return t('analysis.waiting');
    if (told.done === 'over') return t('analysis.over');
    const facts = { depth: told.depth, nodes: number(told.nodes) };
    return t(told.done ? 'analysis.effort_done' : 'analysis.effort', facts);
  }

  /** @param {any} line @param {number} place */
  #line(line, place) {
    const texts = line.moves.map((/** @type {any} */ move) => move.text);
    return h('li.engine-line', null,
      h('span.engine-line-score.numbers', { title: longScore(line) }, shortScore(line)),
      h('span.engine-line-moves', null, ...texts.map((/** @type {string} */ text, /** @type {number} */ index) =>
        h('button.engine-move', { type: 'button', dataset: { testid: `line-${place}-${index}` }, 'aria-label': t('analysis.play_line', { move: text }), onclick: () => this.parts.onPlay(texts.slice(0, index + 1)) }, text))),
      h('span.visually-hidden', null, t('analysis.line_number', { number: place + 1 })));
  }

  /** White's share of the bar; the number stands on the side of who is better. */
  #bar() {
    const bar = this.parts.bar;
    const told = this.told;
    const chance = told?.chance ?? 0.5;
    const white = bar.firstElementChild ?? bar.appendChild(h('span.bar-white', null));
    /** @type {HTMLElement} */ (white).style.setProperty('--share', `${(chance * 100).toFixed(1)}%`);
    bar.setAttribute('aria-label', t('analysis.bar_label', { score: longScore(told ?? {}) }));
    bar.dataset.chance = chance.toFixed(2);
  }

  /** Puts the arrows on the board. */
  point() {
    const show = this.on && this.arrows ? this.told?.lines ?? [] : [];
    this.parts.onArrows(show.map((/** @type {any} */ line, /** @type {number} */ place) => ({ route: line.moves[0].route, brush: BRUSHES[place] ?? 'yellow' })));
  }
}

/** What this visitor chose last time. @param {string} name @param {boolean} usual */
function kept(name, usual) {
  try {
    const found = localStorage.getItem(`damas.analysis.${name}`);
    return found === null ? usual : found === 'true';
  } catch {
    return usual; // a browser that keeps nothing still analyses
  }
}

/** @param {string} name @param {boolean} value */
function keep(name, value) {
  try {
    localStorage.setItem(`damas.analysis.${name}`, String(value));
  } catch { /* then it is chosen again next time */ }
}
