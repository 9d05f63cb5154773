/** The engine panel: lines as the engine finds them, arrows on the board, and the evaluation bar. */

import { messageOf } from '../../lib/api.js';
import { byId, fill, h, icon } from '../../lib/dom.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { number, t } from '../../lib/words.js';
import { eventStream } from '../../lib/event-stream.js';
import { board, goTo, onNavigation } from './navigation.js';
import { longScore, shortScore } from './scores.js';
import { state } from './state.js';

/** @import { Arrow } from '../../board/overlay.js' */
/** @import { EngineLineView, EngineResultView } from '../../lib/messages.js' */
/** @import { PositionRequest } from './state.js' */

/** Keys of the stored switches. */
const ENGINE_KEY = 'damas.analysis.engine';
const ARROWS_KEY = 'damas.analysis.arrows';
/** One arrow colour per line. @type {Arrow['brush'][]} */
const BRUSHES = ['green', 'blue', 'yellow'];

class EnginePanel {
  /** The last result for the position, if any. @type {(EngineResultView & {problem?: string}) | null} */
  #result = null;
  /** @type {AbortController | null} */
  #request = null;
  /** @type {PositionRequest | null} */
  #position = null;
  #showsArrows = loadValue(ARROWS_KEY) !== false;
  #score = h('p.engine-score.numbers', { testid: 'engine-score' });
  #effort = h('p.engine-effort.small.muted.numbers', { testid: 'engine-depth' });
  #lines = h('ol.engine-lines', { testid: 'engine-lines', 'aria-label': t('analysis.lines') });
  #barWhite = h('span.bar-white');

  isOn = loadValue(ENGINE_KEY) === true;

  #switch = h('button.button-quiet', {
    testid: 'engine', 'aria-pressed': String(this.isOn), 'aria-keyshortcuts': 'l',
    onclick: () => this.toggle(),
  }, icon('computer'), h('span', t('analysis.engine')));
  #arrowSwitch = h('button.button-quiet.button-icon', {
    testid: 'arrows', 'aria-pressed': String(this.#showsArrows), 'aria-keyshortcuts': 'a',
    title: t('analysis.arrows'), 'aria-label': t('analysis.arrows'), onclick: () => this.toggleArrows(),
  }, icon('arrow-right'));

  element = byId('engine-panel');
  /** The evaluation bar beside the board. */
  bar = byId('eval-bar');

  constructor() {
    this.bar.replaceChildren(this.#barWhite);
    this.element.replaceChildren(h('div.engine-head', this.#switch, this.#score, this.#arrowSwitch),
      this.#effort, this.#lines);
    this.#draw();
  }

  toggle(isOn = !this.isOn) {
    this.isOn = isOn;
    storeValue(ENGINE_KEY, isOn);
    this.#switch.setAttribute('aria-pressed', String(isOn));
    if (isOn && this.#position) void this.analyse(this.#position);
    else this.stop();
    this.#draw();
  }

  toggleArrows() {
    this.#showsArrows = !this.#showsArrows;
    storeValue(ARROWS_KEY, this.#showsArrows);
    this.#arrowSwitch.setAttribute('aria-pressed', String(this.#showsArrows));
    this.#drawArrows();
  }

  /** The best move in the position, if known. */
  get bestMove() {
    return this.#result?.lines?.[0]?.moves[0]?.text ?? null;
  }

  stop() {
    this.#request?.abort();
    this.#request = null;
  }

  /** Stops and forgets the result, because another position is shown. */
  clear() {
    this.stop();
    this.#result = null;
    this.#draw();
  }

  /** @param {PositionRequest} position */
  async analyse(position) {
    this.#position = position;
    this.clear();
    if (!this.isOn) return;
    const { rulebook, fen, moves, game } = position;
    const request = this.#request = new AbortController();
    const lines = String(BRUSHES.length);
    const query = new URLSearchParams({ rulebook, fen, moves: moves.join('.'), lines,
      ...(game ? { game } : {}) });
    try {
      for await (const message of eventStream(`/api/analysis/stream?${query}`, request.signal)) {
        if (request !== this.#request) return;
        /** @type {EngineResultView} */
        const result = message;
        this.#result = { ...this.#result, ...result, waiting: result.waiting ?? false };
        this.#draw();
        if (result.done) return;
      }
    } catch (error) {
      if (request !== this.#request) return; // replaced by a newer one
      this.#result = { problem: messageOf(error) };
      this.#draw();
    }
  }

  #draw() {
    const lines = this.isOn ? this.#result?.lines ?? [] : [];
    this.bar.hidden = this.#arrowSwitch.hidden = this.#lines.hidden = !this.isOn;
    this.#score.textContent = lines.length ? shortScore(this.#result ?? {}) : '';
    this.#effort.textContent = this.#effortWords();
    fill(this.#lines, lines.map((line, index) => this.#drawLine(line, index)));
    this.#drawBar();
    this.#drawArrows();
  }

  #effortWords() {
    const result = this.#result;
    if (!this.isOn) return t('analysis.engine_off');
    if (!result) return t('analysis.thinking');
    if (result.problem) return result.problem;
    if (result.waiting) return t('analysis.waiting');
    if (result.done === 'over') return t('analysis.over');
    const facts = { depth: result.depth, nodes: number(result.nodes ?? 0) };
    return t(result.done ? 'analysis.effort_done' : 'analysis.effort', facts);
  }

  /** @param {EngineLineView} line @param {number} index */
  #drawLine(line, index) {
    const texts = line.moves.map((move) => move.text);
    const moves = texts.map((text, i) => h('button.engine-move', {
      testid: `line-${index}-${i}`, 'aria-label': t('analysis.play_line', { move: text }),
      onclick: () => goTo(state.tree.playAll(state.node, texts.slice(0, i + 1))[i]),
    }, text));
    return h('li.engine-line',
      h('span.engine-line-score.numbers', { title: longScore(line) }, shortScore(line)),
      h('span.engine-line-moves', ...moves),
      h('span.visually-hidden', t('analysis.line_number', { number: index + 1 })));
  }

  #drawBar() {
    const chance = this.#result?.chance ?? 0.5;
    this.#barWhite.style.setProperty('--share', `${(chance * 100).toFixed(1)}%`);
    this.bar.setAttribute('aria-label', t('analysis.bar_label', { score: longScore(this.#result ?? {}) }));
    this.bar.dataset.chance = chance.toFixed(2);
  }

  #drawArrows() {
    const lines = this.isOn && this.#showsArrows ? this.#result?.lines ?? [] : [];
    const arrows = lines.map((line, index) => ({ route: line.moves[0].route, brush: BRUSHES[index] }));
    board.set({ arrows });
  }
}

export const engine = new EnginePanel();
onNavigation({
  positionShown: () => engine.clear(),
  positionSettled: (position) => engine.analyse(position),
});
