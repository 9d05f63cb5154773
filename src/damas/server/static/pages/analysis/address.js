/** The page's address, which can be shared, and the stored tree of this tab. */

import { loadValue, storeValue } from '../../lib/storage.js';
import { state } from './state.js';
import { areTexts, Tree } from './tree.js';

/** @import { Node } from './tree.js' */

const STORAGE_KEY = 'damas.analysis.tree';

let isKept = true;

/** A page whose address says nothing of the tree, and which stores it elsewhere. */
export function leaveAddress() {
  isKept = false;
}

/** Puts rulebook, position and moves into the address. */
export function updateAddress() {
  if (!isKept) return;
  const { tree, node, gameId, local } = state;
  const query = new URLSearchParams();
  if ((gameId || local) && tree.isOnMainLine(node)) {
    if (local) query.set('local', local.id);
    else query.set('game', gameId);
    if (node.children.length) query.set('ply', String(node.ply));
  } else {
    query.set('rulebook', tree.rulebook);
    if (tree.fen) query.set('fen', tree.fen);
    const moves = tree.movesTo(node);
    if (moves.length) query.set('moves', moves.join('.'));
  }
  const language = new URLSearchParams(location.search).get('lang');
  if (language) query.set('lang', language);
  const readable = query.toString().replace(/%3A/g, ':').replace(/%2C/g, ',');
  history.replaceState(null, '', `${location.pathname}?${readable}`);
  storeTree();
}

/** Stores variations and comments, which do not fit into the address, as long as this tab lives. */
export function storeTree() {
  const { tree, node, gameId, local } = state;
  if (gameId || local || !isKept) return;
  const stored = { address: location.search, tree: tree.toGame(), moves: tree.movesTo(node) };
  storeValue(STORAGE_KEY, stored, 'sessionStorage');
}

/**
 * The tree that this tab stored under the same address; null also where what is stored is no tree, which is
 * forgotten.
 * @returns {{tree: Tree, node: Node} | null}
 */
export function loadStoredTree() {
  const stored = loadValue(STORAGE_KEY, 'sessionStorage');
  if (stored?.address !== location.search) return null;
  try {
    const tree = Tree.fromGame(stored.tree);
    if (!areTexts(stored.moves)) throw new TypeError('not a line of moves');
    return { tree, node: tree.playAll(tree.root, stored.moves).pop() ?? tree.root };
  } catch {
    forgetStoredTree();
    return null;
  }
}

/** Forgets the stored tree, as one that the server refuses. */
export function forgetStoredTree() {
  storeValue(STORAGE_KEY, null, 'sessionStorage');
}
