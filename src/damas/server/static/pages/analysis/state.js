/** What the analysis page shows. */

import { t } from '../../lib/words.js';
import { Tree } from './tree.js';

/** @import { PositionView, RulebookView } from '../../lib/messages.js' */
/** @import { Node } from './tree.js' */

const emptyTree = new Tree('');

export const state = {
  /** Set when the first tree is loaded. */
  book: /** @type {RulebookView} */ (/** @type {unknown} */ (null)),
  tree: emptyTree,
  /** The selected node; its position may not have arrived yet. @type {Node} */
  node: emptyTree.root,
  /** The node whose position is on the board. @type {Node} */
  shownNode: emptyTree.root,
  /** The position on the board; null until the first arrives. @type {PositionView | null} */
  view: null,
  /** Id of a game of this server that is being analysed, or empty. */
  gameId: '',
  /** A game of this browser that is being analysed, or null. @type {{id: string, isOver: boolean} | null} */
  local: null,
};

/** Leaves the game that was analysed, for a position or a game of another source. */
export function forgetGame() {
  state.gameId = '';
  state.local = null;
}

/** Throws where the game on the board goes on in this browser: nobody gets help then. */
export function checkLocalFairPlay() {
  if (state.local && !state.local.isOver) throw new Error(t('errors.FAIR_PLAY'));
}

/** A position as the server's analysis reads it. */
export function positionRequest(node = state.node) {
  const { tree, gameId } = state;
  return { rulebook: tree.rulebook, fen: tree.fen, moves: tree.movesTo(node), game: gameId };
}

/** @typedef {ReturnType<typeof positionRequest>} PositionRequest */
