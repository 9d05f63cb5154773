/** What a captain of a team sees: the line-up of the next match, the boards of this one, their results. */

import { messageOf } from '../../lib/api.js';
import { h, keptElements, toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { fetchLineup, lineupForm } from './lineup.js';
import { opponentOf, ownBoard } from './report.js';
import { seatsOfMatch } from './seats.js';

/** @import { LineupView, PlayerView, RoundView, TournamentReply } from './messages.js' */
/** @import { Seat } from './seats.js' */

/** The line-up, and the version of the tournament for which it was asked for. @type {LineupView | null} */
let lineup = null;
let lineupOf = '';
/** What is chosen stays when it is refused. */
const forms = keptElements();
/** The board that is being reported; empty for the first without a result. */
let chosen = '';

/**
 * @param {TournamentReply} reply @param {PlayerView} team
 * @param {(action: string, fields: Record<string, unknown>) => unknown} send @param {() => void} redraw
 */
export function captainsPart(reply, team, send, redraw) {
  const round = reply.tournament.played.at(-1);
  const match = round?.boards.find(({ first, second }) => [first, second].includes(team.name));
  if (round && match && !round.published) refresh(reply, team.number, redraw);
  return {
    // The line-ups of others are none of them: what is being chosen here stays.
    facts: [round?.round, round?.published ? [match, chosen, reply.you.undecided] : lineup,
      match ? null : round?.resting],
    /** @returns {import('../../lib/dom.js').Child[]} */
    draw() {
      if (!round || !match) {
        const rests = round?.resting.some(({ name }) => name === team.name);
        return [h('p', t(rests ? 'club.mine.rest' : 'club.lineup.none'))];
      }
      if (!round.published) {
        if (lineup?.round !== round.round) return [];
        const shown = lineup;
        return forms([[[shown, team.name], () => lineupForm(shown, (names) =>
          send('lineup', { round: round.round, team: team.name, names }))]]);
      }
      return boards(reply, round, team.name, seatsOfMatch(match), send, redraw);
    },
  };
}

/** @param {TournamentReply} reply @param {number} number @param {() => void} redraw */
function refresh({ tournament: { id, version } }, number, redraw) {
  if (lineupOf === version) return;
  lineupOf = version;
  fetchLineup(id, number).then((fetched) => {
    if (lineupOf !== version) return; // a later one was asked for
    lineup = fetched;
    redraw();
  }).catch((error) => {
    if (lineupOf === version) lineupOf = ''; // asked for again when the page is drawn again
    toast(messageOf(error));
  });
}

/**
 * @param {TournamentReply} reply @param {RoundView} round @param {string} team @param {Seat[]} seats
 * @param {(action: string, fields: Record<string, unknown>) => unknown} send @param {() => void} redraw
 */
function boards(reply, round, team, seats, send, redraw) {
  const side = seats[0]?.teams[0] === team ? 'first' : 'second';
  const open = seats.filter(({ result }) => !result);
  const seat = open.find(({ place }) => place === chosen) ?? open[0];
  const [{ board, teams }] = seats;
  return [
    h('p.club-seat', { testid: 'seat' }, t('club.lineup.match', { round: round.round, match: board,
      name: opponentOf({ ...seats[0], first: teams[0], second: teams[1] }, team) })),
    h('ul.desk-boards', seats.map((each) => h('li.desk-board', { testid: `own-${each.place}` },
      h('span.desk-number', each.place),
      h('span.desk-names', `${each.first || '–'} – ${each.second || '–'}`),
      h('span.desk-result', each.result || '–')))),
    seat ? h('div.field', h('label', { htmlFor: 'which' }, t('club.mine.which')), h('select', { id: 'which',
      testid: 'which', onchange: ({ target }) => {
        if (target instanceof HTMLSelectElement) chosen = target.value;
        redraw();
      } }, open.map((each) => h('option', { value: each.place, selected: each === seat },
      `${each.place}: ${each[side]}`)))) : h('p', t('club.mine.all_in')),
    seat ? ownBoard(reply, round, seat, { name: seat[side], isCaptain: true, send, redraw }) : null,
  ];
}
