/** The matches of a league at the desk: line-ups, boards, and teams that do not come. */

import { messageOf } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { h, iconButton, keptElements, refill, toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { fetchLineup, lineupForm } from '../tournament/lineup.js';
import { seatsOfMatch } from '../tournament/seats.js';
import { askWhy, doAtDesk } from './asking.js';
import { boardRow } from './boards.js';

/** @import { BoardView, RoundView, TournamentReply } from '../tournament/messages.js' */

/** They stay in the page while results come in. */
const heads = keptElements(), boards = keptElements();
/** The parts of each match. @type {Map<number, {item: HTMLElement, list: HTMLElement}>} */
const parts = new Map();

/** @param {TournamentReply} reply @param {RoundView} round @returns {HTMLElement[]} */
export function matchItems(reply, round) {
  const { id } = reply.tournament;
  const tops = heads(round.boards.map((match) => [[id, reply.you.may, round, match.board, match.first,
    match.second, match.result, hasBegun(match)], () => matchHead(reply, round, match)]));
  const seats = round.boards.map(seatsOfMatch);
  const rows = boards(seats.flat().map((seat) => boardRow(reply, round, seat)));
  return round.boards.map((match, place) => {
    const known = parts.get(match.board) ?? { item: h('li.desk-match'), list: h('ul.desk-boards') };
    parts.set(match.board, known);
    known.item.dataset.testid = `match-${match.board}`;
    refill(known.list, rows.splice(0, seats[place].length));
    refill(known.item, tops[place], known.list);
    return known.item;
  });
}

/** @param {BoardView} match whether a board of it was played */
const hasBegun = ({ match_boards: seats }) =>
  seats.some(({ games, app_games: apps }) => /[1=0]/.test(games) || apps.length > 0);

/** @param {TournamentReply} reply @param {RoundView} round @param {BoardView} match */
function matchHead(reply, round, match) {
  const { tournament, you } = reply, { board, first, second, result } = match;
  const isOpen = you.may.includes('lineup') && round.round === tournament.played.length && !hasBegun(match);
  return h('div.row',
    h('span.desk-number', { 'aria-label': t('club.match_n', { n: board }) }, board),
    h('strong.desk-names', `${first} – ${second}`),
    round.published && h('span.desk-result', { testid: `result-${board}` }, result || '–'),
    isOpen && [first, second].map((team, place) => iconButton(`lineup-${board}-${place + 1}`,
      round.named.includes(team) ? 'check' : 'edit', t('club.lineup.of', { team }),
      () => askLineup(reply, team), 'button-quiet')),
    !round.published && [first, second].map((team) => h('span.tag', `${team}: ${t(round.named.includes(team)
      ? 'club.lineup.here' : 'club.lineup.missing')}`)),
    round.published && you.may.includes('overrule') && iconButton(`no-show-${board}`, 'close',
      t('club.no_show', { n: board }), () => askNoShow(reply, round, match)));
}

/** @param {TournamentReply} reply @param {string} team */
async function askLineup({ tournament }, team) {
  const number = tournament.players.find(({ name }) => name === team)?.number ?? 0;
  try {
    const lineup = await fetchLineup(tournament.id, number);
    const dialog = openDialog('lineup', t('club.lineup.of', { team }), lineupForm(lineup, async (names) => {
      if (await doAtDesk(tournament.id, 'lineup', { round: lineup.round, team, names })) dialog.close();
    }));
  } catch (error) {
    toast(messageOf(error), 6000);
  }
}

/** @param {TournamentReply} reply @param {RoundView} round @param {BoardView} match */
function askNoShow({ tournament }, round, { board, first, second }) {
  const select = h('select', { id: 'no-show', testid: 'no-show' },
    [['+-', t('club.did_not_come', { name: second })], ['-+', t('club.did_not_come', { name: first })],
      ['--', t('club.nobody_came')]].map(([value, words]) => h('option', { value }, words)));
  askWhy(t('club.no_show', { n: board }), (why) => doAtDesk(tournament.id, 'score',
    { round: round.round, board, result: select.value, why }),
  h('div.field', h('label', { htmlFor: 'no-show' }, t('club.result')), select));
}
