/**
 * "Por que não posso?": a refused move answered with its article, the capture that is asked for drawn on the board,
 * and what to do about it. The panel's words are an alert: what is read is what is heard.
 */

import { api, ApiProblem } from './api.js';
import { h, icon } from './dom.js';
import { t } from './words.js';

/**
 * @typedef {object} Asked
 * @property {string} rulebook
 * @property {string} fen
 * @property {number[]} [route] squares touched, in order
 * @property {string} [text] a typed move, instead of a route
 * @property {(answer: any) => void} [said] told what was answered, for a move list to keep
 */

/**
 * The parts of a panel, made once. A page gives an element; it becomes the panel.
 * @param {HTMLElement} panel
 */
export function refusalPanel(panel) {
  const made = /** @type {any} */ (panel).damasRefusal;
  if (made) return made;
  panel.classList.add('refusal');
  panel.setAttribute('aria-label', t('board.why_not'));
  const words = h('div.refusal-words', { role: 'alert', dataset: { testid: 'explain' } });
  const actions = h('div.refusal-actions.toolbar');
  panel.replaceChildren(words, actions);
  panel.hidden = true;
  const parts = { panel, words, actions, close: () => close(panel) };
  /** @type {any} */ (panel).damasRefusal = parts;
  return parts;
}

/** @param {HTMLElement} panel */
function close(panel) {
  const { words, actions, board } = /** @type {any} */ (panel).damasRefusal;
  const held = panel.contains(document.activeElement);
  panel.hidden = true;
  words.replaceChildren();
  actions.replaceChildren();
  board?.clearShown();
  if (held) board?.querySelector('[role="gridcell"][tabindex="0"]')?.focus({ preventScroll: true }); // on with the game
  document.body.classList.remove('has-refusal');
}

/**
 * The whole of it: asks the server, fills the panel, draws on the board. Gives back the answer, whose `legal` is true where
 * the move can be played after all (a text that only the server reads), or null if there was nothing to ask.
 * @param {any} board @param {HTMLElement} panel @param {Asked} asked
 */
export async function explainIllegal(board, panel, asked) {
  let answer;
  try {
    answer = await ask(board, asked);
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    answer = { refusal: { code: problem.code, message: problem.status ? problem.message : t('board.unexplained') }, alternatives: [] };
  }
  if (answer?.refusal) showAnswer(board, panel, answer, asked.rulebook);
  asked.said?.(answer);
  return answer;
}

/** @param {any} board @param {Asked} asked */
async function ask(board, { rulebook, fen, route, text }) {
  if (text) return api.post('/api/explain', { rulebook, fen, move: text });
  if (route && route.length > 1) return api.post('/api/explain', { rulebook, fen, route });
  return route?.length ? cannotStart(board, rulebook, fen, route[0]) : null;
}

/**
 * A piece that has no move was picked up. What refuses it is asked by trying its neighbouring squares.
 * @param {any} board @param {string} rulebook @param {string} fen @param {number} square
 */
async function cannotStart(board, rulebook, fen, square) {
  const name = board.names[square];
  const free = board.geometry.neighbours(square).filter((/** @type {number} */ near) => !(near in board.position.pieces));
  if (!board.position.must_capture) return { refusal: { code: 'BLOCKED', message: t('board.blocked', { square: name }) }, alternatives: [] };
  const movers = [...new Set(board.legal.map((/** @type {any} */ move) => board.names[move.routes[0][0]]))].join(', ');
  const message = t('board.must_capture_with', { square: name, movers });
  for (const near of free) {
    const answer = await api.post('/api/explain', { rulebook, fen, route: [square, near] });
    if (['MUST_CAPTURE', 'MAJORITY', 'QUALITY'].includes(answer.refusal?.code)) return { ...answer, message, atStart: true };
  }
  return { refusal: { code: 'MUST_CAPTURE', message }, alternatives: board.legal, message, atStart: true };
}

/**
 * Shows an answer of `/api/explain`, or the error of a refused command, which is the same object.
 * @param {any} board @param {HTMLElement} panel @param {any} answer @param {string} rulebook
 */
export function showAnswer(board, panel, answer, rulebook) {
  const parts = refusalPanel(panel);
  parts.board = board;
  const why = answer.refusal ?? answer;
  const best = instead(answer, why);
  parts.words.replaceChildren(...sentences(answer, why));
  parts.actions.replaceChildren(...buttons(board, parts, answer, why, rulebook));
  panel.hidden = false;
  document.body.classList.add('has-refusal');
  const captures = best?.captured?.length > 0;
  if (captures && !answer.atStart) board.showRefusal({ route: best.routes[0], captured: best.captured });
  else if (captures) board.showRefusal({ marks: [...new Set(answer.alternatives.map((/** @type {any} */ move) => move.routes[0][0]))] });
  else board.showRefusal({ marks: answer.marks?.length ? answer.marks : [] });
}

/** The move that is asked for in place of the one tried; what could not be read was no try. @param {any} answer @param {any} why */
function instead(answer, why) {
  return why.code === 'NOTATION' ? null : (answer.alternatives ?? [])[0];
}

/** @param {any} answer @param {any} why */
function sentences(answer, why) {
  const lines = [h('p.refusal-message', null, answer.message ?? why.message)];
  if (answer.message && why.article) lines.push(h('p.refusal-cited', null, why.message));
  if (answer.article_text) lines.push(h('blockquote.refusal-article', null, answer.article_text));
  if (answer.hint) lines.push(h('p.refusal-hint', { dataset: { testid: 'hint' } }, answer.hint.message));
  const said = new Set();
  return lines.filter(({ textContent: text }) => text && !said.has(text) && said.add(text));
}

/** @param {any} board @param {any} parts @param {any} answer @param {any} why @param {string} rulebook */
function buttons(board, parts, answer, why, rulebook) {
  const made = [];
  const playable = (/** @type {string} */ text) => board.legal.some((/** @type {any} */ move) => move.text === text);
  const play = (/** @type {string} */ text) => { parts.close(); board.play(text); };
  const best = instead(answer, why);
  if (answer.hint && playable(answer.hint.move)) {
    made.push(h('button.button', { type: 'button', dataset: { testid: 'play-hint' }, onclick: () => play(answer.hint.move) }, icon('play'), t('board.play_hint', { move: answer.hint.move })));
  } else if (best?.captured?.length && playable(best.text) && board.hints) {
    made.push(h('button.button', { type: 'button', dataset: { testid: 'play-that' }, onclick: () => play(best.text) }, icon('play'), t('board.play_that')));
  }
  if (why.article_id && (why.rulebook ?? rulebook) === rulebook) { // a regulation has no page
    made.push(h('a.button-quiet', { href: `/rules/${why.rulebook ?? rulebook}#${why.article_id}`, target: '_blank', rel: 'noopener', dataset: { testid: 'see-article' } }, icon('book'), t('board.see_article')));
  }
  made.push(h('button.button-quiet.button-icon', { type: 'button', 'aria-label': t('board.close'), dataset: { testid: 'close-explain' }, onclick: parts.close }, icon('close')));
  return made;
}

/**
 * A man that only passes the last row is not crowned: says so, with the article, where the rulebook has one.
 * @param {any} board @param {HTMLElement} note @param {{rulebook: string, fen: string, move: string, square: number}} passing
 */
export async function explainPassing(board, note, { rulebook, fen, move, square }) {
  const answer = await api.post('/api/explain', { rulebook, fen, move }).catch(() => null);
  if (!answer?.not_crowned) return;
  note.textContent = answer.not_crowned.message;
  note.hidden = false;
  board.querySelector(`[data-square="${square}"]`)?.setAttribute('title', answer.not_crowned.message);
}
