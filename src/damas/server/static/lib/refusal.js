/** "Por que não posso?": explains a refused move by its article and shows what the rules ask for. */

import { api, ApiError } from './api.js';
import { closeButton } from './dialog.js';
import { h, icon, iconButton, showText } from './dom.js';
import { t } from './words.js';

/** @import { DamasBoard } from '../board/damas-board.js' */
/** @import { ExplanationView, RefusalView } from './messages.js' */

/**
 * @typedef {object} Attempt
 * @property {string} rulebook
 * @property {string} fen
 * @property {number[]} [route] squares entered, in order
 * @property {string} [text] a typed move, instead of a route
 */

/**
 * @typedef {ExplanationView & {summary?: string, cannotStart?: boolean}} Explanation `summary` is shown
 *   before the message of the rules; `cannotStart`: a piece without a legal move was selected
 */

const CAPTURE_CODES = ['MUST_CAPTURE', 'MAJORITY', 'QUALITY'];

/** The panel that explains refusals, in an element of the page. Its text is read aloud by screen readers. */
export class RefusalPanel {
  #words = h('div.refusal-words', { role: 'alert', testid: 'explain' });
  #actions = h('div.refusal-actions.toolbar');

  /** @param {HTMLElement} element @param {DamasBoard} board */
  constructor(element, board) {
    this.element = element;
    this.board = board;
    element.classList.add('refusal');
    element.setAttribute('aria-label', t('board.why_not'));
    element.replaceChildren(this.#words, this.#actions);
    element.hidden = true;
  }

  close() {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.#words.replaceChildren();
    this.#actions.replaceChildren();
    this.board.entry.clearRefusal();
    document.body.classList.remove('has-refusal');
    const square = this.board.querySelector('[role="gridcell"][tabindex="0"]');
    if (hadFocus && square instanceof HTMLElement) square.focus({ preventScroll: true });
  }

  /**
   * Asks the server why an attempt is refused and shows the answer. Returns it: `legal` is true where the
   * move is legal after all (a text that only the server can read), null where there was nothing to ask.
   * @param {Attempt} attempt @returns {Promise<Explanation | null>}
   */
  async explain(attempt) {
    let explanation;
    try {
      explanation = await this.#request(attempt);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = error.status ? error.message : t('board.unexplained');
      explanation = { refusal: { code: error.code, message } };
    }
    if (explanation?.refusal) this.show(explanation, attempt.rulebook);
    return explanation;
  }

  /** @param {Attempt} attempt @returns {Promise<Explanation | null>} */
  async #request({ rulebook, fen, route = [], text }) {
    if (text) return api.post('/api/explain', { rulebook, fen, move: text });
    if (route.length > 1) return api.post('/api/explain', { rulebook, fen, route });
    return route.length ? this.#explainSelection(rulebook, fen, route[0]) : null;
  }

  /**
   * Why a piece has no legal move, found by trying the squares around it.
   * @param {string} rulebook @param {string} fen @param {number} square @returns {Promise<Explanation>}
   */
  async #explainSelection(rulebook, fen, square) {
    const { names, position, legal, stage } = this.board;
    if (!position.must_capture) {
      return { refusal: { code: 'BLOCKED', message: t('board.blocked', { square: names[square] }) } };
    }
    const movers = [...new Set(legal.map((move) => names[move.routes[0][0]]))].join(', ');
    const summary = t('board.must_capture_with', { square: names[square], movers });
    const free = stage.geometry.neighbours(square).filter((near) => !(near in position.pieces));
    for (const near of free) {
      /** @type {ExplanationView} */
      const explanation = await api.post('/api/explain', { rulebook, fen, route: [square, near] });
      const code = explanation.refusal?.code ?? '';
      if (CAPTURE_CODES.includes(code)) return { ...explanation, summary, cannotStart: true };
    }
    const refusal = { code: 'MUST_CAPTURE', message: summary };
    return { refusal, alternatives: legal, cannotStart: true };
  }

  /** @param {Explanation} explanation @param {string} rulebook of the game */
  show(explanation, rulebook) {
    const { refusal, alternatives = [], marks = [], cannotStart } = explanation;
    if (!refusal) return;
    const best = requiredMove(explanation);
    this.#words.replaceChildren(...sentences(explanation));
    this.#actions.replaceChildren(...this.#buttons(explanation, refusal, rulebook));
    this.element.hidden = false;
    document.body.classList.add('has-refusal');
    const origins = [...new Set(alternatives.map((move) => move.routes[0][0]))];
    const shown = cannotStart ? { marks: origins } : { route: best?.routes[0], captured: best?.captured };
    this.board.set({ refusal: best?.captured.length ? shown : { marks } });
  }

  /** @param {Explanation} explanation @param {RefusalView} refusal @param {string} rulebook */
  #buttons(explanation, refusal, rulebook) {
    const { hint } = explanation;
    const best = requiredMove(explanation);
    const buttons = [];
    if (hint && this.#isLegal(hint.move)) {
      buttons.push(this.#playButton('play-hint', hint.move, t('board.play_hint', { move: hint.move })));
    } else if (best?.captured.length && this.#isLegal(best.text) && this.board.hints) {
      buttons.push(this.#playButton('play-that', best.text, t('board.play_that')));
    }
    if (refusal.article_id && (refusal.rulebook ?? rulebook) === rulebook) { // regulations have no page
      buttons.push(h('a.button-quiet', {
        href: `/rules/${rulebook}#${refusal.article_id}`, target: '_blank', rel: 'noopener',
        testid: 'see-article',
      }, icon('book'), t('board.see_article')));
    }
    return [...buttons, closeButton(() => this.close(), 'close-explain')];
  }

  /** @param {string} text */
  #isLegal(text) {
    return this.board.legal.some((move) => move.text === text);
  }

  /** @param {string} testid @param {string} move @param {string} label */
  #playButton(testid, move, label) {
    return iconButton(testid, 'play', label, () => {
      this.close();
      this.board.entry.playText(move);
    }, 'button');
  }
}

/** The error of a refused command as an explanation. @param {RefusalView} refusal @returns {Explanation} */
export function explanationOf(refusal) {
  const { article_text, alternatives, marks } = refusal;
  return { refusal, article_text, alternatives, marks };
}

/** The first move that the rules ask for; none if the text is no move. @param {Explanation} explanation */
function requiredMove({ refusal, alternatives = [] }) {
  return refusal?.code === 'NOTATION' ? undefined : alternatives[0];
}

/** Each sentence once. @param {Explanation} explanation */
function sentences({ refusal, summary, article_text: articleText, hint }) {
  /** @type {HTMLElement[]} */
  const lines = [h('p.refusal-message', summary ?? refusal?.message)];
  if (summary && refusal?.article) lines.push(h('p.refusal-cited', refusal.message));
  if (articleText) lines.push(h('p.refusal-article', articleText));
  if (hint) lines.push(h('p.refusal-hint', { testid: 'hint' }, hint.message));
  return lines.filter(({ textContent: text }, i) => text
    && lines.findIndex((line) => line.textContent === text) === i);
}

/**
 * Shows a note when a man passes the last row without being crowned, with the article, where the rulebook has
 * one.
 * @param {DamasBoard} board @param {HTMLElement} note
 * @param {{rulebook: string, fen: string, move: string, square: number}} move
 */
export async function explainPassing(board, note, { rulebook, fen, move, square }) {
  /** @type {ExplanationView | null} */
  const explanation = await api.post('/api/explain', { rulebook, fen, move }).catch(() => null);
  if (!explanation?.not_crowned) return;
  showText(note, explanation.not_crowned.message);
  board.querySelector(`[data-square="${square}"]`)?.setAttribute('title', explanation.not_crowned.message);
}
