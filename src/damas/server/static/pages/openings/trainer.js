/** Trains a repertoire: plays the opponent's moves, asks for one's own, and says when they come back. */

import { api } from '../../lib/api.js';
import { randomIndex } from '../../lib/random.js';
import { t } from '../../lib/words.js';
import { pause, positionAfter, showFeedback } from '../learning/lesson-board.js';

/** @import { ExploredView, MoveView, OwnLine, PositionView } from '../../lib/messages.js' */
/** @import { RepertoireQuestion, Side } from '../../lib/messages.js' */
/** @import { LessonBoard } from '../learning/lesson-board.js' */

const REPLY_MS = 500;
/** How long the end of a line stays on the board. */
const END_MS = 1200;

export class Trainer {
  #rulebook = '';
  /** @type {Side} */
  #side = 'white';
  /** @type {OwnLine[]} */
  #lines = [];
  /** When each item that is still to be asked is due. @type {Map<string, number>} */
  #due = new Map();
  #moves = /** @type {string[]} */ ([]);
  /** @type {PositionView | null} */
  #view = null;
  /** What is asked now. @type {RepertoireQuestion | null} */
  #question = null;
  #isOver = true;
  #right = 0;
  #asked = 0;
  /** Number of the training: what an earlier one waits for is dropped. */
  #run = 0;

  /** @param {LessonBoard} lessonBoard @param {() => void} onEnd */
  constructor(lessonBoard, onEnd) {
    this.lessonBoard = lessonBoard;
    this.onEnd = onEnd;
  }

  get isOn() {
    return !this.#isOver;
  }

  /** The deck of one side's lines. @param {string} rulebook @param {Side} side */
  static deck(rulebook, side) {
    return `/api/reviews/opening:${rulebook}-${side}`;
  }

  /** @param {string} rulebook @param {Side} side @param {OwnLine[]} lines of that side */
  async start(rulebook, side, lines) {
    const run = ++this.#run;
    this.#rulebook = rulebook;
    this.#side = side;
    this.#lines = lines;
    this.#right = this.#asked = 0;
    /** @type {{items: {item: string, due_ms: number}[]}} */
    const { items } = await api.get(Trainer.deck(rulebook, side));
    if (run !== this.#run) return;
    const known = new Set(lines.flatMap(({ questions }) => questions.map(({ item }) => item)));
    this.#due = new Map(items.filter(({ item }) => known.has(item))
      .map(({ item, due_ms: due }) => [item, due]));
    this.#isOver = false;
    this.lessonBoard.board.set({ orientation: side });
    await this.#nextLine();
  }

  stop() {
    this.#run++;
    this.#isOver = true;
    this.#question = null;
    this.lessonBoard.board.set({ arrows: [], movable: 'none' });
    this.onEnd();
  }

  /** Lines that go on from the moves on the board to something that is due. */
  get #candidates() {
    return this.#lines.filter(({ moves, questions }) => moves.length > this.#moves.length
      && this.#moves.every((move, i) => moves[i] === move)
      && questions.some(({ ply, item }) => ply >= this.#moves.length && this.#due.has(item)));
  }

  async #nextLine() {
    this.#moves = [];
    if (!this.#candidates.length) {
      const { lessonBoard } = this;
      const words = this.#asked ? t('openings.done', { right: this.#right, asked: this.#asked })
        : t('openings.nothing_due');
      this.#isOver = true;
      lessonBoard.board.set({ movable: 'none' });
      this.onEnd();
      return showFeedback(words, 'good');
    }
    await this.#show();
    await this.#step();
  }

  async #show() {
    const run = this.#run;
    const view = await positionAfter(this.#rulebook, '', this.#moves);
    if (run === this.#run) this.#draw(view);
  }

  /** @param {PositionView} view */
  #draw(view) {
    this.#view = view;
    this.lessonBoard.board.set({ arrows: [] });
    this.lessonBoard.show(view);
  }

  /** Asks for a move that is due, plays any other, or goes on to the next line. */
  async #step() {
    const run = this.#run;
    if (!this.#candidates.length) {
      await pause(END_MS);
      if (run === this.#run) await this.#nextLine();
      return;
    }
    const [line] = this.#candidates;
    this.#question = line.questions.find(({ ply, item }) =>
      ply === this.#moves.length && this.#due.has(item)) ?? null;
    this.lessonBoard.board.set({ movable: this.#question ? this.#side : 'none' });
    if (this.#question) {
      showFeedback(t('openings.your_move', { left: this.#due.size }), '');
      return;
    }
    const [reply] = await Promise.all([this.#reply(), pause(REPLY_MS)]);
    if (run !== this.#run) return;
    this.#moves.push(reply);
    await this.#show();
    if (run === this.#run) await this.#step();
  }

  /** A move of the repertoire; what is played more often on this site is likelier. */
  async #reply() {
    const replies = [...new Set(this.#candidates.map(({ moves }) => moves[this.#moves.length]))];
    if (replies.length === 1) return replies[0];
    /** @type {Partial<ExploredView>} */
    const { moves = [] } = await api.post('/api/explorer',
      { rulebook: this.#rulebook, moves: this.#moves, source: 'server' }).catch(() => ({}));
    const weights = replies.map((reply) => 1 + (moves.find(({ text }) => text === reply)?.games ?? 0));
    return replies[randomIndex(weights)];
  }

  /** @param {MoveView} move */
  async onMove(move) {
    const question = this.#question, run = this.#run;
    if (!question || this.#isOver) return this.lessonBoard.board.entry.reset();
    const wanted = new Set(this.#lines.flatMap(({ questions }) =>
      questions.filter(({ item }) => item === question.item).map((each) => each.move)));
    const isRight = wanted.has(move.text);
    // Without the server nothing counts, and the question stays.
    const view = isRight ? await positionAfter(this.#rulebook, '', [...this.#moves, move.text]) : null;
    await this.#answer(question.item, isRight);
    if (run !== this.#run) return;
    if (!view) {
      this.lessonBoard.board.entry.reset();
      const right = [...wanted].join(', ');
      return this.#showAnswer(t('openings.wrong', { move: move.text, right }), wanted);
    }
    showFeedback(t('openings.right', { move: move.text }), 'good');
    this.#question = null;
    this.#moves.push(move.text); // of several lines through here, those with this move go on
    this.#draw(view);
    await this.#step();
  }

  /** Shows the move that is asked for, which then counts as not remembered. */
  async giveUp() {
    const question = this.#question;
    if (!question) return;
    await this.#answer(question.item, false);
    this.#showAnswer(t('openings.shown', { right: question.move }), new Set([question.move]));
  }

  /** @param {string} words @param {Set<string>} moves */
  #showAnswer(words, moves) {
    const arrows = (this.#view?.legal ?? []).filter(({ text }) => moves.has(text))
      .map(({ routes }) => ({ route: routes[0], brush: /** @type {const} */ ('green') }));
    this.lessonBoard.board.set({ arrows });
    showFeedback(words, 'bad');
  }

  /** Counts the first answer to what is due. @param {string} item @param {boolean} isRight */
  async #answer(item, isRight) {
    const due = this.#due.get(item);
    if (due === undefined) return;
    await api.post(`${Trainer.deck(this.#rulebook, this.#side)}/answer`,
      { item, grade: isRight ? 'good' : 'again', due_ms: due });
    this.#due.delete(item);
    this.#asked++;
    if (isRight) this.#right++;
  }
}
