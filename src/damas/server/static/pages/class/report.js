/** The table of what each pupil has done. */

import { $, fill, h } from '../../lib/dom.js';

/** @import { ClassReportView } from '../../lib/messages.js' */

/** @param {ClassReportView} report */
export function showReport({ pupils }) {
  fill($('#report'), pupils.map((pupil) => h('tr', { testid: `report-${pupil.number}` },
    h('td', pupil.number), h('th', { scope: 'row' }, pupil.name),
    h('td', pupil.irregularities.map(({ article, count }) => `${article || '–'}: ${count}`).join('; ')),
    ...[pupil.refused, pupil.lessons, pupil.puzzles, pupil.homework].map((fact) => h('td', fact)))));
}
