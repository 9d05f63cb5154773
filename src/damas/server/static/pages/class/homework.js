/** Homework: what is to be done until when, and who has done it. */

import { api } from '../../lib/api.js';
import { $, $$, byId, fill, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { dayWords, today } from './days.js';

/** @import { ClassReportView, HomeworkView } from '../../lib/messages.js' */

const WEEK = 7;

/**
 * @param {string} path of the class @param {(action: () => Promise<unknown>) => Promise<boolean>} attempt
 * @param {() => Promise<void>} refresh
 */
export function prepareHomework(path, attempt, refresh) {
  const form = byId('homework-form', HTMLFormElement);
  const kind = byId('homework-kind', HTMLSelectElement);
  const due = byId('homework-due', HTMLInputElement);
  due.min = today();
  due.value = today(WEEK);

  const showFields = () => {
    for (const field of $$('[data-for]', HTMLElement, form)) {
      const isMeant = field.dataset.for === kind.value;
      field.hidden = !isMeant;
      for (const input of $$('input', HTMLInputElement, field)) input.disabled = !isMeant;
    }
  };
  kind.addEventListener('change', showFields);
  showFields();

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const data = new FormData(form), what = kind.value;
    const asked = {
      lesson: { lesson: data.get('lesson') },
      puzzles: { rulebook: data.get('puzzles'), count: Number(data.get('count')) },
      game: { rulebook: data.get('game'), count: Number(data.get('level')) },
    }[what] ?? {};
    void attempt(async () => {
      await api.post(`${path}/homework`, { kind: what, due: due.value, ...asked });
      await refresh();
    });
  });

  /** @param {HomeworkView} homework */
  const takeBack = ({ id }) => attempt(async () => {
    await api.delete(`${path}/homework/${id}`);
    await refresh();
  });

  return {
    /** @param {ClassReportView} report */
    show({ pupils, homework }) {
      fill($('#homework'), homework.length ? homework.map((each) => {
        const names = pupils.filter(({ id }) => each.done.includes(id)).map(({ name }) => name);
        const begun = pupils.filter(({ id }) => each.begun[id])
          .map(({ id, name }) => `${name} (${each.begun[id]}/${each.count})`);
        const done = [
          names.length
            ? t('school.homework.done_by', { n: names.length, all: pupils.length, names: names.join(', ') })
            : t('school.homework.done_by_none'),
          begun.length && t('school.homework.begun_by', { names: begun.join(', ') }),
        ].filter(Boolean).join(' · ');
        const label = t('school.homework.take_back', { title: each.title });
        return h('li', { testid: `homework-${each.kind}` }, h('span', each.title, ' · ',
          t('school.pupil.due', { day: dayWords(each.due) }), h('br'), h('span.small.muted', done)),
        h('button.button-quiet.button-icon', { 'aria-label': label, title: label,
          onclick: () => takeBack(each) }, icon('trash')));
      }) : h('li.muted', t('school.homework.none')));
    },
  };
}
