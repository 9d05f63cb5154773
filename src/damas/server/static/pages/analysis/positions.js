/** Positions of the tree's nodes, requested in batches so that stepping through a game needs few requests. */

import { api } from '../../lib/api.js';
import { state } from './state.js';

/** @import { PositionView } from '../../lib/messages.js' */
/** @import { Node } from './tree.js' */

const BATCH_SIZE = 24;

/** @type {WeakMap<Node, Promise<PositionView>>} */
const views = new WeakMap();

/** A node's position; rejects after the game's end. @param {Node} node @returns {Promise<PositionView>} */
export function viewOf(node) {
  const cached = views.get(node);
  if (cached) return cached;
  const { tree } = state;
  const batch = [node];
  let next = node.children[0];
  while (next && batch.length < BATCH_SIZE && !views.has(next)) {
    batch.push(next);
    next = next.children[0];
  }
  const last = batch[batch.length - 1];
  /** @type {Promise<{views: PositionView[], error?: {message: string}}>} */
  const response = api.post('/api/analysis/line', {
    rulebook: tree.rulebook, fen: tree.fen, moves: tree.movesTo(last), since: node.ply,
  });
  const requested = batch.map((each, i) => {
    const view = response.then((line) => {
      if (line.views[i]) return line.views[i];
      throw new Error(line.error?.message ?? '');
    });
    view.catch(() => views.delete(each));
    views.set(each, view);
    return view;
  });
  return requested[0];
}
