/** The lessons of a course: the visitor's progress in each, and a link to continue. */

import { $, $$, byId } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { readersCourse, rememberCourse } from './learning/course.js';
import { getProgress, syncProgress } from './learning/progress.js';

const cards = $$('[data-lesson]');
const { course = '' } = $('[data-course]', HTMLElement).dataset;

/** Leads to the visitor's own course where the address names none. */
function openReadersCourse() {
  if (location.pathname !== '/learn') return rememberCourse(course);
  const mine = readersCourse($$('[data-course-link]').map(({ dataset: { courseLink = '', preset = '' } }) =>
    ({ id: courseLink, preset })));
  if (mine && mine !== course) location.replace(`/learn/${mine}`);
}

function show() {
  if (!cards.length) return;
  /** @type {HTMLElement | null} */
  let next = null;
  let hasStarted = false;
  for (const card of cards) {
    const steps = Number(card.dataset.steps);
    const done = getProgress(`lesson.${card.dataset.lesson}`,
      { done: /** @type {number[]} */ ([]) }).done.filter((step) => step < steps).length;
    const isComplete = done >= steps;
    card.classList.toggle('is-done', isComplete);
    const percent = Math.round((100 * done) / steps);
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

openReadersCourse();
show();
await syncProgress();
show();
document.body.dataset.ready = 'learn';
