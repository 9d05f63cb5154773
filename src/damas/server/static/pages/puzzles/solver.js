/** One puzzle on the board: moves, hints in two steps, the solution ply by ply. */

import { $$, byId, h, markCurrent } from '../../lib/dom.js';
import { lang, t } from '../../lib/words.js';
import { LessonBoard, showFeedback } from '../learning/lesson-board.js';

/** @import { MoveView } from '../../lib/messages.js' */
/** @import { PuzzleView } from '../learning/messages.js' */

const REPLY_DELAY_MS = 600;
const MAX_REPORTED_MS = 86_400_000, MAX_REPORTED_HINTS = 9;

/**
 * How a puzzle went.
 * @typedef {object} Outcome
 * @property {PuzzleView} puzzle
 * @property {boolean} solved
 * @property {boolean} isClean without hints and wrong moves
 * @property {boolean} isSecondTry a mistake was reported before
 * @property {number} hints
 * @property {number} spent_ms
 */

/**
 * @typedef {object} SolverHandlers
 * @property {(outcome: Outcome) => void} onOutcome once a puzzle: its first mistake, or that it was solved
 * @property {(outcome: Outcome) => void} onFinish the puzzle is over
 */

export class PuzzleSolver {
  /** @type {PuzzleView | null} */
  puzzle = null;
  #ply = 0;
  #hintCount = 0;
  /** How many hints were given for the next move. */
  #moveHints = 0;
  #isClean = true;
  #isOver = false;
  /** What was reported first of this puzzle. @type {boolean | null} */
  #firstSolved = null;
  /** Whether the reader steps through the solution. */
  #isBrowsing = false;
  #startedAt = 0;
  #hintButton = byId('hint', HTMLButtonElement);
  #solutionButton = byId('solution', HTMLButtonElement);
  #againButton = byId('again', HTMLButtonElement);
  #analyseLink = byId('analyse', HTMLAnchorElement);
  #motifTags = byId('motifs');
  #solutionCard = byId('line');
  /** The rulebook of the puzzle. */
  book = '';
  /** Whether hints are offered. */
  allowsHints = true;

  /** @param {SolverHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.lessonBoard = new LessonBoard(byId('puzzle-board'), {
      onMove: (move) => this.#onMove(move), inputPlace: byId('typed-place'),
      refusalPlace: byId('reasons'), showsCounts: false, playButton: byId('play-from-here'),
    });
    this.board = this.lessonBoard.board;
    this.#hintButton.addEventListener('click', () => this.#giveHint());
    this.#solutionButton.addEventListener('click', () => this.#giveUp());
    this.#againButton.addEventListener('click', () => {
      if (this.puzzle) this.open(this.puzzle, this.book);
    });
  }

  /** @param {PuzzleView} puzzle @param {string} book */
  open(puzzle, book) {
    const isNew = this.puzzle !== puzzle;
    if (isNew) this.#firstSolved = null;
    Object.assign(this, { puzzle, book });
    this.#ply = this.#hintCount = this.#moveHints = 0;
    this.#isClean = isNew;
    this.#isOver = this.#isBrowsing = false;
    this.#startedAt = performance.now();
    const { turn } = puzzle.frames[0];
    this.board.set({ orientation: turn, movable: turn, marks: [], arrows: [] });
    this.lessonBoard.show(puzzle.frames[0]);
    this.lessonBoard.input.hidden = false;
    byId('task').textContent = t(`puzzles.${turn}_${puzzle.goal}`);
    byId('grade').textContent = `${t('puzzles.grade_name', { n: puzzle.grade })} · ${puzzle.rating}`;
    byId('own-moves').textContent = [t('puzzles.moves', { n: puzzle.moves }),
      puzzle.mistake ? t('puzzles.from_own_game') : ''].filter(Boolean).join(' · ');
    byId('grade').hidden = byId('own-moves').hidden = false;
    this.#hintButton.hidden = !this.allowsHints;
    this.#solutionButton.hidden = false;
    this.#motifTags.hidden = this.#againButton.hidden = this.#analyseLink.hidden = true;
    this.#solutionCard.hidden = true;
    this.lessonBoard.offerGame(false);
    showFeedback('', '');
  }

  /** Takes the puzzle off the page; the words say why. @param {string} words */
  clear(words) {
    this.puzzle = null;
    this.#isOver = true;
    this.board.set({ movable: 'none', marks: [], arrows: [] });
    this.lessonBoard.input.hidden = this.#hintButton.hidden = this.#solutionButton.hidden = true;
    this.#motifTags.hidden = this.#againButton.hidden = this.#analyseLink.hidden = true;
    this.#solutionCard.hidden = byId('grade').hidden = byId('own-moves').hidden = true;
    this.lessonBoard.offerGame(false);
    byId('task').textContent = words;
    showFeedback('', '');
  }

  /** @param {PuzzleView} puzzle @param {boolean} solved @returns {Outcome} */
  #outcome(puzzle, solved) {
    const spent_ms = Math.min(MAX_REPORTED_MS, Math.round(performance.now() - this.#startedAt));
    const hints = Math.min(MAX_REPORTED_HINTS, this.#hintCount);
    const isSecondTry = this.#firstSolved === false;
    return { puzzle, solved, isClean: this.#isClean, isSecondTry, hints, spent_ms };
  }

  /** @param {PuzzleView} puzzle @param {boolean} solved */
  #report(puzzle, solved) {
    if (this.#firstSolved !== null) return;
    const outcome = this.#outcome(puzzle, solved);
    this.#firstSolved = solved;
    this.handlers.onOutcome(outcome);
  }

  /** @param {MoveView} move */
  #onMove({ text }) {
    const { puzzle } = this;
    if (!puzzle) return;
    const isRight = text === puzzle.line[this.#ply];
    const isLast = this.#ply === 2 * puzzle.moves - 2;
    if (!isRight && !(isLast && puzzle.also.includes(text))) {
      this.#isClean = false;
      showFeedback(t(puzzle.goal === 'draw' ? 'puzzles.loses' : 'puzzles.wrong', { move: text }), 'bad');
      this.board.entry.reset();
      return this.#report(puzzle, false);
    }
    this.board.set({ marks: [], arrows: [] });
    if (!isRight) {
      this.lessonBoard.show(puzzle.also_frames[text]);
      return this.#finish(puzzle, true);
    }
    this.#ply += 1;
    this.#moveHints = 0;
    this.lessonBoard.show(puzzle.frames[this.#ply]);
    const hasReply = this.#ply < puzzle.line.length;
    if (isLast) this.#finish(puzzle, true);
    else showFeedback(t('puzzles.good', { move: text }), 'good');
    if (hasReply) window.setTimeout(() => this.#showReply(puzzle), REPLY_DELAY_MS);
  }

  /** Plays the opponent's move, unless the solution is looked at meanwhile. @param {PuzzleView} puzzle */
  #showReply(puzzle) {
    if (this.puzzle !== puzzle || this.#ply % 2 === 0 || this.#isBrowsing) return;
    this.#ply += 1;
    this.lessonBoard.show(puzzle.frames[this.#ply]);
  }

  /** First the piece, then the square it goes to. */
  #giveHint() {
    const { puzzle, board } = this;
    const move = board.legal.find((legal) => legal.text === puzzle?.line[this.#ply]);
    if (!move || this.#isOver || this.#ply % 2) return; // the reply has not been played yet
    const [from, to] = move.routes[0];
    this.#hintCount += 1;
    this.#moveHints += 1;
    this.#isClean = false;
    board.set({ marks: [from] });
    if (this.#moveHints === 1) {
      return showFeedback(t('puzzles.hint_piece', { square: board.names[from] }), '');
    }
    board.set({ arrows: [{ route: [from, to], brush: 'blue' }] });
    showFeedback(t('puzzles.hint_square', { from: board.names[from], to: board.names[to] }), '');
  }

  #giveUp() {
    const { puzzle } = this;
    if (this.#isOver || !puzzle) return;
    this.#isClean = false;
    this.#finish(puzzle, false);
    this.#goTo(puzzle, 1);
  }

  /** @param {PuzzleView} puzzle @param {boolean} solved */
  #finish(puzzle, solved) {
    this.#isOver = true;
    const { book, board, lessonBoard } = this;
    board.set({ movable: 'none' });
    lessonBoard.input.hidden = true;
    const { given, taken } = puzzle;
    const words = t(solved ? 'puzzles.solved' : 'puzzles.shown');
    showFeedback(`${words} ${t(`puzzles.result_${puzzle.goal}`, { given, taken })}`, solved ? 'good' : '');
    this.#motifTags.replaceChildren(
      ...puzzle.motifs.map((motif) => h('span.tag', t(`puzzles.motif.${motif}`))));
    this.#hintButton.hidden = this.#solutionButton.hidden = true;
    this.#motifTags.hidden = this.#againButton.hidden = this.#analyseLink.hidden = false;
    lessonBoard.offerGame(true);
    this.#analyseLink.href =
      `/analysis?rulebook=${book}&fen=${encodeURIComponent(puzzle.fen)}&lang=${lang}`;
    if (puzzle.mistake) this.#showMistake(puzzle.mistake);
    this.#showSolution(puzzle);
    this.#report(puzzle, solved);
    this.handlers.onFinish(this.#outcome(puzzle, solved));
  }

  /**
   * What was played in the game that the puzzle comes from.
   * @param {{played: string, message: string}} mistake
   */
  #showMistake({ played, message }) {
    byId('own-moves').textContent = `${t('puzzles.you_played', { move: played })} ${message}`;
  }

  /** Lists the solution: sacrifices, replies, captures. @param {PuzzleView} puzzle */
  #showSolution(puzzle) {
    const captures = puzzle.frames.slice(1).map(({ last }) => last?.captured.length ?? 0);
    const rows = puzzle.line.map((text, index) => {
      const isReply = index % 2 === 1;
      const isForced = puzzle.frames[index].legal.length === 1;
      const words = [isReply && t(isForced ? 'puzzles.forced' : 'puzzles.defence'),
        captures[index] && t('puzzles.takes', { n: captures[index] }),
        !isReply && !captures[index] && captures[index + 1] && t('puzzles.sacrifice')].filter(Boolean);
      return h('li', h('button.solution-move', {
        class: isReply ? 'solution-reply' : '', testid: `solution-${index + 1}`,
        onclick: () => this.#goTo(puzzle, index + 1),
      }, h('span.move', text), h('span.small.muted', words.join(', '))));
    });
    this.#solutionCard.replaceChildren(h('h2.card-title', t('puzzles.line')), h('ol.solution', ...rows));
    this.#solutionCard.hidden = false;
  }

  /** @param {PuzzleView} puzzle @param {number} ply */
  #goTo(puzzle, ply) {
    this.#ply = ply;
    this.#isBrowsing = true;
    this.lessonBoard.show(puzzle.frames[ply]);
    this.lessonBoard.offerGame(true);
    markCurrent($$('.solution-move'), ply - 1);
  }
}
