/** What a pupil sees while the teacher holds the boards. */

import { h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @param {string} notice the teacher's words; without any the game is only waiting for its start */
export function heldContent(notice) {
  if (!notice) return [h('span', t('school.held.start'))];
  return [h('strong', t('school.held.title')), h('span', notice)];
}
