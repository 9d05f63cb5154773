/** What a player or a captain does by phone: check in, line up, report results, play in the app. */

import { messageOf } from '../../lib/api.js';
import { errorNotice, h, icon, iconButton, keptElements } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { captainsPart } from './captain.js';
import { act } from './live.js';
import { opponentOf, ownBoard, reportState } from './report.js';
import { isLeague, seatsOf } from './seats.js';

/** @import { PlayerView, RoundView, TournamentReply } from './messages.js' */
/** @import { Seat } from './seats.js' */

/** What is going on with the last request. */
let state = '';
let problem = '';
/** The board that the problem is about; another board has none. */
let problemAt = '';
const kept = keptElements();

/**
 * Stays the same element while others report: no tap is lost to them.
 * @param {TournamentReply} reply @param {() => void} redraw
 */
export function mine(reply, redraw) {
  const { you, tournament } = reply;
  /** The player, or in a league the team. */
  const competitor = tournament.players.find(({ name, squad }) => name === you.name
    || squad.some((each) => each.name === you.name));
  if (!['player', 'captain'].includes(you.role) || !competitor) return null;
  const round = tournament.played.at(-1);
  const seats = round ? seatsOf(tournament, round) : [];
  const seat = seats.find(({ first, second }) => [first, second].includes(you.name));
  const here = `${round?.round} ${seat?.place}`;
  if (problemAt !== here) [problem, problemAt] = ['', here];
  if (you.role === 'captain') {
    const part = captainsPart(reply, competitor, sender(reply, redraw), redraw);
    return kept([[[you.name, competitor, reportState(), part.facts, state, problem],
      () => card(reply, competitor, t('club.mine.team'), part.draw(), redraw)]])[0];
  }
  const facts = [you, competitor, round?.round, round?.published, round?.resting, seat, reportState(), state,
    problem];
  return kept([[facts, () => card(reply, competitor, t('club.mine.title'),
    playersPart(reply, competitor, round, seat, redraw), redraw)]])[0];
}

/**
 * @param {TournamentReply} reply @param {PlayerView} competitor @param {string} title
 * @param {import('../../lib/dom.js').Child[]} part @param {() => void} redraw
 */
function card(reply, { out, present }, title, part, redraw) {
  return h('section.card.club-mine', { testid: 'mine' },
    h('h2', title),
    out && h('p', h('span.tag', t(`club.out.${out}`))),
    reply.tournament.check_in && !out && (present
      ? h('p', icon('check'), ' ', t('club.mine.present'))
      : iconButton('arrive', 'check', t('club.mine.arrive'), () => sender(reply, redraw)('arrive', {}),
        'button')),
    ...part,
    h('p.small', { role: 'status', testid: 'mine-state' }, state),
    problem && errorNotice(problem));
}

/**
 * @param {TournamentReply} reply @param {PlayerView} competitor @param {RoundView | undefined} round
 * @param {Seat | undefined} seat the player's own @param {() => void} redraw
 */
function playersPart(reply, competitor, round, seat, redraw) {
  const { tournament, you } = reply;
  if (!round || !seat) {
    const rests = round?.resting.some(({ name }) => name === you.name);
    const isReserve = isLeague(tournament) && round?.published;
    return [!competitor.out && h('p', t(rests || isReserve ? 'club.mine.rest' : 'club.mine.none'))];
  }
  const isWhite = (seat.first === you.name) === seat.firstIsWhite;
  const color = `${tournament.games > 1 ? 'first_' : ''}${isWhite ? 'white' : 'black'}`;
  const opponent = opponentOf(seat, you.name);
  const team = seat.teams[seat.first === you.name ? 1 : 0];
  const speaker = { name: you.name, isCaptain: false, send: sender(reply, redraw), redraw };
  return [
    h('p.club-seat', { testid: 'seat' }, t('club.mine.against', { round: round.round, board: seat.place,
      name: team ? `${opponent || t('club.vacant')} (${team})` : opponent })),
    opponent && h('p', t(`club.mine.${color}`)),
    round.ballot && h('p.small', t('club.opening', { moves: round.ballot })),
    ownBoard(reply, round, seat, speaker),
  ];
}

/**
 * Sends an action, and shows what becomes of it.
 * @param {TournamentReply} reply @param {() => void} redraw
 * @returns {(action: string, fields: Record<string, unknown>) => Promise<void>}
 */
const sender = (reply, redraw) => async (action, fields) => {
  [state, problem] = [t('club.saving'), ''];
  redraw();
  try {
    const { game } = await act(reply.tournament.id, action, fields, () => {
      state = t('club.unsaved');
      redraw();
    });
    if (game) location.assign(`/game/${game}`);
  } catch (error) {
    problem = messageOf(error);
  }
  state = '';
  redraw();
};
