/** Reporting how a board ended, and playing it in the app: for a player, or a captain for one of the team. */

import { h, icon, iconButton, segmented } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { isAbout, placeOf } from './seats.js';

/** @import { RoundView, TournamentReply } from './messages.js' */
/** @import { Seat } from './seats.js' */

/**
 * @typedef {object} Speaker somebody who may report a board
 * @property {string} name the player at the board for whom it is reported
 * @property {boolean} isCaptain whether somebody else speaks for the player
 * @property {(action: string, fields: Record<string, unknown>) => unknown} send @property {() => void} redraw
 */

const OPPOSITE = /** @type {Record<string, string>} */ ({ 1: '0', '=': '=', 0: '1' });

/** What was chosen and not sent yet: a sign for each game, from the speaker's own side. @type {string[]} */
let chosen = [];
/** The board it was chosen for. */
let chosenFor = '';
/** The board at which this player waits for the opponent to play in the app as well. */
let awaited = '';

/** What is shown depends on it. */
export const reportState = () => [chosen, awaited];

/** @param {TournamentReply} reply @param {RoundView} round @param {Seat} seat @param {Speaker} speaker */
export function ownBoard(reply, round, seat, speaker) {
  const undecided = reply.you.undecided.find(isAbout(round.round, seat));
  if (seat.result) {
    return h('p.club-seat', { testid: 'mine-result' }, t('club.mine.result', { result: seat.result }));
  }
  return h('div.stack',
    undecided && h('p.notice', { testid: 'undecided' }, undecided.result
      ? t('club.mine.tie', { result: undecided.result }) : t('club.mine.no_result')),
    ...(speaker.isCaptain ? [] : playInApp(reply, round, seat, speaker)),
    ...(undecided?.result ? [] : reportForm(reply, round, seat, speaker)));
}

/** @param {Seat} seat @param {string} name */
export const opponentOf = ({ first, second }, name) => (first === name ? second : first);

/**
 * @param {TournamentReply} reply @param {RoundView} round @param {Seat} seat @param {Speaker} speaker
 * @returns {import('../../lib/dom.js').Child[]}
 */
function playInApp({ you, tournament }, round, seat, { name, send }) {
  const key = `${round.round} ${seat.place}`;
  const opponent = opponentOf(seat, name);
  if (seat.app_games.length) {
    if (awaited === key) location.assign(`/game/${seat.app_games[0]}`); // the clock runs there
    awaited = '';
    const links = tournament.games === 1 ? seat.app_games.slice(-1) : seat.app_games;
    return [h('div.toolbar', links.map((id, place) => h('a.button', { href: `/game/${id}`,
      testid: `open-game-${place + 1}` },
      icon('game'), links.length > 1 ? t('club.mine.game', { n: place + 1 }) : t('club.mine.open'))))];
  }
  if (!tournament.in_app) return [];
  const wanting = you.wanting.find(isAbout(round.round, seat))?.names ?? [];
  if (wanting.includes(name)) {
    awaited = key;
    return [h('p', { testid: 'waiting' }, t('club.mine.waiting', { name: opponent }))];
  }
  return [
    wanting.length > 0 && h('p.notice', { testid: 'invited' }, t('club.mine.invited', { name: opponent })),
    iconButton('play', 'game', t('club.mine.play'), () => send('play', placeOf(round.round, seat))),
  ];
}

/**
 * @param {TournamentReply} reply @param {RoundView} round @param {Seat} seat @param {Speaker} speaker
 * @returns {import('../../lib/dom.js').Child[]}
 */
function reportForm({ tournament }, round, seat, { name, isCaptain, send, redraw }) {
  const opponent = opponentOf(seat, name), isFirst = seat.first === name;
  const own = seat.reports.find((each) => each.name === name);
  const other = seat.reports.find((each) => each.name === opponent);
  const key = `${tournament.id} ${round.round} ${seat.place}`;
  if (chosenFor !== key) [chosen, chosenFor] = [[], key];
  /** @param {string} games signs for the player named first */
  const report = (games) => send('report', { ...placeOf(round.round, seat), games });
  const choices = /** @type {[string, string][]} */ ([
    ['1', t(isCaptain ? 'club.mine.team_won' : 'club.mine.won')], ['=', t('club.mine.drawn')],
    ['0', t(isCaptain ? 'club.mine.team_lost' : 'club.mine.lost')]]);
  const isComplete = chosen.filter(Boolean).length === tournament.games;
  return [
    own && other && h('p.notice.notice-bad', { role: 'alert', testid: 'conflict' }, t('club.mine.conflict')),
    own && !other && h('p.notice', { testid: 'sent' }, t('club.mine.sent', { result: own.result,
      name: opponent })),
    other && !own && h('div.notice', { testid: 'other-says' },
      h('p', t('club.mine.other_says', { name: opponent, result: other.result })),
      iconButton('confirm', 'check', t('club.mine.confirm', { result: other.result }),
        () => report(other.games), 'button')),
    h('fieldset.field.club-report', h('legend', isCaptain ? t('club.mine.report_as', { name })
      : t('club.mine.how')),
      Array.from({ length: tournament.games }, (_, game) => h('div',
        tournament.games > 1 && h('p.label', t('club.mine.game', { n: game + 1 })),
        segmented(`report-${game + 1}`, t('club.mine.game', { n: game + 1 }), choices, chosen[game] ?? '',
          (sign) => {
          chosen[game] = sign;
          redraw();
        })))),
    h('button.button.button-wide', {
      testid: 'send', disabled: !isComplete,
      onclick: () => report(chosen.map((sign) => (isFirst ? sign : OPPOSITE[sign])).join('')),
    }, t('club.mine.send')),
  ];
}
