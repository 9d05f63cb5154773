/** The boards of a round as players look for themselves: by board or by name. */

import { pieceIcon } from '../../board/pieces.js';
import { h, segmented } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { isLeague, seatsOf, seatsOfMatch } from './seats.js';

/** @import { BoardView, RoundView, TournamentView } from './messages.js' */
/** @import { Seat } from './seats.js' */

/** @typedef {'board' | 'name'} Order */

/** The board whose QR code led here, such as `3` or `1.2`; empty: none. */
export const scanned = /^#board=(\d+(?:\.\d+)?)$/.exec(location.hash)?.[1] ?? '';

/** Points as people write them. @param {number} value */
export function pointsText(value) {
  const whole = Math.floor(value);
  return value - whole === 0.5 ? `${whole || ''}½` : String(Number(value.toFixed(2)));
}

/** What stands in the column of results. @param {Seat} seat */
function resultCell({ result, reports, app_games: appGames }) {
  if (result) return result;
  if (reports.length === 2) return h('span.tag.tag-bad', t('club.conflict'));
  if (reports.length === 1) return h('span.tag', t('club.pending'));
  if (appGames.length) return h('a', { href: `/game/${appGames[0]}` }, t('club.watch'));
  return '–';
}

/**
 * A round as a table; `own` is marked. Without an order there is no choice of one.
 * @param {TournamentView} tournament @param {RoundView} round @param {Order | null} order
 * @param {string} own @param {(order: Order) => void} [onOrder]
 */
export function roundTable(tournament, round, order, own, onOrder = () => {}) {
  const { resting, ballot } = round;
  const orders = /** @type {[Order, string][]} */ ([['board', t('club.by_board')], ['name',
    t('club.by_name')]]);
  return [
    ballot && h('p.small', t('club.opening', { moves: ballot })),
    round.published ? order && segmented('order', t('club.order'), orders, order, onOrder)
      : h('p.notice', t('club.announced')),
    order === 'name' && round.published ? byName(tournament, round, own)
      : round.boards.length > 0 && byBoard(tournament, round, own),
    resting.length > 0 && h('ul.club-resting', resting.map(({ name, kind, points }) =>
      h('li', `${name}: ${t(`club.resting.${kind}`)}`, kind !== 'absent' && ` (${pointsText(points)})`))),
  ];
}

/** @param {TournamentView} tournament @param {RoundView} round @param {string} own */
function byBoard(tournament, round, own) {
  const league = isLeague(tournament);
  const sides = tournament.games === 1 && !league ? ['white', 'black'] : ['first', 'second'];
  return h('table.club-table.club-boards', { testid: 'boards' },
    h('thead', h('tr', [t('club.board'), t(`club.${sides[0]}`), t('club.result'), t(`club.${sides[1]}`)]
      .map((title) => h('th', { scope: 'col' }, title)))),
    league ? round.boards.map((match) => matchRows(tournament, match, own))
      : h('tbody', seatsOf(tournament, round).map((seat) => seatRow(tournament, seat, own))));
}

/** @param {TournamentView} tournament @param {Seat} seat @param {string} own */
function seatRow(tournament, seat, own) {
  const { place, first, second, firstIsWhite, teams } = seat;
  const isOwn = (own && [first, second].includes(own)) || place === scanned;
  /** @param {string} name @param {boolean} isWhite */
  const player = (name, isWhite) => [name || '–', name && teams.length > 0 && isWhite && whiteMark()];
  return h('tr', { class: isOwn ? 'club-own' : '', testid: `board-${place}` },
    h('th.numbers', { scope: 'row' }, place), h('td', ...player(first, firstIsWhite)),
    h('td.club-result', { testid: `result-${place}` }, resultCell(seat)),
    h('td', ...player(second, !firstIsWhite)));
}

const whiteMark = () => h('span.club-white', pieceIcon('w'), h('span.visually-hidden', t('club.white')));

/**
 * A match with its boards.
 * @param {TournamentView} tournament @param {BoardView} match @param {string} own
 */
function matchRows(tournament, match, own) {
  const { board, first, second, result } = match;
  const isOwn = (own && [first, second].includes(own)) || String(board) === scanned;
  return h('tbody', { testid: `match-${board}` },
    h('tr.club-match', { class: isOwn ? 'club-own' : '' }, h('th.numbers', { scope: 'row' }, board),
      h('th', teamLink(tournament, first)),
      h('td.club-result', { testid: `result-${board}` }, h('strong', result || '–')),
      h('th', teamLink(tournament, second))),
    seatsOfMatch(match).map((seat) => seatRow(tournament, seat, own)));
}

/** @param {TournamentView} tournament @param {string} name of a team */
export function teamLink({ id, players }, name) {
  const team = players.find((each) => each.name === name);
  return h('a', { href: `/club/${id}/teams/${team?.number}` }, name);
}

/** @param {TournamentView} tournament @param {RoundView} round @param {string} own */
function byName(tournament, round, own) {
  const seats = seatsOf(tournament, round).flatMap(({ first, second, place }) => [
    { name: first, opponent: second, place }, { name: second, opponent: first, place },
  ]).filter(({ name }) => name).toSorted((a, b) => a.name.localeCompare(b.name));
  return h('table.club-table', { testid: 'names' },
    h('thead', h('tr', [t('club.player'), t('club.board'), t('club.opponent')]
      .map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', seats.map(({ name, opponent, place }) => h('tr', { class: name === own ? 'club-own' : '' },
      h('th', { scope: 'row' }, name), h('td.numbers', place), h('td', opponent || '–')))));
}
