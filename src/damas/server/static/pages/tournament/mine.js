/** What a player does by phone: check in, report the own result, play the own board in the app. */

import { messageOf } from '../../lib/api.js';
import { errorNotice, h, icon, iconButton, keptElements, segmented } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { act } from './live.js';

/** @import { BoardView, PlayerView, RoundView, TournamentReply, Undecided, Wanting } from './messages.js' */

const OPPOSITE = /** @type {Record<string, string>} */ ({ 1: '0', '=': '=', 0: '1' });

/** What was chosen and not sent yet: a sign for each game, from the player's own side. @type {string[]} */
let chosen = [];
/** The board it was chosen for. */
let chosenFor = '';
/** The board at which this player waits for the opponent to play in the app as well. */
let awaited = '';
/** What is going on with the last request. */
let state = '';
let problem = '';
const kept = keptElements();

/**
 * Stays the same element while others report: no tap is lost to them.
 * @param {TournamentReply} reply @param {() => void} redraw
 */
export function mine(reply, redraw) {
  const { you, tournament } = reply;
  const player = tournament.players.find(({ name }) => name === you.name);
  if (you.role !== 'player' || !player) return null;
  const round = tournament.played.at(-1);
  const board = round?.boards.find(({ first, second }) => [first, second].includes(you.name));
  const facts = [you, player, round?.round, round?.resting, board, chosen, state, problem];
  return kept([[facts, () => drawMine(reply, player, round, board, redraw)]]);
}

/**
 * @param {TournamentReply} reply @param {PlayerView} player @param {RoundView | undefined} round
 * @param {BoardView | undefined} board the player's own @param {() => void} redraw
 */
function drawMine(reply, player, round, board, redraw) {
  const { tournament, you } = reply;
  const rests = round?.resting.some(({ name }) => name === you.name);
  return h('section.card.club-mine', { testid: 'mine' },
    h('h2', t('club.mine.title')),
    player.out && h('p', h('span.tag', t(`club.out.${player.out}`))),
    tournament.check_in && !player.out && (player.present
      ? h('p', icon('check'), ' ', t('club.mine.present'))
      : iconButton('arrive', 'check', t('club.mine.arrive'), () => send(reply, redraw, 'arrive', {}),
        'button')),
    round && board ? ownBoard(reply, round, board, redraw)
      : !player.out && h('p', t(rests ? 'club.mine.rest' : 'club.mine.none')),
    h('p.small', { role: 'status', testid: 'mine-state' }, state),
    problem && errorNotice(problem));
}

/**
 * @param {TournamentReply} reply @param {RoundView} round @param {BoardView} board
 * @param {() => void} redraw
 */
function ownBoard(reply, round, board, redraw) {
  const { you, tournament } = reply;
  const isHere = (/** @type {Undecided} */ each) => each.round === round.round && each.board === board.board;
  const undecided = you.undecided.find(isHere);
  const isFirst = board.first === you.name;
  const opponent = isFirst ? board.second : board.first;
  const color = `${tournament.games > 1 ? 'first_' : ''}${isFirst ? 'white' : 'black'}`;
  return [
    h('p.club-seat', { testid: 'seat' }, t('club.mine.against', { round: round.round, board: board.board,
      name: opponent })),
    h('p', t(`club.mine.${color}`)),
    round.ballot && h('p.small', t('club.opening', { moves: round.ballot })),
    board.result ? h('p.club-seat', { testid: 'mine-result' }, t('club.mine.result',
      { result: board.result }))
      : h('div.stack',
        undecided && h('p.notice', { testid: 'undecided' }, undecided.result
          ? t('club.mine.tie', { result: undecided.result }) : t('club.mine.no_result')),
        playInApp(reply, round, board, opponent, redraw),
        !undecided?.result && reportForm(reply, round, board, opponent, redraw)),
  ];
}

/**
 * @param {TournamentReply} reply @param {RoundView} round @param {BoardView} board @param {string} opponent
 * @param {() => void} redraw
 */
function playInApp(reply, round, board, opponent, redraw) {
  const { you, tournament } = reply;
  const seat = `${round.round} ${board.board}`;
  if (board.app_games.length) {
    const game = board.app_games.at(-1);
    if (awaited === seat) location.assign(`/game/${board.app_games[0]}`); // the clock runs there
    awaited = '';
    const links = tournament.games === 1 ? [game] : board.app_games;
    return h('div.toolbar', links.map((id, place) => h('a.button', { href: `/game/${id}`,
      testid: `open-game-${place + 1}` },
      icon('game'), links.length > 1 ? t('club.mine.game', { n: place + 1 }) : t('club.mine.open'))));
  }
  if (!tournament.in_app) return null;
  const isHere = (/** @type {Wanting} */ each) => each.round === round.round && each.board === board.board;
  const wanting = you.wanting.find(isHere)?.names ?? [];
  if (wanting.includes(you.name)) {
    awaited = seat;
    return h('p', { testid: 'waiting' }, t('club.mine.waiting', { name: opponent }));
  }
  return [
    wanting.length > 0 && h('p.notice', { testid: 'invited' }, t('club.mine.invited', { name: opponent })),
    iconButton('play', 'game', t('club.mine.play'), () => send(reply, redraw, 'play',
      { round: round.round, board: board.board })),
  ];
}

/**
 * @param {TournamentReply} reply @param {RoundView} round @param {BoardView} board @param {string} opponent
 * @param {() => void} redraw
 */
function reportForm(reply, round, board, opponent, redraw) {
  const { you, tournament } = reply;
  const isFirst = board.first === you.name;
  const own = board.reports.find(({ name }) => name === you.name);
  const other = board.reports.find(({ name }) => name === opponent);
  const place = `${tournament.id} ${round.round} ${board.board}`;
  if (chosenFor !== place) [chosen, chosenFor, problem] = [[], place, ''];
  /** @param {string} games signs for the player named first */
  const report = (games) => send(reply, redraw, 'report', { round: round.round, board: board.board, games });
  const choices = /** @type {[string, string][]} */ (
    [['1', t('club.mine.won')], ['=', t('club.mine.drawn')], ['0', t('club.mine.lost')]]);
  const isComplete = chosen.filter(Boolean).length === tournament.games;
  return [
    own && other && h('p.notice.notice-bad', { role: 'alert', testid: 'conflict' }, t('club.mine.conflict')),
    own && !other && h('p.notice', { testid: 'sent' }, t('club.mine.sent', { result: own.result,
      name: opponent })),
    other && !own && h('div.notice', { testid: 'other-says' },
      h('p', t('club.mine.other_says', { name: opponent, result: other.result })),
      iconButton('confirm', 'check', t('club.mine.confirm', { result: other.result }),
        () => report(other.games), 'button')),
    h('fieldset.field.club-report', h('legend', t('club.mine.how')),
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

/**
 * @param {TournamentReply} reply @param {() => void} redraw @param {string} action
 * @param {Record<string, unknown>} fields
 */
async function send(reply, redraw, action, fields) {
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
}
