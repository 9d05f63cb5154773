/** Annotations of the selected move: comment, signs, and what is drawn on the board. */

import { $$, byId, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { storeTree } from './address.js';
import { clearDrawings, drawingsOf, toggleDrawing } from './marks.js';
import { board, notifyNodeSelected, onNavigation } from './navigation.js';
import { state } from './state.js';
import { NAG_SIGNS } from './tree.js';

/** @import { Brush } from '../../board/overlay.js' */

const BRUSHES = /** @type {Brush[]} */ (['green', 'red', 'blue', 'yellow']);
/** The signs in the order in which players read them: good moves first. */
const SIGN_ORDER = [3, 1, 5, 6, 2, 4];
/** The tree is drawn again so long after the last letter of a comment. */
const REDRAW_MS = 300;

const commentField = byId('comment', HTMLTextAreaElement);
let redrawTimer = 0;

/** Whether drawings are shown; not while moves are guessed. */
let isShown = true;

/** @param {boolean} shown */
export function showDrawings(shown) {
  isShown = shown;
  drawHere();
}

const glyphs = h('div.glyphs', { role: 'group', 'aria-label': t('analysis.glyphs'), testid: 'glyphs' },
  SIGN_ORDER.map((nag, index) => h('button.button-quiet.glyph', {
    testid: `glyph-${nag}`, title: t(`analysis.glyph_${nag}`), 'aria-label': t(`analysis.glyph_${nag}`),
    'aria-keyshortcuts': String(index + 1), 'aria-pressed': 'false', onclick: () => toggleGlyph(nag),
  }, NAG_SIGNS[nag])));
const brushes = h('div.brushes', { role: 'group', 'aria-label': t('analysis.draw'), testid: 'brushes' },
  h('span.brush-icon', icon('edit'), t('analysis.draw')),
  BRUSHES.map((brush) => h('button.button-quiet.brush', {
    testid: `brush-${brush}`, title: t(`analysis.brush_${brush}`),
    'aria-label': t(`analysis.brush_${brush}`), 'aria-pressed': 'false', onclick: () => chooseBrush(brush),
  }, h(`span.brush-spot.brush-${brush}`))),
  h('button.button-quiet', {
    testid: 'draw-clear', title: t('analysis.draw_clear'), 'aria-label': t('analysis.draw_clear'),
    onclick: () => {
      clearDrawings(state.node, state.book);
      changed();
    },
  }, icon('trash')));
const help = h('p.small.muted', { hidden: true, role: 'status', testid: 'draw-help' },
  t('analysis.draw_help'));
byId('annotations').append(glyphs, brushes, help);

/** @param {number} nag */
export function toggleGlyph(nag) {
  const { node } = state;
  if (!node.parent) return;
  const others = node.nags.filter((other) => !(other in NAG_SIGNS));
  node.nags = node.nags.includes(nag) ? others : [nag, ...others];
  changed();
}

/** The sign of a digit key. @param {number} digit */
export const glyphOfKey = (digit) => SIGN_ORDER[digit - 1];

/** Draws in a colour from now on; the same again: moves pieces again. @param {Brush | ''} brush */
export function chooseBrush(brush) {
  board.set({ brush: board.state.brush === brush ? '' : brush, drawnFrom: -1 });
  showTools();
}

/** The tree was changed at the selected node. */
function changed() {
  drawHere();
  notifyNodeSelected();
  storeTree();
}

function drawHere() {
  if (state.book) board.set({ drawings: isShown ? drawingsOf(state.shownNode, state.book) : [] });
}

function showTools() {
  const { node } = state;
  for (const button of $$('button', HTMLButtonElement, glyphs)) {
    button.disabled = !node.parent;
    const nag = Number(button.dataset.testid?.split('-')[1]);
    button.setAttribute('aria-pressed', String(node.nags.includes(nag)));
  }
  for (const brush of BRUSHES) {
    byId(`brush-${brush}`).setAttribute('aria-pressed', String(board.state.brush === brush));
  }
  help.hidden = !board.state.brush;
}

board.set({ mayDraw: true });
board.addEventListener('damas-draw', ({ detail }) => {
  toggleDrawing(state.shownNode, state.book, detail);
  changed();
});
commentField.addEventListener('input', () => {
  const comment = commentField.value.trim();
  const commands = state.node.comments.flatMap((text) => text.match(/\[%[^\]]*\]/g) ?? []).join(' ');
  state.node.comments = comment || commands ? [[commands, comment].filter(Boolean).join(' ')] : [];
  window.clearTimeout(redrawTimer);
  redrawTimer = window.setTimeout(() => {
    notifyNodeSelected();
    storeTree();
  }, REDRAW_MS);
});
onNavigation({ nodeSelected: showTools, positionShown: drawHere, treeLoaded: () => chooseBrush('') });
