/** The list of lessons: how far the visitor is in each, and where to go on. */

import { $, $$, byId } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { join, progress } from './learning/progress.js';

/** @type {HTMLElement[]} */
const cards = $$('[data-lesson]');

function show() {
  let next = null, begun = false;
  for (const card of cards) {
    const steps = Number(card.dataset.steps);
    const done = progress(`lesson.${card.dataset.lesson}`, { done: [] }).done.length;
    const complete = done >= steps;
    card.classList.toggle('is-done', complete);
    $('.progress > span', HTMLElement, card).style.width = `${Math.round((100 * Math.min(done, steps)) / steps)}%`;
    if (done) $('.lesson-progress', HTMLElement, card).textContent = complete ? t('learn.complete') : t('learn.done_of', { done, n: steps });
    begun ||= done > 0;
    if (!complete && !next) next = card;
  }
  const link = byId('go-on');
  link.hidden = !next;
  if (!next) return;
  link.href = `/learn/${next.dataset.lesson}`;
  link.textContent = t(begun ? 'learn.go_on' : 'learn.start', { title: $('h3', HTMLElement, next).textContent });
}

show();
join().then(() => {
  show();
  document.body.dataset.ready = 'learn';
});
