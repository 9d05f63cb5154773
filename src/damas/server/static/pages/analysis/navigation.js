/** Moving through the tree: which position is on the board, and who is told about it. */

import { DamasBoard } from '../../board/damas-board.js';
import { api, ApiError, messageOf } from '../../lib/api.js';
import { byId, h, toast } from '../../lib/dom.js';
import { RefusalPanel } from '../../lib/refusal.js';
import { rulebook } from '../../lib/rulebooks.js';
import { t } from '../../lib/words.js';
import { updateAddress } from './address.js';
import { viewOf } from './positions.js';
import { positionRequest, state } from './state.js';

/** @import { CountView, ExplanationView, PositionView } from '../../lib/messages.js' */
/** @import { PositionRequest } from './state.js' */
/** @import { Node, Tree } from './tree.js' */

/** How long a position must stay on the board before it is analysed: stepping past it requests nothing. */
const SETTLE_MS = 120;
/** A limit of the website is shown when this many moves are left. */
const NEAR_LIMIT_MOVES = 10;

/**
 * @typedef {object} NavigationListener
 * @property {() => void} [nodeSelected] the selected node or the tree changed; its position may not be there
 *   yet
 * @property {(node: Node) => void} [positionShown]
 * @property {(position: PositionRequest, view: PositionView) => void} [positionSettled] the position stays on
 *   the board
 * @property {(tree: Tree) => void} [treeLoaded]
 */

/** @type {NavigationListener[]} */
const listeners = [];
let settleTimer = 0;

export const board = byId('board', DamasBoard);
export const refusalPanel = new RefusalPanel(byId('explain-panel'), board);
export const fenField = byId('fen', HTMLInputElement);

/** @param {NavigationListener} listener */
export function onNavigation(listener) {
  listeners.push(listener);
}

export function notifyNodeSelected() {
  for (const listener of listeners) listener.nodeSelected?.();
}

/** Selects a node and shows its position. @param {Node} node @returns {Promise<void>} */
export async function goTo(node) {
  state.node = node;
  notifyNodeSelected();
  let view;
  try {
    view = await viewOf(node);
  } catch (error) {
    if (error instanceof ApiError && state.view) return stayOnShown(node, error);
    if (!node.parent || state.node !== node) throw error;
    toast(messageOf(error)); // the rules end the line before this move
    return goTo(state.tree.remove(node));
  }
  if (state.node === node) showPosition(node, view);
}

/** @param {Node} node @param {PositionView} view */
function showPosition(node, view) {
  state.view = view;
  state.shownNode = node;
  refusalPanel.close();
  board.position = view;
  fenField.value = view.fen;
  showNote(node);
  showStatus(view);
  byId('move-input', HTMLInputElement).placeholder =
    view.legal.length ? t('analysis.typed_placeholder', { move: view.legal[0].text }) : '';
  updateAddress();
  for (const listener of listeners) listener.positionShown?.(node);
  window.clearTimeout(settleTimer);
  settleTimer = window.setTimeout(notifySettled, SETTLE_MS);
}

/** Starts the analysis of the position on the board. */
export function notifySettled() {
  const { view } = state;
  if (!view) return;
  for (const listener of listeners) listener.positionSettled?.(positionRequest(), view);
}

/** Without a connection the board stays where it was. @param {Node} node @param {ApiError} error */
function stayOnShown(node, error) {
  if (state.node !== node) return;
  if (state.tree.contains(state.shownNode)) state.node = state.shownNode;
  notifyNodeSelected();
  board.entry.reset();
  toast(error.message);
}

/** Goes to a ply of the main line. @param {number} ply */
export function goToMainLine(ply) {
  const mainLine = state.tree.mainLine();
  void goTo(mainLine[Math.min(ply, mainLine.length - 1)]);
}

/** Plays a move by its text. @param {string} text @param {number} [passes] crown row square, or -1 */
export async function play(text, passes = -1) {
  const { view } = state;
  const node = state.tree.play(state.node, text);
  const move = view?.legal.find((legal) => legal.text === text);
  const mayPass = move && move.captured.length > 1 && !move.promotes && !node.note;
  if (view && (passes >= 0 || mayPass)) await addCrownNote(node, view.fen, text);
  await goTo(node);
}

/** Notes a man that passes the crown row. @param {Node} node @param {string} fen @param {string} move */
async function addCrownNote(node, fen, move) {
  try {
    /** @type {ExplanationView} */
    const { not_crowned: notCrowned } = await api.post('/api/explain',
      { rulebook: state.tree.rulebook, fen, move });
    if (notCrowned) node.note = { message: notCrowned.message, article: notCrowned.article_id };
  } catch { /* the move is played without the note */ }
}

/** @param {Node} node */
function showNote({ note }) {
  const element = byId('not-crowned');
  element.hidden = !note;
  element.replaceChildren(...(note ? [
    h('p', note.message),
    h('a', { href: `/rules/${state.tree.rulebook}#${note.article}` }, t('analysis.see_article')),
  ] : []));
}

/** Shows who is to move or how the game ended, and the counts of draw rules. @param {PositionView} view */
function showStatus({ outcome, turn, counts = [] }) {
  const line = byId('state');
  line.textContent = outcome ? outcome.message : t(`analysis.to_play_${turn}`);
  line.classList.toggle('over', Boolean(outcome));
  byId('counters').replaceChildren(...counts.filter(isWorthShowing)
    .map(({ message }) => h('li.tag', message)));
}

/** @param {CountView} count */
function isWorthShowing({ have, need, platform }) {
  return have > 0 && (!platform || need - have <= NEAR_LIMIT_MOVES);
}

/** Puts another tree on the board. @param {Tree} tree @param {Node} [node] */
export async function loadTree(tree, node = tree.root) {
  if (state.book?.id !== tree.rulebook) {
    state.book = await rulebook(tree.rulebook);
    board.set({ book: state.book });
    byId('rulebook', HTMLSelectElement).value = tree.rulebook;
    document.title = `${t('analysis.title')} · ${state.book.name} · damas`;
  }
  state.tree = tree;
  byId('players').textContent = tree.players;
  for (const listener of listeners) listener.treeLoaded?.(tree);
  await goTo(node);
}

/** Explains why a move is refused. @param {{route?: number[], text?: string}} attempt */
export async function explainRefusal(attempt) {
  await refusalPanel.explain({ rulebook: state.tree.rulebook, fen: state.view?.fen ?? '', ...attempt });
}

export function scrollToBoard() {
  board.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
}
