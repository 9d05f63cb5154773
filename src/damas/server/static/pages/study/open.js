/** Opening a chapter: its tree on the board, its address, and what this browser still has of it. */

import { api, ApiError, messageOf } from '../../lib/api.js';
import { toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { board, loadTree } from '../analysis/navigation.js';
import { state } from '../analysis/state.js';
import { Tree } from '../analysis/tree.js';
import { engine } from '../analysis/engine.js';
import {
  begin, draftOf, flush, forgetDraft, noteChange, rememberState, saving, setLoading,
} from './saving.js';
import { chapterPath, study, studyPath, titleOf } from './state.js';

/** @import { ChapterBody, StudyChapter } from '../../lib/messages.js' */

/** Called when another chapter is on the board, or its title or place has changed. @type {(() => void)[]} */
const listeners = [];

/** @param {() => void} listener */
export const onChapter = (listener) => listeners.push(listener);

export function notifyChapter() {
  document.title = `${titleOf(study.chapter)} · ${study.view.title || t('study.untitled')} · damas`;
  for (const listener of listeners) listener();
}

/** Puts a chapter on the board. @param {ChapterBody} body @param {string[]} moves to the shown node */
async function show(body, moves) {
  const tree = Tree.fromGame(body);
  const { title = '', mode = 'read', orientation = 'white' } = body;
  Object.assign(study.chapter, { title, mode, orientation });
  const side = orientation === 'black' ? 'black' : 'white';
  board.set({ orientation: side });
  engine.bar.classList.toggle('flipped', side === 'black');
  setLoading(true);
  try {
    await loadTree(tree, tree.nodeAt(moves));
  } finally {
    setLoading(false);
  }
}

/**
 * Shows a chapter that was read; where this browser has changes of it that are not saved, with these.
 * @param {StudyChapter} chapter @param {{moves?: string[], isOther?: boolean}} [options]
 */
export async function showChapter(chapter, { moves = [], isOther = true } = {}) {
  const draft = study.view.mine ? draftOf(chapter.id) : null;
  study.chapter = { ...chapter };
  const { title, mode, orientation, game } = chapter;
  await show({ ...game, fen: game.standard ? '' : game.fen, title, mode, orientation }, moves);
  begin(isOther);
  if (draft) {
    study.chapter.version = draft.version;
    await show(draft.body, moves).catch(() => forgetDraft());
    noteChange();
    if (!saving.isDirty) { // it was stored, though the answer was lost
      study.chapter.version = chapter.version;
      forgetDraft();
    }
  }
  notifyChapter();
}

/**
 * Reads a chapter and shows it.
 * @param {string} id @param {boolean} [isStep] whether one can go back to the one before
 */
export async function openChapter(id, isStep = true) {
  await flush();
  try {
    await showChapter(await api.get(chapterPath(id)));
  } catch (error) {
    return void toast(messageOf(error));
  }
  const query = new URLSearchParams(location.search);
  const address = `/study/${study.view.id}/${id}${query.size ? `?${query}` : ''}`;
  if (isStep && location.pathname !== `/study/${study.view.id}/${id}`) history.pushState({ id }, '', address);
}

/** Reads the study again: its title and the list of its chapters. */
export async function reloadStudy() {
  study.view = await api.get(studyPath());
  notifyChapter();
}

/** Takes what others have changed meanwhile, unless something here is not saved. */
export async function follow() {
  try {
    await reloadStudy();
    const entry = study.view.chapters.find(({ id }) => id === study.chapter.id);
    if (!entry || saving.isDirty || entry.version <= study.chapter.version) return;
    if (document.body.classList.contains('guessing')) return; // nobody starts anew because the author goes on
    await showChapter(await api.get(chapterPath()), { moves: state.tree.movesTo(state.node) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // the page stays as it is
  }
}

/** Shows the version of the server; what is on the board can be had again by undoing. */
export async function takeSaved() {
  /** @type {StudyChapter} */
  const theirs = await api.get(chapterPath());
  forgetDraft();
  rememberState();
  await showChapter(theirs, { moves: state.tree.movesTo(state.node), isOther: false });
}

saving.onRestore = (body) => {
  void show(body, state.tree.movesTo(state.node)).then(notifyChapter);
};
window.addEventListener('popstate', () => {
  const id = location.pathname.split('/')[3] ?? study.view.chapters[0].id;
  if (id !== study.chapter.id) void openChapter(id, false);
});
