/** The move list in two columns, with refused attempts, and stepping through earlier positions. */

import { api } from '../../lib/api.js';
import { $, $$, enableButtons, fill, h, icon, iconButton } from '../../lib/dom.js';
import { shortMove, t } from '../../lib/words.js';
import { refusalPanel, showEarlier } from './board.js';
import { state } from './state.js';

/** @import { PlayedMoveView, PositionView } from '../../lib/messages.js' */
/** @import { Explanation } from '../../lib/refusal.js' */

/**
 * @typedef {{ply: number, text: string, explanation: Explanation}} RefusedMove `ply`: how many plies had been
 *   played
 * @typedef {'first' | 'previous' | 'next' | 'last'} ReplayStep
 */

const list = $('#moves');
const replayButtons = $$('[data-replay]', HTMLButtonElement);
/** @type {RefusedMove[]} */
let refusals = [];
/** Earlier positions by their moves. @type {Map<string, PositionView | null>} */
const views = new Map();

for (const button of replayButtons) {
  button.addEventListener('click', () => stepReplay(/** @type {ReplayStep} */ (button.dataset.replay)));
}

export function showMoves() {
  const count = state.view.moves.length;
  refusals = refusals.filter(({ ply }) => ply <= count);
  if (state.shownPly !== null && state.shownPly >= count) state.shownPly = null;
  draw();
}

/** @param {RefusedMove} refused */
export function addRefused(refused) {
  if (refusals.some(({ ply, text }) => ply === refused.ply && text === refused.text)) return;
  refusals.push(refused);
  draw();
}

function draw() {
  const count = state.view.moves.length;
  const current = state.shownPly ?? count;
  const rows = pairs().flatMap(({ first, moves, isCorrected }) => [
    isCorrected && correction(),
    h('li.moves-row', h('span.moves-number', { 'aria-hidden': 'true' }, `${moves[0].number}.`),
      moves[0].by !== state.book?.starter && h('span.moves-gap', { 'aria-hidden': 'true' }, '…'),
      moves.map((move, i) => moveButton(move, first + i + 1, current))),
    ...refusedRows(({ ply }) => ply >= first && ply < first + moves.length),
  ]);
  if (state.view.corrected) rows.push(correction());
  rows.push(...refusedRows(({ ply }) => ply === count));
  fill(list, rows);
  list.hidden = !list.children.length;
  $('#no-moves').hidden = count > 0;
  const currentButton = list.querySelector('[aria-current]');
  if (currentButton) scrollToItem(currentButton);
  enableButtons(replayButtons.map((button) => {
    const isBack = button.dataset.replay === 'first' || button.dataset.replay === 'previous';
    return [button, isBack ? current > 0 : state.shownPly !== null];
  }));
}

/**
 * The moves with one number, as on the score sheet: the place of the first, and whether the arbiter set the
 * position before it, after which the count of sides may start anew.
 */
function pairs() {
  /** @type {{first: number, moves: PlayedMoveView[], isCorrected: boolean}[]} */
  const rows = [];
  state.view.moves.forEach((move, i, moves) => {
    const row = rows.at(-1), isCorrected = Boolean(move.start) && !moves[i - 1]?.unfinished;
    if (row && !isCorrected && row.moves[0].number === move.number) row.moves.push(move);
    else rows.push({ first: i, moves: [move], isCorrected });
  });
  return rows;
}

/** The mark of a position that the arbiter has set. */
function correction() {
  return h('li.moves-corrected', { testid: 'corrected' }, icon('edit'), h('span', t('play.corrected')));
}

/** @param {PlayedMoveView} move @param {number} ply @param {number} current */
function moveButton(move, ply, current) {
  return h('button.move', {
    title: move.text, 'aria-label': `${t(`board.side.${move.by}`)}: ${move.text}`,
    'aria-current': ply === current ? 'step' : null, dataset: { testid: `move-${ply}`, move: move.text },
    onclick: () => goTo(ply),
  }, shortMove(move.text));
}

/** @param {(refused: RefusedMove) => boolean} isShown */
function refusedRows(isShown) {
  return refusals.filter(isShown).map(({ text, explanation }) => h('li.moves-refused',
    iconButton('refused-move', 'info', t('play.refused_move', { move: text }),
      () => refusalPanel.show(explanation, state.view.rulebook), 'move-refused')));
}

/** @param {ReplayStep} step */
export function stepReplay(step) {
  if (!state.book) return;
  const count = state.view.moves.length, current = state.shownPly ?? count;
  return goTo({ first: 0, previous: current - 1, next: current + 1, last: count }[step]);
}

/** Shows the position after a number of plies. @param {number} ply */
async function goTo(ply) {
  const target = Math.max(0, Math.min(ply, state.view.moves.length));
  state.shownPly = target === state.view.moves.length ? null : target;
  draw();
  if (state.shownPly === null) return showEarlier(null);
  const view = await viewAt(target);
  if (state.shownPly === target && view) showEarlier({ ...view, ply: target });
}

/** @param {number} ply @returns {Promise<PositionView | null>} */
async function viewAt(ply) {
  const played = state.view.moves.slice(0, ply);
  // The arbiter may have set a position in between.
  const first = Math.max(0, played.findLastIndex(({ start }) => start));
  const moves = played.slice(first).map(({ text }) => text);
  const startFen = played[first]?.start ?? state.startFen;
  const key = [startFen, ...moves].join(' ');
  const cached = views.get(key);
  if (cached !== undefined) return cached;
  const fen = startFen ? { fen: startFen } : {};
  /** @type {PositionView | null} */
  const view = await api.post('/api/position', { rulebook: state.view.rulebook, moves, ...fen })
    .catch(() => null);
  views.set(key, view);
  return view;
}

/** Scrolls the list to one of its items, without scrolling the page. @param {Element} item */
function scrollToItem(item) {
  const box = list.getBoundingClientRect(), inner = item.getBoundingClientRect();
  if (inner.bottom > box.bottom) list.scrollTop += inner.bottom - box.bottom;
  if (inner.top < box.top) list.scrollTop -= box.top - inner.top;
  if (inner.right > box.right) list.scrollLeft += inner.right - box.right + 16;
  if (inner.left < box.left) list.scrollLeft -= box.left - inner.left;
}
