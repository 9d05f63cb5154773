/** What the endgame tables say about the position on the board and each of its moves. */

import { api } from '../../lib/api.js';
import { byId, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { onNavigation, play } from './navigation.js';
import { state } from './state.js';

/** @import { PositionView, TablebaseView } from '../../lib/messages.js' */
/** @import { PositionRequest } from './state.js' */

const MAX_PIECES = 7;
/** Class of the tag by what a move comes to. @type {Record<string, string | null>} */
const TAGS = { win: 'tag-good', loss: 'tag-bad', draw: null };

const panel = byId('tablebase');
/** Number of the last request: answers to older ones are dropped. */
let lastRequest = 0;

/** @param {PositionRequest} position @param {PositionView} view */
async function probe({ rulebook, fen, moves }, view) {
  const request = ++lastRequest;
  const pieceCount = Object.keys(view.pieces).length;
  const isPlaying = state.local && !state.local.isOver;
  /** @type {TablebaseView | null} */
  const result = pieceCount > MAX_PIECES || isPlaying ? null
    : await api.post('/api/tablebase', { rulebook, fen, moves }).catch(() => null);
  if (request !== lastRequest) return;
  panel.hidden = !result;
  if (result) show(result, pieceCount);
}

/** @param {TablebaseView} result @param {number} pieceCount */
function show(result, pieceCount) {
  const testid = 'tablebase-sentence';
  panel.dataset.verdict = result.there ? result.verdict : 'unknown';
  if (!result.there) {
    const isLarge = result.code === 'NO_TABLE' || !result.message;
    const why = isLarge ? t('analysis.no_table', { n: pieceCount }) : result.message;
    return panel.replaceChildren(h('p.small.muted', { testid }, why));
  }
  const moves = result.moves.map(({ text, value, name }) => h('li',
    h('button.move', { onclick: () => play(text) }, text), h('span.tag', { class: TAGS[value] }, name)));
  panel.replaceChildren(h('h2.card-title', icon('trophy'), t('analysis.tables')),
    h('p', { testid }, result.message), h('ul.verdicts', { 'aria-label': t('analysis.moves') }, moves));
}

onNavigation({ positionSettled: probe });
