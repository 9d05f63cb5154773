/** Setting up a position: the editor, the FEN field, the choice of the rulebook, and imported texts. */

import { messageOf } from '../../lib/api.js';
import { byId, showText, toast } from '../../lib/dom.js';
import { isSameBoard, rulebook } from '../../lib/rulebooks.js';
import { checkSetup, Editor, fenOf } from './editor.js';
import { engine } from './engine.js';
import { board, fenField, loadTree, notifySettled } from './navigation.js';
import { openImport } from './pdn-dialogs.js';
import { forgetGame, state } from './state.js';
import { Tree } from './tree.js';

/** @import { Pieces, Side } from '../../lib/messages.js' */

const editButton = byId('edit', HTMLButtonElement);
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const fenProblem = byId('fen-problem');

export const editor = new Editor(byId('editor'), {
  onChange: showEdited, onDone: finishEditing, onCancel: cancelEditing,
  onStartPosition: () => editor.set(state.book.start.pieces, state.book.start.turn),
});

export function openEditor() {
  if (!state.view) return;
  engine.stop();
  engine.element.hidden = true;
  byId('tablebase').hidden = true;
  board.set({ editable: true, movable: 'none' });
  editor.show(state.view.pieces, state.view.turn);
  editButton.setAttribute('aria-pressed', 'true');
}

function closeEditor() {
  editor.hide();
  engine.element.hidden = false;
  board.set({ editable: false, movable: 'both' });
  board.scrollIntoView({ block: 'nearest' });
  editButton.setAttribute('aria-pressed', 'false');
}

/** @param {Pieces} pieces @param {Side} turn */
async function showEdited(pieces, turn) {
  const fen = fenOf(state.book, pieces, turn);
  board.position = { ...board.position, fen, turn, pieces, legal: [], last: null, must_capture: false };
  fenField.value = fen;
  const check = await checkSetup(state.book.id, fen);
  if (fenField.value === fen) showText(editor.problem, check.fits ? '' : check.message ?? '');
}

/** Starts from the edited position; an unchanged position keeps the game. */
async function finishEditing() {
  const { view, book } = state;
  if (view && fenField.value === fenOf(book, view.pieces, view.turn)) return cancelEditing();
  if (await setUp(fenField.value)) closeEditor();
}

function cancelEditing() {
  closeEditor();
  if (!state.view) return;
  board.position = state.view;
  fenField.value = state.view.fen;
  notifySettled();
  editButton.focus({ preventScroll: true });
}

/** Starts a new tree, if the position is legal; empty for the start position. @param {string} fen */
async function setUp(fen, book = state.book.id) {
  const check = fen ? await checkSetup(book, fen) : { fits: true, standard: true };
  showText(editor.isOpen ? editor.problem : fenProblem, check.fits ? '' : check.message ?? '');
  if (!check.fits) return false;
  forgetGame();
  await loadTree(new Tree(book, check.standard ? '' : check.fen));
  return true;
}

/** Shows the start position, and why not another. @param {string} book @param {string} problem */
export async function startAnew(book, problem) {
  await loadTree(new Tree(book));
  showText(fenProblem, problem);
}

/** Opens the import dialog; a given text is read at once. @param {string} [text] */
export function importText(text) {
  openImport({
    rulebook: state.book.id,
    text,
    openGame: (game) => {
      forgetGame();
      const tree = Tree.fromGame(game);
      void loadTree(tree, tree.endOfLine(tree.root));
    },
    openFen: async (fen) => {
      if (!await setUp(fen)) throw new Error(fenProblem.textContent ?? '');
    },
  });
}

/** Changes the rulebook; the position stays where the boards are alike. */
async function changeRulebook() {
  const { book, tree, node } = state;
  const next = await rulebook(rulebookSelect.value).catch((error) => toast(messageOf(error)));
  if (!next) {
    rulebookSelect.value = book.id;
    return;
  }
  const isStart = !tree.fen && node === tree.root;
  const { pieces, turn } = board.position;
  const staysHere = isSameBoard(book.board, next.board) && !isStart;
  await setUp(staysHere ? fenOf(next, pieces, turn) : '', next.id);
  if (editor.isOpen) openEditor();
}

editButton.addEventListener('click', () => (editor.isOpen ? finishEditing() : openEditor()));
rulebookSelect.addEventListener('change', changeRulebook);
byId('import').addEventListener('click', () => importText());
byId('fen-form', HTMLFormElement).addEventListener('submit', async (event) => {
  event.preventDefault();
  if (await setUp(fenField.value) && editor.isOpen) openEditor();
});
board.addEventListener('damas-edit', ({ detail }) => editor.put(detail.square));
