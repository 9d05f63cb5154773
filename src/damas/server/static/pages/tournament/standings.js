/** The table of a tournament; a name opens the sums behind its place. */

import { api, messageOf } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { h, toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { pointsText } from './pairings.js';

/** @import { ExplanationView, TableRowView, TournamentView } from './messages.js' */

/** The chosen category; empty for everybody. */
let category = '';
/**
 * Rows of the chosen category, by its key and the version of the tournament.
 * @type {[string, TableRowView[]]}
 */
let fetched = ['', []];

/** @param {TournamentView} tournament @param {string} own @param {() => void} redraw */
export function standings(tournament, own, redraw) {
  const { table, tie_breaks: tieBreaks, categories } = tournament;
  const rows = rowsOf(tournament, redraw);
  const columns = tieBreaks.map(({ short, title }) => h('th.numbers', { scope: 'col', title }, short));
  return [
    categories.length > 0 && h('div.field.club-category', h('label', { htmlFor: 'category' },
      t('club.category')),
      h('select', { id: 'category', testid: 'category', onchange: ({ target }) => {
        if (target instanceof HTMLSelectElement) category = target.value;
        redraw();
      } }, [{ key: '', title: t('club.everybody') }, ...categories].map(({ key, title }) =>
        h('option', { value: key, selected: key === category }, title)))),
    h('div.club-scroll', { tabIndex: 0, role: 'region', 'aria-label': t('club.table') },
      h('table.club-table', { testid: 'standings' },
        h('thead', h('tr', h('th.numbers', { scope: 'col' }, t('club.rank')), h('th', { scope: 'col' },
          t('club.player')),
          h('th.numbers', { scope: 'col' }, t('club.points')), columns)),
        h('tbody', rows.map((row) => h('tr', { class: row.name === own ? 'club-own' : '' },
          h('td.numbers', row.rank),
          h('th', { scope: 'row' }, h('button.club-name', {
            testid: `explain-${row.number}`, onclick: () => explain(tournament.id, row),
          }, row.name), row.out && h('span.tag', t(`club.out.${row.out}`))),
          h('td.numbers', h('strong', pointsText(row.points))),
          tieBreaks.map(({ key }) => h('td.numbers', pointsText(row.tie_breaks[key])))))))),
    table.round > 0 && h('p.small.muted', tieBreaks.filter(({ short, title }) => short !== title)
      .map(({ short, title }) => `${short}: ${title}`).join('; ')),
  ];
}

/** @param {TournamentView} tournament @param {() => void} redraw @returns {TableRowView[]} */
function rowsOf({ id, version, table, categories }, redraw) {
  if (!category || !categories.some(({ key }) => key === category)) return table.rows;
  const wanted = `${category} ${version}`;
  if (fetched[0] === wanted) return fetched[1];
  api.get(`/api/club/${id}/tables/${encodeURIComponent(category)}`).then(({ rows }) => {
    fetched = [wanted, rows];
    redraw();
  }).catch((error) => toast(messageOf(error)));
  return fetched[1];
}

/** @param {string} id @param {TableRowView} row */
async function explain(id, { number, name }) {
  try {
    /** @type {ExplanationView} */
    const { rounds, tie_breaks: tieBreaks } = await api.get(`/api/club/${id}/players/${number}`);
    openDialog('explain', t('club.explain', { name }),
      h('ul.club-sums', rounds.map((line) => h('li', line))),
      h('ul.club-sums', { testid: 'sums' }, tieBreaks.map(({ message }) => h('li', message))));
  } catch (error) {
    toast(messageOf(error));
  }
}
