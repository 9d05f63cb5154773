/** The engine panel: lines as the engine finds them, arrows on the board, and the evaluation bar. */

import { messageOf } from '../../lib/api.js';
import { byId, fill, h, icon } from '../../lib/dom.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { number, t } from '../../lib/words.js';
import { eventStream } from '../../lib/event-stream.js';
import { isCoreFailure } from '../../local/core-worker.js';
import { deviceLines } from '../../local/device-engine.js';
import { choice, enginePlace, judgeSpeed, leaveToServer, onEnginePlace, withEngine } from './engine-place.js';
import { board, goTo, onNavigation } from './navigation.js';
import { longScore, shortScore } from './scores.js';
import { checkLocalFairPlay, state } from './state.js';

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
      choice, this.#effort, this.#lines);
    this.#draw();
  }

  toggle(isOn = !this.isOn) {
    this.isOn = isOn;
    storeValue(ENGINE_KEY, isOn);
    this.#switch.setAttribute('aria-pressed', String(isOn));
    if (isOn) this.analyseAgain();
    else this.stop();
    this.#draw();
  }

  toggleArrows() {
    this.#showsArrows = !this.#showsArrows;
    storeValue(ARROWS_KEY, this.#showsArrows);
    this.#arrowSwitch.setAttribute('aria-pressed', String(this.#showsArrows));
    this.drawArrows();
  }

  /** The best move in the position, if known. */
  get bestMove() {
    return this.#result?.lines?.[0]?.moves[0]?.text ?? null;
  }

  /** The same position again, as when another engine is chosen. */
  analyseAgain() {
    if (this.#position) void this.analyse(this.#position);
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
    const request = this.#request = new AbortController();
    const show = (/** @type {EngineResultView} */ result) => {
      if (request !== this.#request) return;
      this.#result = { ...this.#result, ...result, waiting: result.waiting ?? false };
      this.#draw();
    };
    try {
      checkLocalFairPlay();
      await withEngine(linesOfDevice, linesOfServer)(position, show, request.signal);
    } catch (error) {
      if (request !== this.#request) return; // replaced by a newer one
      if (isCoreFailure(error) && navigator.onLine && enginePlace() === 'device') return leaveToServer();
      this.#result = { problem: isCoreFailure(error) ? t('analysis.place_failed') : messageOf(error) };
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
    this.drawArrows();
  }

  #effortWords() {
    const result = this.#result;
    if (!this.isOn) return t('analysis.engine_off');
    if (!result) return t('analysis.thinking');
    if (result.problem) return result.problem;
    if (result.waiting) return t('analysis.waiting');
    if (result.done === 'over') return t('analysis.over');
    const { depth, nodes = 0, threads = 1 } = result;
    const key = result.done ? 'analysis.effort_done' : 'analysis.effort';
    const effort = t(key, { depth, nodes: number(nodes) });
    return threads > 1 ? `${effort} ${t('analysis.threads', { threads })}` : effort;
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

  /** Shows the arrows of its lines, in place of all others. */
  drawArrows() {
    const lines = this.isOn && this.#showsArrows ? this.#result?.lines ?? [] : [];
    const arrows = lines.map((line, index) => ({ route: line.moves[0].route, brush: BRUSHES[index] }));
    board.set({ arrows });
  }
}

/** @typedef {(result: EngineResultView) => void} Show a message of the engine */

/** @param {PositionRequest} position @param {Show} show @param {AbortSignal} signal */
async function linesOfDevice(position, show, signal) {
  for await (const result of deviceLines(position, BRUSHES.length, signal)) {
    if (signal.aborted) return;
    show(result);
    if (result.nodes_per_second) judgeSpeed(result.nodes_per_second);
  }
}

/** @param {PositionRequest} position @param {Show} show @param {AbortSignal} signal */
async function linesOfServer({ rulebook, fen, moves, game }, show, signal) {
  const query = new URLSearchParams({ rulebook, fen, moves: moves.join('.'), lines: String(BRUSHES.length),
    ...(game ? { game } : {}) });
  for await (const message of eventStream(`/api/analysis/stream?${query}`, signal)) {
    show(message);
    if (message.done) return;
  }
}

export const engine = new EnginePanel();
onEnginePlace(() => engine.analyseAgain());
onNavigation({
  positionShown: () => engine.clear(),
  positionSettled: (position) => engine.analyse(position),
});
