/** The boards of a round as players look for themselves: by board or by name. */

import { h, segmented } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { BoardView, RoundView, TournamentView } from './messages.js' */

/** @typedef {'board' | 'name'} Order */

/** The board whose QR code led here; 0: none. */
export const scanned = Number(/^#board=(\d+)$/.exec(location.hash)?.[1] ?? 0);

/** Points as people write them. @param {number} value */
export function pointsText(value) {
  const whole = Math.floor(value);
  return value - whole === 0.5 ? `${whole || ''}½` : String(Number(value.toFixed(2)));
}

/** What stands in the column of results. @param {BoardView} board */
function resultCell({ result, reports, app_games: appGames }) {
  if (result) return result;
  if (reports.length === 2) return h('span.tag.tag-bad', t('club.conflict'));
  if (reports.length === 1) return h('span.tag', t('club.pending'));
  if (appGames.length) return h('a', { href: `/game/${appGames[0]}` }, t('club.watch'));
  return '–';
}

/**
 * A round as a table; `own` is marked.
 * @param {TournamentView} tournament @param {RoundView} round @param {Order} order
 * @param {string} own @param {(order: Order) => void} onOrder
 */
export function roundTable(tournament, round, order, own, onOrder) {
  const { boards, resting, ballot } = round;
  const sides = tournament.games === 1 ? ['white', 'black'] : ['first', 'second'];
  const orders = /** @type {[Order, string][]} */ ([['board', t('club.by_board')], ['name',
    t('club.by_name')]]);
  return [
    ballot && h('p.small', t('club.opening', { moves: ballot })),
    segmented('order', t('club.order'), orders, order, onOrder),
    order === 'board' ? byBoard(boards, sides, own) : byName(boards, own),
    resting.length > 0 && h('ul.club-resting', resting.map(({ name, kind, points }) =>
      h('li', `${name}: ${t(`club.resting.${kind}`)}`, kind !== 'absent' && ` (${pointsText(points)})`))),
  ];
}

/** @param {BoardView[]} boards @param {string[]} sides @param {string} own */
function byBoard(boards, sides, own) {
  return h('table.club-table.club-boards', { testid: 'boards' },
    h('thead', h('tr', [t('club.board'), t(`club.${sides[0]}`), t('club.result'), t(`club.${sides[1]}`)]
      .map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', boards.map((board) => h('tr', {
      class: [board.first, board.second].includes(own) || board.board === scanned ? 'club-own' : '',
        testid: `board-${board.board}`,
    }, h('th.numbers', { scope: 'row' }, board.board), h('td', board.first),
    h('td.club-result', { testid: `result-${board.board}` }, resultCell(board)), h('td', board.second)))));
}

/** @param {BoardView[]} boards @param {string} own */
function byName(boards, own) {
  const seats = boards.flatMap((board) => [
    { name: board.first, opponent: board.second, board: board.board },
    { name: board.second, opponent: board.first, board: board.board },
  ]).toSorted((a, b) => a.name.localeCompare(b.name));
  return h('table.club-table', { testid: 'names' },
    h('thead', h('tr', [t('club.player'), t('club.board'), t('club.opponent')]
      .map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', seats.map(({ name, opponent, board }) => h('tr', { class: name === own ? 'club-own' : '' },
      h('th', { scope: 'row' }, name), h('td.numbers', board), h('td', opponent)))));
}
