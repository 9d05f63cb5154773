/** The menus in which the desk chooses a result: of the encounter, or game by game where there are many. */

import { h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { TournamentView } from '../tournament/messages.js' */
/** @import { Seat } from '../tournament/seats.js' */

/**
 * @typedef {object} ResultEntry
 * @property {HTMLElement} element
 * @property {() => string} value as the server reads it; empty while incomplete
 * @property {() => boolean} check says what is missing, and whether nothing is
 */

/** What is chosen for a board stays when the page is drawn again. @type {Map<string, string>} */
const selected = new Map();
const GAME = [['1', '1'], ['=', '½'], ['0', '0']];

/**
 * @param {TournamentView} tournament @param {number} round @param {Seat} seat
 * @param {string} [played] signs of app games @returns {ResultEntry}
 */
export function resultEntry({ results, games }, round, seat, played = '') {
  const key = `${round} ${seat.place} ${seat.first} ${seat.second}`;
  const initial = selected.get(key) ?? (played.includes('*') ? '' : played);
  /** @param {string} value */
  const keep = (value) => selected.set(key, value);
  return results.length ? oneMenu(results, seat, initial, keep) : menuForEachGame(games, seat, initial, keep);
}

/** Nobody, or one of the two, came. @param {Seat} seat @returns {[string, string][]} */
const forfeits = ({ first, second, teams }) => (teams.length
  ? [['+-', t('club.did_not_come', { name: second })], ['-+', t('club.did_not_come', { name: first })],
    ['--', t('club.forfeit.both')]]
  : [['+-', t('club.forfeit.second')], ['-+', t('club.forfeit.first')], ['--', t('club.forfeit.both')]]);

/**
 * @param {TournamentView['results']} results @param {Seat} seat @param {string} initial
 * @param {(value: string) => unknown} keep @returns {ResultEntry}
 */
function oneMenu(results, seat, initial, keep) {
  const select = h('select', { id: `result-of-${seat.place}`, testid: `choose-${seat.place}`,
    'aria-label': t('club.enter_result', { n: seat.place }), required: true,
    onchange: () => keep(select.value) },
  h('option', { value: '' }, t('club.result')),
  results.map(({ key, title }) => h('option', { value: key }, title)),
  forfeits(seat).map(([value, words]) => h('option', { value }, words)));
  select.value = initial;
  return { element: select, value: () => select.value, check: () => select.reportValidity() };
}

/**
 * @param {number} games @param {Seat} seat @param {string} initial
 * @param {(value: string) => unknown} keep @returns {ResultEntry}
 */
function menuForEachGame(games, seat, initial, keep) {
  const unplayed = h('select', { testid: `forfeit-${seat.place}`, onchange: () => change(),
    'aria-label': t('club.unplayed', { n: seat.place }) },
  h('option', { value: '' }, t('club.who_came')),
  forfeits(seat).map(([value, words]) => h('option', { value, selected: value === initial }, words)));
  const menus = Array.from({ length: games }, (_, game) => h('select', {
    testid: `choose-${seat.place}-${game + 1}`, required: true, 'aria-label': `${t('club.enter_result', {
      n: seat.place })}, ${t('club.mine.game', { n: game + 1 })}`, onchange: () => change() },
  h('option', { value: '' }, t('club.mine.game', { n: game + 1 })),
  GAME.map(([sign, words]) => h('option', { value: sign,
    selected: initial.length === games && initial[game] === sign }, words))));
  const value = () => unplayed.value || menus.map((menu) => menu.value || ' ').join('');
  function change() {
    for (const menu of menus) menu.disabled = unplayed.value !== '';
    keep(value());
  }
  change();
  const label = t('club.enter_result', { n: seat.place });
  return { element: h('span.desk-games', { role: 'group', 'aria-label': label }, menus, unplayed), value,
    check: () => menus.every((menu) => menu.disabled || menu.reportValidity()) };
}
