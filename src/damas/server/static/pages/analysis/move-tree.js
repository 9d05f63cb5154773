/** Draws the move tree: the main line in pairs, variations indented, comments in place. */

import { h } from '../../lib/dom.js';
import { shortMove, t } from '../../lib/words.js';
import { NAG_SIGNS, shownComment } from './tree.js';

/** @import { Node, Tree } from './tree.js' */

/**
 * @typedef {{current: Node, plyOffset: number, goTo: (node: Node) => void}} Drawing `plyOffset` is 1 where
 *   the first move is not by the side that begins a numbered pair
 */

/** @param {Tree} tree @param {Node} current @param {number} plyOffset @param {(node: Node) => void} goTo */
export function moveTree(tree, current, plyOffset, goTo) {
  const drawing = { current, plyOffset, goTo };
  const label = t('analysis.moves');
  return h('div.moves-tree', { testid: 'moves', role: 'group', 'aria-label': label },
    ...texts(tree.root.comments).map((comment) => h('p.move-comment', comment)),
    h('ol.main-line', ...drawLine(tree.root, drawing)),
    !tree.root.children.length && h('p.muted.small', t('analysis.no_moves')));
}

/** The rows of the line after a node, with its variations. @param {Node} from @param {Drawing} drawing */
function drawLine(from, drawing) {
  const rows = [];
  let needsNumber = true;
  for (let node = from; node.children.length; node = node.children[0]) {
    const [next, ...others] = node.children;
    const interruptions = [...drawComments(next), ...others.map((other) => drawVariation(other, drawing))];
    rows.push(drawMove(next, drawing, needsNumber), ...interruptions);
    needsNumber = interruptions.length > 0;
  }
  return rows;
}

/** @param {Node} first @param {Drawing} drawing @returns {HTMLElement} */
function drawVariation(first, drawing) {
  return h('li.variation-row', h('ol.variation',
    ...texts(first.before).map((comment) => h('li.comment-row', h('p.move-comment', comment))),
    drawMove(first, drawing, true), ...drawComments(first), ...drawLine(first, drawing)));
}

/** What people read of comments. @param {string[]} comments */
const texts = (comments) => comments.map(shownComment).filter(Boolean);

/** @param {Node} node */
function drawComments(node) {
  return texts(node.comments).map((comment) => h('li.comment-row', h('p.move-comment', comment)));
}

/** @param {Node} node @param {Drawing} drawing @param {boolean} needsNumber also before a second move */
function drawMove(node, { current, plyOffset, goTo }, needsNumber) {
  const ply = node.ply + plyOffset;
  const isFirstOfPair = ply % 2 === 1;
  const number = `${Math.ceil(ply / 2)}${isFirstOfPair ? '.' : '…'}`;
  const sign = node.nags.map((nag) => NAG_SIGNS[nag] ?? '').join('');
  const button = h('button.move', {
    title: [node.text, node.note?.message].filter(Boolean).join(' · '), onclick: () => goTo(node),
    dataset: { ply: node.ply, testid: `node-${node.id}` }, 'aria-current': node === current ? 'true' : null,
    'aria-label': `${number} ${node.text}${sign}`,
  }, shortMove(node.text), sign && h('b.move-sign', sign));
  return h(isFirstOfPair ? 'li.first' : 'li.second',
    (isFirstOfPair || needsNumber) && h('span.move-number', { 'aria-hidden': 'true' }, number), button);
}
