/** The list of moves: the main line in pairs, variations indented, comments where they belong. */

import { h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { SIGNS } from './tree.js';

/** @typedef {import('./tree.js').Node} Node */

/**
 * @param {import('./tree.js').Tree} tree
 * @param {Node} here
 * @param {number} behind 1 where the side that begins a pair did not begin this game
 * @param {(node: Node) => void} go
 * @returns {HTMLElement}
 */
export function movesList(tree, here, behind, go) {
  const list = h('div.moves-tree', { dataset: { testid: 'moves' }, role: 'group', 'aria-label': t('analysis.moves') });
  for (const comment of tree.root.comments) list.append(h('p.move-comment', null, comment));
  list.append(line(tree.root, here, behind, go, false));
  if (!tree.root.children.length) list.append(h('p.muted.small', null, t('analysis.no_moves')));
  return list;
}

/** @param {Node} from @param {Node} here @param {number} behind @param {(node: Node) => void} go @param {boolean} inside */
function line(from, here, behind, go, inside) {
  const list = h(inside ? 'ol.variation' : 'ol.main-line', null);
  let numbered = false;
  for (let at = from; at.children.length; ) {
    const [next, ...others] = at.children;
    list.append(entry(next, here, behind, go, !numbered));
    numbered = true;
    if (next.comments.length) {
      for (const comment of next.comments) list.append(h('li.comment-row', null, h('p.move-comment', null, comment)));
      numbered = false;
    }
    for (const other of others) {
      list.append(h('li.variation-row', null, variation(other, here, behind, go)));
      numbered = false;
    }
    at = next;
  }
  return list;
}

/** @param {Node} first @param {Node} here @param {number} behind @param {(node: Node) => void} go */
function variation(first, here, behind, go) {
  const rest = line(first, here, behind, go, true);
  rest.prepend(entry(first, here, behind, go, true), ...first.comments.map((comment) => h('li.comment-row', null, h('p.move-comment', null, comment))));
  return rest;
}

/** @param {Node} node @param {Node} here @param {number} behind @param {(node: Node) => void} go @param {boolean} numbered */
function entry(node, here, behind, go, numbered) {
  const ply = node.ply + behind;
  const begins = ply % 2 === 1;
  const number = Math.ceil(ply / 2);
  const sign = node.nags.map((nag) => SIGNS[nag] ?? '').join('');
  const shown = short(node.text);
  const button = h('button.move', {
    type: 'button', title: [node.text, node.note].filter(Boolean).join(' · '), onclick: () => go(node), dataset: { ply: String(node.ply), testid: `node-${node.id}` },
    'aria-current': node === here ? 'true' : null,
    'aria-label': `${number}${begins ? '.' : '…'} ${node.text}${sign}`,
  }, shown, sign && h('b.move-sign', null, sign));
  return h(begins ? 'li.first' : 'li.second', null, (begins || numbered) && h('span.move-number', { 'aria-hidden': 'true' }, `${number}${begins ? '.' : '…'}`), button);
}

/** A long capture by its ends; the whole of it is in the title. @param {string} text */
function short(text) {
  const stops = text.split('x');
  return stops.length > 2 ? `${stops[0]}x${stops[stops.length - 1]}` : text;
}
