/** Draws the slides of a screen in the hall. */

import { pieceIcon } from '../../board/pieces.js';
import { h } from '../../lib/dom.js';
import { dateWords, number, t } from '../../lib/words.js';
import { isLeague, seatsOf } from '../tournament/seats.js';
import { roundOf } from './slides.js';

/** @import { TableRowView, TournamentView } from '../tournament/messages.js' */
/** @import { AppBoardView } from './messages.js' */
/** @import { Line, Seated, Slide } from './slides.js' */

/** Smaller than this part of their size names are cut off instead. */
const MIN_FIT = 0.65;

/** @param {Slide} slide @param {TournamentView} tournament @returns {string} */
export function heading({ kind, part, parts }, tournament) {
  if (kind === 'waiting') return t('tv.waiting');
  const name = t(`tv.kind.${kind}`), round = roundOf(tournament);
  const place = parts > 1 ? ` ${part}/${parts}` : '';
  const after = round && !round.complete ? tournament.round - 1 : tournament.round;
  if (kind === 'table' && after > 0) return `${t('tv.table_after', { n: after })}${place}`;
  return `${name}${place}`;
}

/** @param {Slide} slide @param {TournamentView} tournament @returns {HTMLElement} */
export function draw(slide, tournament) {
  switch (slide.kind) {
    case 'pairings': return table(boards(tournament, ['board', 'white', 'black']),
      slide.rows.map((line) => lineCells(line, false)), 'pairs');
    case 'results': return table(boards(tournament, ['board', 'white', 'result', 'black']),
      slide.rows.map((line) => lineCells(line, true)), 'results');
    case 'names': return names(slide.rows);
    case 'table': return standings(slide.rows, tournament, isLeague(tournament) ? 'team' : 'player');
    case 'players': return standings(slide.rows, tournament, 'player');
    case 'claims': return table(['board', 'players', 'count'], slide.rows.map((row) =>
      [boardCell(row.board), nameCell(`${row.first} – ${row.second}`), countsCell(row)]), 'claims');
    case 'timer': return timer(tournament);
    default: return waiting(tournament);
  }
}

/** @param {string[]} columns @param {HTMLElement[][]} rows @param {string} kind */
function table(columns, rows, kind) {
  return h(`table.tv-table.tv-${kind}`,
    h('thead', h('tr', columns.map((column) => h('th', { scope: 'col' }, t(`tv.column.${column}`))))),
    h('tbody', rows.map((cells) => h('tr', cells))));
}

/**
 * In a league the team named first is on the left, whatever its colour.
 * @param {TournamentView} tournament @param {string[]} columns
 */
const boards = (tournament, columns) => (isLeague(tournament)
  ? columns.map((column) => ({ white: 'team', black: 'team' })[column] ?? column) : columns);

/** A board, or a match in larger letters. @param {Line} line @param {boolean} withResult */
function lineCells(line, withResult) {
  const { place, first, second, result, games } = 'seat' in line ? line.seat
    : { ...line.match, place: String(line.match.board), games: '' };
  const vacant = 'seat' in line && line.seat.teams.length ? '–' : '';
  const shown = result || ('match' in line || games ? '–' : '');
  const cells = [boardCell(place), nameCell(first || vacant),
    ...(withResult ? [resultCell({ board: place, result: shown })] : []),
    nameCell(second || vacant)];
  if ('match' in line) for (const cell of cells) cell.classList.add('tv-match');
  return cells;
}

/** @param {string} board */
const boardCell = (board) => h('td.tv-board.numbers', board);

/** @param {string} name */
const nameCell = (name) => h('td.tv-name', h('span.fit', name));

/** @param {{board: string, result: string}} row */
function resultCell({ board, result }) {
  return h(`td.tv-result.numbers${result ? '' : '.open'}`, { testid: `tv-result-${board}` },
    result || t('tv.playing'));
}

/** @param {AppBoardView} row */
function countsCell({ board, counts }) {
  return h('td', counts.map(({ name, have, need }) =>
    h('span.tv-count.fit', { testid: `count-${board}` }, `${have}/${need} ${name}`)));
}

/** @param {Seated[]} rows */
function names(rows) {
  return h('ol.tv-names', rows.map(({ name, board, side, rest }) => h('li.tv-seat',
    h('span.tv-name', h('span.fit', name)),
    side && h('span.tv-side', pieceIcon(side === 'white' ? 'w' : 'b'),
      h('span.visually-hidden', t(`board.side.${side}`))),
    h(`span.tv-board.numbers${board === null ? '.rest' : ''}`, board ?? t(`tv.rest.${rest}`)))));
}

/** @param {TableRowView[]} rows @param {TournamentView} tournament @param {'player' | 'team'} who */
function standings(rows, { tie_breaks }, who) {
  const shown = tie_breaks.filter(({ key }) => rows.length && key in rows[0].tie_breaks).slice(0, 4);
  return h('table.tv-table.tv-standings',
    h('thead', h('tr', ['rank', who, 'points'].map((column) =>
      h('th', { scope: 'col' }, t(`tv.column.${column}`))),
    shown.map(({ short, title }) => h('th', { scope: 'col', title }, short)))),
    h('tbody', rows.map((row) => h('tr',
      h('td.tv-board.numbers', row.rank), h('td.tv-name', h('span.fit', row.name)),
      h('td.tv-points.numbers', number(row.points)),
      shown.map(({ key }) => h('td.numbers', key in row.tie_breaks ? number(row.tie_breaks[key]) : ''))))));
}

/** @param {TournamentView} tournament */
function timer(tournament) {
  const round = roundOf(tournament), seats = round ? seatsOf(tournament, round) : [];
  const done = seats.filter(({ result }) => result).length;
  return h('div.tv-timer', h('p.tv-clock.numbers', { testid: 'tv-clock', role: 'timer', 'aria-live': 'off' }),
    h('p.tv-clock-words', { testid: 'tv-clock-words' }),
    h('p.tv-done', t('tv.done', { done, boards: seats.length })),
    round?.ballot && h('p.tv-ballot', t('tv.opening', { moves: round.ballot })));
}

/** @param {TournamentView} tournament */
function waiting(tournament) {
  const { players, control, system, place, date, arbiter } = tournament;
  const facts = [system, control, place, dateWords(date), arbiter].filter(Boolean).join(' · ');
  return h('div.tv-timer', h('p.tv-clock.numbers', players.length), h('p.tv-clock-words',
    t(isLeague(tournament) ? 'tv.teams' : 'tv.players', { n: players.length })), h('p.tv-done', facts));
}

/** Makes names smaller that are too long for their place. @param {HTMLElement} root */
export function fitNames(root) {
  for (const element of root.querySelectorAll('.fit')) {
    if (!(element instanceof HTMLElement)) continue;
    element.style.fontSize = '';
    const ratio = element.clientWidth / element.scrollWidth;
    if (ratio < 1) element.style.fontSize = `${Math.max(MIN_FIT, ratio * 0.99)}em`;
  }
}
