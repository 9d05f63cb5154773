/** What a pupil sees while the teacher holds the boards. */

import { h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @param {string} notice the teacher's words, if there are any */
export function heldContent(notice) {
  return [h('strong', t('school.held.title')), h('span', notice || t('school.held.usual'))];
}
