/** The table of a tournament; a name opens the sums behind its place. */

import { api, messageOf } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { h, toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { pointsText, teamLink } from './pairings.js';
import { isLeague } from './seats.js';

/** @import { ExplanationView, TableRowView, TableView, TournamentView } from './messages.js' */

/** The chosen category; empty for everybody. */
let category = '';
/** The table of the chosen category, and what it was asked for. @type {TableView | null} */
let fetched = null;
let fetchedFor = '', fetchedCategory = '';

/** @param {TournamentView} tournament @param {string} own @param {() => void} redraw */
export function standings(tournament, own, redraw) {
  const { tie_breaks: names, categories } = tournament;
  const table = tableOf(tournament, redraw), league = isLeague(tournament);
  const tieBreaks = names.filter(({ key }) => table.tie_breaks.includes(key));
  const columns = tieBreaks.map(({ short, title }) => h('th.numbers', { scope: 'col', title }, short));
  const isOfTeams = league && !category;
  return [
    categories.length > 0 && h('div.field.club-category', h('label', { htmlFor: 'category' },
      t(league ? 'club.everything' : 'club.category')),
      h('select', { id: 'category', testid: 'category', onchange: ({ target }) => {
        if (target instanceof HTMLSelectElement) category = target.value;
        redraw();
      } }, [{ key: '', title: t(league ? 'club.teams' : 'club.everybody') }, ...categories]
        .map(({ key, title }) => h('option', { value: key, selected: key === category }, title)))),
    h('div.club-scroll', { tabIndex: 0, role: 'region', 'aria-label': t('club.table') },
      h('table.club-table', { testid: 'standings' },
        h('thead', h('tr', h('th.numbers', { scope: 'col' }, t('club.rank')), h('th', { scope: 'col' },
          t(isOfTeams ? 'club.team' : 'club.player')),
          h('th.numbers', { scope: 'col' }, t('club.points')), columns)),
        h('tbody', table.rows.map((row) => h('tr', { class: row.name === own ? 'club-own' : '' },
          h('td.numbers', row.rank),
          h('th', { scope: 'row' }, h('button.club-name', {
            testid: `explain-${row.number}`, onclick: () => explain(tournament, row),
          }, row.name), league && !isOfTeams && h('span.small.muted', row.club),
          row.out && h('span.tag', t(`club.out.${row.out}`))),
          h('td.numbers', h('strong', pointsText(row.points))),
          tieBreaks.map(({ key }) => h('td.numbers', pointsText(row.tie_breaks[key])))))))),
    table.round > 0 && h('p.small.muted', tieBreaks.filter(({ short, title }) => short !== title)
      .map(({ short, title }) => `${short}: ${title}`).join('; ')),
  ];
}

/** The chosen table. @param {TournamentView} tournament @param {() => void} redraw @returns {TableView} */
function tableOf({ id, version, table, categories }, redraw) {
  if (!category || !categories.some(({ key }) => key === category)) return table;
  const wanted = `${category} ${version}`;
  if (fetchedFor !== wanted) {
    if (fetchedCategory !== category) fetched = { ...table, rows: [] };
    [fetchedFor, fetchedCategory] = [wanted, category];
    api.get(`/api/club/${id}/tables/${encodeURIComponent(category)}`).then((latest) => {
      if (fetchedFor !== wanted) return;
      fetched = latest;
      redraw();
    }).catch((error) => toast(messageOf(error)));
  }
  return fetched ?? table;
}

/** @param {TournamentView} tournament @param {TableRowView} row */
async function explain(tournament, { number, name }) {
  const query = category ? `?table=${encodeURIComponent(category)}` : '';
  try {
    /** @type {ExplanationView} */
    const { rounds, tie_breaks: tieBreaks } = await api.get(
      `/api/club/${tournament.id}/players/${number}${query}`);
    openDialog('explain', t('club.explain', { name }),
      h('ul.club-sums', rounds.map((line) => h('li', line))),
      h('ul.club-sums', { testid: 'sums' }, tieBreaks.map(({ message }) => h('li', message))),
      isLeague(tournament) && !category && h('p', teamLink(tournament, name)));
  } catch (error) {
    toast(messageOf(error));
  }
}
