/** A position beside an article: play it, try what it forbids, or replay the recorded game. */

import { api, tryAction } from '../../lib/api.js';
import { fill, h, icon, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { LessonBoard, outcomeWords, positionAfter, Replay } from './lesson-board.js';

/** @import { ExampleView } from './messages.js' */
/** @import { FrameView, PositionView } from '../../lib/messages.js' */

export class Example {
  #status = h('p.example-status', { role: 'status' });
  #tools = h('div.toolbar.example-tools');
  /** Created when the article is first visible. @type {LessonBoard | null} */
  #lessonBoard = null;
  /** Loaded on demand. @type {Replay | null} */
  #replay = null;
  /** Moves of the visitor since the last shown position. @type {string[]} */
  #moves = [];
  #index = 0;

  /** @param {HTMLElement} container @param {string} rulebookId @param {ExampleView[]} examples */
  constructor(container, rulebookId, examples) {
    this.container = container;
    this.rulebookId = rulebookId;
    this.examples = examples;
  }

  /** Creates the board, once. */
  open() {
    if (this.#lessonBoard) return;
    const stage = h('div.example-stage');
    this.container.replaceChildren(stage, this.#status, this.#tools);
    this.#lessonBoard = new LessonBoard(stage, { onMove: (move) => this.#continue(move.text) });
    const lessonBoard = this.#lessonBoard;
    void this.#try(() => this.#show(lessonBoard, 0));
  }

  get #example() {
    return this.examples[this.#index];
  }

  /** @param {LessonBoard} lessonBoard @param {number} index */
  async #show(lessonBoard, index) {
    this.#index = index;
    this.#moves = [];
    this.#replay = null;
    const example = this.#example;
    await lessonBoard.useRulebook(example.rulebook);
    lessonBoard.board.set({ movable: 'both' });
    lessonBoard.show(example.view);
    this.#status.textContent = statusWords(example.view);
    fill(this.#tools, ...this.#buttons(lessonBoard));
  }

  /** @param {LessonBoard} lessonBoard */
  #buttons(lessonBoard) {
    const example = this.#example, count = this.examples.length;
    const attempt = (/** @type {string} */ text) => {
      lessonBoard.show(example.view);
      this.#moves = [];
      lessonBoard.board.entry.playTyped(text);
    };
    return [
      example.refused.map((move) => h('button.chip',
        { dataset: { testid: 'try-refused', move }, onclick: () => attempt(move) },
        icon('close'), t('rules.try', { move }))),
      example.played && [
        chip('example-step', 'next', t('rules.step'),
          () => this.#withReplay((replay) => replay.goTo(replay.current + 1))),
        chip('example-run', 'last', t('rules.to_end'),
          () => this.#withReplay((replay) => replay.goTo(replay.last))),
      ],
      chip('example-again', 'take-back', t('rules.again'), () => this.#show(lessonBoard, this.#index)),
      count > 1 && chip('example-other', 'arrow-right',
        t('rules.other_example', { n: this.#index + 1, count }),
        () => this.#show(lessonBoard, (this.#index + 1) % count)),
      example.lesson
        && h('a.chip', { href: `/learn/${example.lesson}` }, icon('learn'), t('rules.practise')),
    ];
  }

  /** The status line says why something could not be loaded. @param {() => Promise<void>} action */
  #try(action) {
    return tryAction(action, ({ message }) => { this.#status.textContent = message; });
  }

  /** @param {(replay: Replay) => void} action */
  #withReplay(action) {
    return this.#try(async () => {
      this.#replay ??= await this.#loadReplay();
      if (this.#replay) action(this.#replay);
    });
  }

  /** Null if another example was opened meanwhile. @returns {Promise<Replay | null>} */
  async #loadReplay() {
    const example = this.#example;
    /** @type {{frames: FrameView[]}} */
    const { frames } = await api.get(`/api/examples/${this.rulebookId}/${example.article}/${example.name}`);
    if (this.#example !== example || !this.#lessonBoard) return null;
    return new Replay(this.#lessonBoard, frames, (words) => {
      this.#moves = [];
      this.#status.textContent = words;
    });
  }

  /** Plays a move of the visitor from the shown position. @param {string} text */
  async #continue(text) {
    const start = this.#replay?.current ? this.#replay.frame : this.#example.view;
    const before = this.#moves;
    const moves = [...before, text];
    const view = await positionAfter(this.#example.rulebook, start.fen, moves);
    if (this.#moves !== before) return; // another position was opened meanwhile
    this.#moves = moves;
    this.#lessonBoard?.show(view);
    this.#status.textContent = statusWords(view);
  }
}

/** @param {string} testid @param {string} iconName @param {string} label @param {() => void} onclick */
function chip(testid, iconName, label, onclick) {
  return iconButton(testid, iconName, label, onclick, 'chip');
}

/** @param {PositionView} view */
function statusWords(view) {
  return outcomeWords(view) || t('rules.legal_count', { n: view.legal.length });
}
