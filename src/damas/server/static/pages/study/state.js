/** The study that the page shows, and the chapter on its board. */

import { $ } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { state } from '../analysis/state.js';

/** @import { ChapterBody, StudyChapter, StudyView } from '../../lib/messages.js' */

export const study = {
  /** @type {StudyView} */
  view: JSON.parse($('#study').textContent ?? ''),
  /** The chapter as it was read; title, mode and orientation are those of now. @type {StudyChapter} */
  chapter: JSON.parse($('#chapter').textContent ?? ''),
};

/** The address of the study in the API. */
export const studyPath = () => `/api/studies/${study.view.id}`;

/** The address of a chapter in the API. */
export const chapterPath = (id = study.chapter.id) => `${studyPath()}/chapters/${id}`;

/** The place of a chapter, from 0. */
export const placeOf = (id = study.chapter.id) => study.view.chapters.findIndex((each) => each.id === id);

/** The title of a chapter, or its number. @param {{id: string, title: string}} chapter */
export const titleOf = ({ id, title }) => title || t('study.chapter_n', { n: placeOf(id) + 1 });

/** The chapter with the tree on the board, as the server reads it. @returns {ChapterBody} */
export function chapterBody() {
  const { title, mode, orientation } = study.chapter;
  return { ...state.tree.toGame(), title, mode, orientation };
}
