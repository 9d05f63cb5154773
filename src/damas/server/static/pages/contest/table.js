/** The standings and the cross-table. */

import { byId, h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** Halves as players write them. @param {number} value */
export function points(value) {
  const whole = Math.floor(value), half = value - whole >= 0.5;
  return `${whole || !half ? whole : ''}${half ? '½' : ''}`;
}

/** @param {any} row */
function elo(row) {
  if (row.games === row.walkovers) return '';  // points without a game rate nobody
  const value = Math.round(row.elo);
  return [`${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value)}`, h('small.muted', null, ` ±${Math.round(row.error)}`)];
}

/** @param {any} table */
export function showTable(table) {
  byId('table-card').hidden = !table;
  if (!table) return;
  const faults = table.rows.some((/** @type {any} */ row) => row.forfeits);
  byId('table').replaceChildren(h('table.contest-rows', null,
    h('thead', null, h('tr', null,
      h('th.number', { scope: 'col' }, h('span', { 'aria-hidden': 'true' }, '#'), h('span.visually-hidden', null, t('arena.col.place'))),
      h('th', { scope: 'col' }, t('arena.col.name')),
      h('th.number', { scope: 'col' }, t('arena.col.points')),
      h('th.number.col-games', { scope: 'col' }, t('arena.col.games')),
      h('th.number', { scope: 'col', title: t('arena.col.record_long') }, t('arena.col.record')),
      h('th.number', { scope: 'col' }, 'Elo'),
      faults && h('th.number', { scope: 'col', title: t('arena.faults_long') }, t('arena.col.faults')))),
    h('tbody', null, table.rows.map((/** @type {any} */ row) => h('tr', { class: row.disqualified === null ? '' : 'is-out', dataset: { testid: 'row', name: row.name } },
      h('td.number', null, row.place),
      h('th', { scope: 'row' }, row.name, row.disqualified !== null && h('small.contest-reason', null, t('arena.out', { reason: row.disqualified }))),
      h('td.number', null, h('b', null, points(row.points))),
      h('td.number.col-games', null, row.games),
      h('td.number', null, `${row.wins} ${row.draws} ${row.losses}`),
      h('td.number', null, elo(row)),
      faults && h('td.number', null, row.forfeits || ''))))));
  showCross(table);
  byId('contained').textContent = table.tiers.length ? t('arena.contained', { tiers: table.tiers.join(', '), seed: table.seed }) : '';
}

/** @param {any} table */
function showCross(table) {
  byId('cross-card').hidden = !table.cross || table.rows.length < 3;
  if (!table.cross) return;
  byId('cross').replaceChildren(h('table.contest-cross', null,
    h('thead', null, h('tr', null,
      h('th', { scope: 'col' }, t('arena.col.name')),
      table.rows.map((/** @type {any} */ row) => h('th.number', { scope: 'col', title: row.name }, h('span.visually-hidden', null, row.name), h('span', { 'aria-hidden': 'true' }, row.place))))),
    h('tbody', null, table.rows.map((/** @type {any} */ row, /** @type {number} */ index) => h('tr', null,
      h('th', { scope: 'row' }, h('span.muted.numbers', { 'aria-hidden': 'true' }, `${row.place} `), row.name),
      table.cross[index].map((/** @type {any} */ cell, /** @type {number} */ other) => (index === other
        ? h('td.number.is-self', null, h('span', { 'aria-hidden': 'true' }, '■'))
        : h('td.number', null, cell ? [points(cell.points), h('small.muted', null, `/${cell.games}`)] : '·'))))))));
}
