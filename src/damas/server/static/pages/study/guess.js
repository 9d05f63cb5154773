/** Guessing the moves of one side: the others are played, hints come after two tries, a score at the end. */

import { fill, h, iconButton, segmented } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { showDrawings } from '../analysis/annotate.js';
import { enableKeys, takeMoves } from '../analysis/controls.js';
import { engine } from '../analysis/engine.js';
import { board, goTo, refusalPanel } from '../analysis/navigation.js';
import { state } from '../analysis/state.js';
import { shownComment } from '../analysis/tree.js';

/** @import { Side } from '../../lib/messages.js' */
/** @import { Node } from '../analysis/tree.js' */

const REPLY_MS = 700;
/** Wrong tries before the piece is shown, and before the end of the move is. */
const TRIES_TO_PIECE = 2, TRIES_TO_TARGET = 3;
/** Signs of variations that count as right: !, !! and !?. */
const GOOD_NAGS = [1, 3, 5];

export class Guess {
  #timer = 0;
  #tries = 0;
  #right = 0;
  #total = 0;
  #isOver = false;
  #isOn = false;
  /** What was just played or tried. */
  #message = '';
  #isGood = false;
  /** Comments that the reader has earned. @type {string[]} */
  #texts = [];
  /** @type {Side} */
  side = 'white';

  /** @param {HTMLElement} element @param {() => (() => unknown) | null} nextChapter what opens it */
  constructor(element, nextChapter) {
    this.element = element;
    this.nextChapter = nextChapter;
  }

  /** @param {Side} side whose moves are guessed */
  start(side) {
    this.side = side;
    this.#isOn = true;
    this.#right = this.#total = this.#tries = 0;
    this.#isOver = false;
    this.#say('', true);
    engine.stop();
    takeMoves(({ move }) => this.#take(move.text));
    enableKeys(false);
    showDrawings(false);
    this.element.hidden = false;
    board.set({ orientation: side, movable: side, mayDraw: false });
    void this.#goTo(state.tree.root);
  }

  stop() {
    window.clearTimeout(this.#timer);
    if (!this.#isOn) return;
    this.#isOn = false;
    this.element.hidden = true;
    takeMoves(null);
    enableKeys(true);
    showDrawings(true);
    board.set({ movable: 'both', marks: [], mayDraw: true });
    void goTo(state.node);
  }

  /** Shows a node; a move of the other side is played soon. @param {Node} node */
  async #goTo(node) {
    window.clearTimeout(this.#timer);
    const { tree } = state;
    this.#tries = 0;
    board.set({ marks: [] });
    await goTo(node);
    if (!this.#isOn || state.tree !== tree || state.node !== node) return;
    this.#texts = node.comments.map(shownComment).filter(Boolean);
    const [next] = node.children;
    this.#isOver = !next;
    showDrawings(this.#isOver || state.view?.turn !== this.side);
    this.#show();
    if (next && state.view?.turn !== this.side) {
      this.#timer = window.setTimeout(() => void this.#goTo(next), REPLY_MS);
    }
  }

  /** A move of the reader; false takes it back. @param {string} text */
  #take(text) {
    const { node } = state;
    const [main, ...others] = node.children;
    if (!main) return false;
    const chosen = node.children.find((child) => child.text === text);
    const isRight = chosen && (chosen === main
      || (others.includes(chosen) && chosen.nags.some((nag) => GOOD_NAGS.includes(nag))));
    if (isRight) {
      this.#score(this.#tries === 0);
      this.#say(t('study.guess.right', { move: text }), true);
      void this.#goTo(chosen);
      return true;
    }
    this.#tries += 1;
    this.#texts = (chosen?.comments ?? []).map(shownComment).filter(Boolean);
    this.#say(t('study.guess.wrong', { move: text }), false);
    this.#hint(main.text);
    return false;
  }

  /** After two wrong tries the piece, after three where it goes. @param {string} text of the move */
  #hint(text) {
    const move = state.view?.legal.find((legal) => legal.text === text);
    const route = move?.routes[0];
    if (route && this.#tries >= TRIES_TO_PIECE) {
      const isTarget = this.#tries >= TRIES_TO_TARGET;
      const square = isTarget ? route[route.length - 1] : route[0];
      board.set({ marks: isTarget ? [route[0], square] : [square] });
      const hint = isTarget ? 'study.guess.hint_target' : 'study.guess.hint_piece';
      this.#message += ` ${t(hint, { square: board.names[square] })}`;
    }
    this.#show();
  }

  #reveal() {
    const [main] = state.node.children;
    if (!main) return;
    this.#score(false);
    this.#say(t('study.guess.shown', { move: main.text }), false);
    void this.#goTo(main);
  }

  /** @param {boolean} isFirst whether the move was found at the first try */
  #score(isFirst) {
    this.#total += 1;
    if (isFirst) this.#right += 1;
  }

  /** @param {string} message @param {boolean} isGood */
  #say(message, isGood) {
    this.#message = message;
    this.#isGood = isGood;
    refusalPanel.close();
  }

  #show() {
    const isMine = state.view?.turn === this.side;
    const question = this.#isOver ? t('study.guess.over')
      : t(isMine ? `study.guess.find_${this.side}` : 'study.guess.reply');
    const sides = /** @type {const} */ (['white', 'black']);
    const score = this.#total > 0 && h('p.guess-score.numbers', { testid: 'guess-score' },
      t('study.guess.score', { right: this.#right, total: this.#total }));
    const nothing = this.#isOver && !this.#total
      && h('p', t('study.guess.nothing', { side: t(`analysis.side_${this.side}`).toLocaleLowerCase() }));
    const next = this.nextChapter();
    fill(this.element,
      h('div.guess-words', { role: 'status', testid: 'guess-words' },
        this.#message && h(`p.guess-answer.guess-${this.#isGood ? 'good' : 'bad'}`, this.#message),
        ...this.#texts.map((text) => h('p.study-text', text)), nothing,
        h('p.guess-question', question)),
      score,
      h('div.toolbar',
        isMine && !this.#isOver && iconButton('guess-show', 'lightbulb', t('study.guess.show'),
          () => this.#reveal()),
        this.#isOver && iconButton('guess-again', 'rematch', t('study.guess.again'),
          () => this.start(this.side), 'button'),
        this.#isOver && next && iconButton('guess-next', 'next', t('study.next_chapter'), next)),
      h('div.field', h('span.label', t('study.guess.side')),
        segmented('guess-side', t('study.guess.side'),
          sides.map((each) => [each, t(`analysis.side_${each}`)]), this.side, (each) => this.start(each))));
  }
}
