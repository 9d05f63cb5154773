/** The standings and the cross-table. */

import { byId, h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { Child } from '../../lib/dom.js' */
/** @import { StandingsRow, StandingsView } from './messages.js' */

/** Points with halves as players write them: 0, ½, 1½. @param {number} value */
export function formatPoints(value) {
  const whole = Math.floor(value), hasHalf = value - whole >= 0.5;
  if (!hasHalf) return String(whole);
  return whole ? `${whole}½` : '½';
}

/** @param {StandingsRow} row @returns {Child[]} */
function eloCell({ games, walkovers, elo, error }) {
  if (games === walkovers) return []; // points without a game give no rating
  const value = Math.round(elo);
  const sign = { '-1': '−', 0: '', 1: '+' }[String(Math.sign(value))] ?? '';
  return [`${sign}${Math.abs(value)}`, h('small.muted', ` ±${Math.round(error)}`)];
}

/** @param {string} classes @param {Child} label @param {string} [title] */
const column = (classes, label, title) => h(`th${classes}`, { scope: 'col', title: title ?? null }, label);

/** @param {StandingsView | null} table */
export function showStandings(table) {
  byId('table-card').hidden = !table;
  if (!table) return;
  const { rows, tiers, seed } = table;
  const hasForfeits = rows.some((row) => row.forfeits);
  const head = h('tr',
    h('th.number', { scope: 'col' }, h('span', { 'aria-hidden': 'true' }, '#'),
      h('span.visually-hidden', t('arena.col.place'))),
    column('', t('arena.col.name')),
    column('.number', t('arena.col.points')),
    column('.number.col-games', t('arena.col.games')),
    column('.number', t('arena.col.record'), t('arena.col.record_long')),
    column('.number', 'Elo'),
    hasForfeits && column('.number', t('arena.col.faults'), t('arena.faults_long')));
  const body = rows.map((row) => {
    const { name, disqualified: reason } = row;
    return h('tr', { class: reason === null ? '' : 'is-out', dataset: { testid: 'row', name } },
      h('td.number', row.place),
      h('th', { scope: 'row' }, name, reason !== null
        && h('small.contest-reason', t('arena.out', { reason }))),
      h('td.number', h('b', formatPoints(row.points))),
      h('td.number.col-games', row.games),
      h('td.number', `${row.wins} ${row.draws} ${row.losses}`),
      h('td.number', eloCell(row)),
      hasForfeits && h('td.number', row.forfeits || ''));
  });
  byId('table').replaceChildren(h('table.contest-rows', h('thead', head), h('tbody', body)));
  showCrossTable(table);
  byId('contained').textContent = tiers.length ? t('arena.contained', { tiers: tiers.join(', '), seed }) : '';
}

/** @param {StandingsView} table */
function showCrossTable({ rows, cross }) {
  byId('cross-card').hidden = !cross || rows.length < 3;
  if (!cross) return;
  const head = rows.map(({ name, place }) => h('th.number', { scope: 'col', title: name },
    h('span.visually-hidden', name), h('span', { 'aria-hidden': 'true' }, place)));
  const body = rows.map(({ name, place }, index) => h('tr',
    h('th', { scope: 'row' }, h('span.muted.numbers', { 'aria-hidden': 'true' }, `${place} `), name),
    cross[index].map((cell, other) => {
      if (index === other) return h('td.number.is-self', h('span', { 'aria-hidden': 'true' }, '■'));
      return h('td.number', cell ? [formatPoints(cell.points), h('small.muted', `/${cell.games}`)] : '·');
    })));
  byId('cross').replaceChildren(h('table.contest-cross',
    h('thead', h('tr', column('', t('arena.col.name')), head)), h('tbody', body)));
}
