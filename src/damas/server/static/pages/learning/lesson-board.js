/** The board of lessons, examples, puzzles and endings: explains refusals, shows counts of draw rules. */

import '../../board/damas-board.js';
import { api, ApiError, connectionError } from '../../lib/api.js';
import { byId, h } from '../../lib/dom.js';
import { moveInput } from '../../lib/move-input.js';
import { openPlayHere } from '../../lib/play-here.js';
import { RefusalPanel } from '../../lib/refusal.js';
import { rulebook } from '../../lib/rulebooks.js';
import { t } from '../../lib/words.js';

/** @import { FrameView, MoveView, PositionView } from '../../lib/messages.js' */
/** @import { Attempt, Explanation } from '../../lib/refusal.js' */

/** @typedef {((move: MoveView) => void | Promise<void>) | undefined} MoveHandler */

/**
 * Runs an action again while the connection is lost; null once its result is no longer wanted.
 * @typedef {<Result>(action: () => Promise<Result>) => Promise<Result | null>} Repeat
 */

/**
 * @typedef {object} LessonBoardOptions
 * @property {MoveHandler} [onMove] a legal move was entered
 * @property {(explanation: Explanation, route: number[], text: string) => void} [onRefused]
 * @property {Repeat} [repeat] repeats questions to the server; without it they fail at once
 * @property {HTMLElement} [inputPlace] for the field of typed moves; the page's main board has one
 * @property {HTMLElement} [playButton] starts a game from the position on the board
 * @property {HTMLElement} [refusalPlace] for explanations, if not below the board
 * @property {boolean} [showsCounts]
 */

export class LessonBoard {
  #rulebookId = '';
  /** @type {HTMLElement | undefined} */
  #playButton;
  #counts = h('ul.counts', { testid: 'counters', 'aria-live': 'polite' });

  /** @param {HTMLElement} container @param {LessonBoardOptions} [options] */
  constructor(container, options = {}) {
    const { onMove, onRefused, repeat = (action) => action(), inputPlace, refusalPlace } = options;
    this.showsCounts = options.showsCounts ?? true;
    this.board = h('damas-board', inputPlace ? { id: 'board' } : null);
    const refusalElement = h('section.learning-refusal');
    container.replaceChildren(this.board, this.#counts, ...(refusalPlace ? [] : [refusalElement]));
    refusalPlace?.replaceChildren(refusalElement);
    this.refusalPanel = new RefusalPanel(refusalElement, this.board);
    this.input = moveInput(this.board);
    inputPlace?.replaceChildren(this.input);
    this.#playButton = options.playButton;
    this.#playButton?.addEventListener('click', () => {
      const { fen, turn } = this.board.position;
      openPlayHere({ rulebook: this.#rulebookId, fen, color: turn });
    });
    this.board.addEventListener('damas-move', ({ detail }) => {
      this.refusalPanel.close();
      void this.#play(detail.move, onMove);
    });
    this.board.addEventListener('damas-illegal', async ({ detail: { route, text } }) => {
      const { fen } = this.board.position;
      const attempt = { rulebook: this.#rulebookId, fen, route, text };
      const explanation = await repeat(() => this.#explain(attempt, Boolean(options.repeat)));
      if (explanation) onRefused?.(explanation, route, text ?? '');
    });
  }

  /** @param {Attempt} attempt @param {boolean} throwsWhenLost */
  async #explain(attempt, throwsWhenLost) {
    const explanation = await this.refusalPanel.explain(attempt);
    if (attempt.fen !== this.board.position.fen) { // another position was opened meanwhile
      this.refusalPanel.close();
      return null;
    }
    if (throwsWhenLost && explanation?.refusal?.code === 'UNREACHABLE') {
      this.refusalPanel.close();
      throw connectionError();
    }
    return explanation;
  }

  /** Takes back a move that the page fails to handle. @param {MoveView} move @param {MoveHandler} onMove */
  async #play(move, onMove) {
    try {
      await onMove?.(move);
    } catch (error) {
      this.board.entry.reset();
      if (!(error instanceof ApiError)) throw error;
      this.board.showHint(error.message);
    }
  }

  /** Offers a game from the position on the board, if there is a move to play. @param {boolean} isOffered */
  offerGame(isOffered) {
    if (this.#playButton) this.#playButton.hidden = !isOffered || !this.board.legal.length;
  }

  /** Until its board is there, nothing can be typed. @param {string} id */
  async useRulebook(id) {
    if (this.#rulebookId === id) return;
    const { hidden } = this.input;
    this.input.hidden = true;
    try {
      const book = await rulebook(id);
      this.board.set({ book, view: book.start }); // the position before may not fit on it
      this.#rulebookId = id;
    } finally {
      this.input.hidden = hidden;
    }
  }

  /** @param {PositionView} view */
  show(view) {
    this.refusalPanel.close();
    this.board.position = view;
    const counts = this.showsCounts ? view.counts ?? [] : [];
    this.#counts.replaceChildren(...counts.map(({ have, need, message }) => h('li.count',
      h('span.count-numbers.numbers', `${Math.min(have, need)} / ${need}`),
      h('span.count-words', message),
      h('meter', { min: 0, max: need, value: have, 'aria-label': message }))));
    this.#counts.hidden = !counts.length;
  }
}

/**
 * The position after moves.
 * @param {string} book @param {string} fen @param {string[]} moves @returns {Promise<PositionView>}
 */
export function positionAfter(book, fen, moves) {
  return api.post('/api/position', { rulebook: book, fen, moves });
}

/** Steps through a recorded game. */
export class Replay {
  current = 0;

  /**
   * @param {LessonBoard} lessonBoard @param {FrameView[]} frames
   * @param {(words: string, isLast: boolean) => void} onStep
   */
  constructor(lessonBoard, frames, onStep) {
    this.lessonBoard = lessonBoard;
    this.frames = frames;
    this.onStep = onStep;
  }

  get frame() {
    return this.frames[this.current];
  }

  get last() {
    return this.frames.length - 1;
  }

  /** @param {number} index */
  goTo(index) {
    this.current = Math.max(0, Math.min(index, this.last));
    this.lessonBoard.show(this.frame);
    const place = t('rules.ply', { n: this.frame.ply, count: this.frames[this.last].ply });
    const words = [this.frame.claimed ? t('rules.claimed') : place, outcomeWords(this.frame)];
    this.onStep(words.filter(Boolean).join(' — '), this.current === this.last);
  }
}

/** How the game ended; empty if it goes on. @param {PositionView} view */
export function outcomeWords(view) {
  return view.outcome?.message ?? '';
}

/** Waits between moves that are played automatically. @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

/** Shows a sentence about the last move. @param {string} words @param {'' | 'good' | 'bad'} mood */
export function showFeedback(words, mood) {
  const line = byId('feedback');
  line.textContent = words;
  line.dataset.mood = mood;
}
