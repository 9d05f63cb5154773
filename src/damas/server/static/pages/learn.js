/** The list of lessons: the visitor's progress in each, and a link to continue. */

import { $, $$, byId } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { getProgress, syncProgress } from './learning/progress.js';

const cards = $$('[data-lesson]');

function show() {
  /** @type {HTMLElement | null} */
  let next = null;
  let hasStarted = false;
  for (const card of cards) {
    const steps = Number(card.dataset.steps);
    const done = getProgress(`lesson.${card.dataset.lesson}`,
      { done: /** @type {number[]} */ ([]) }).done.length;
    const isComplete = done >= steps;
    card.classList.toggle('is-done', isComplete);
    const percent = Math.round((100 * Math.min(done, steps)) / steps);
    $('.progress > span', HTMLElement, card).style.width = `${percent}%`;
    const words = isComplete ? t('learn.complete') : t('learn.done_of', { done, n: steps });
    if (done) $('.lesson-progress', HTMLElement, card).textContent = words;
    hasStarted ||= done > 0;
    if (!isComplete) next ??= card;
  }
  const link = byId('go-on', HTMLAnchorElement);
  link.hidden = !next;
  if (!next) return;
  link.href = `/learn/${next.dataset.lesson}`;
  link.textContent = t(hasStarted ? 'learn.go_on' : 'learn.start',
    { title: $('h3', HTMLElement, next).textContent });
}

show();
await syncProgress();
show();
document.body.dataset.ready = 'learn';
