/** The panel with the move tree: stepping, promoting and deleting variations. */

import { byId, enableButtons, fill } from '../../lib/dom.js';
import { updateAddress } from './address.js';
import { moveTree } from './move-tree.js';
import { goTo, notifyNodeSelected, onNavigation } from './navigation.js';
import { state } from './state.js';
import { shownComment } from './tree.js';

/** @import { Node } from './tree.js' */

/** A current move nearer than this to the lower edge of the list counts as hidden. */
const ROW_HEIGHT_PX = 40;

const frame = byId('moves-frame');
const commentField = byId('comment', HTMLTextAreaElement);
const promoteButton = byId('promote', HTMLButtonElement);
const deleteButton = byId('delete', HTMLButtonElement);

/** The node whose comment is in the field; what is being written there stays. @type {Node | null} */
let shownIn = null;

/** Steps through the tree, for buttons and keys. */
export const steps = {
  first: () => goTo(state.tree.root), back: () => goTo(state.node.parent ?? state.node),
  forward: () => goTo(state.node.children[0] ?? state.node),
  last: () => goTo(state.tree.endOfLine(state.node)),
  branchPoint: () => goTo(state.tree.branchPoint(state.node)),
  variation: () => goTo(state.node.children[1] ?? state.node.children[0] ?? state.node),
  previousSibling: () => goTo(state.tree.sibling(state.node, -1)),
  nextSibling: () => goTo(state.tree.sibling(state.node, 1)),
};
const STEP_BUTTONS = /** @type {const} */ (['first', 'back', 'forward', 'last']);

/** 1 where the first move is not by the side that begins a numbered pair of moves. */
function plyOffset() {
  const pairStart = state.book?.start.turn ?? 'white';
  const fenTurn = /^\s*b/i.test(state.tree.fen) ? 'black' : 'white';
  return state.tree.fen && fenTurn !== pairStart ? 1 : 0;
}

function showMoves() {
  const { tree, node } = state;
  const list = moveTree(tree, node, plyOffset(), goTo);
  fill(frame, list);
  const current = list.querySelector('[aria-current]');
  if (current instanceof HTMLElement) scrollTo(current.offsetTop);
  const isRoot = node === tree.root, hasNext = node.children.length > 0;
  if (shownIn !== node || document.activeElement !== commentField) {
    commentField.value = node.comments.map(shownComment).filter(Boolean).join('\n');
    shownIn = node;
  }
  promoteButton.disabled = isRoot || tree.isOnMainLine(node);
  deleteButton.disabled = isRoot;
  enableButtons(STEP_BUTTONS.map((name) =>
    [byId(name, HTMLButtonElement), name === 'first' || name === 'back' ? !isRoot : hasNext]));
}

/** @param {number} top */
function scrollTo(top) {
  const isVisible = top >= frame.scrollTop && top <= frame.scrollTop + frame.clientHeight - ROW_HEIGHT_PX;
  if (!isVisible) frame.scrollTop = top - frame.clientHeight / 2;
}

onNavigation({ nodeSelected: showMoves });
for (const name of STEP_BUTTONS) byId(name).addEventListener('click', steps[name]);
promoteButton.addEventListener('click', () => {
  state.tree.promote(state.node);
  notifyNodeSelected();
  updateAddress();
});
deleteButton.addEventListener('click', () => goTo(state.tree.remove(state.node)));
