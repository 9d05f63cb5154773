/** A board at the desk: who sits there, what its players say, and its result. */

import { h, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { isAbout, placeOf } from '../tournament/seats.js';
import { askWhy, doAtDesk } from './asking.js';
import { resultEntry } from './result-entry.js';

/** @import { RoundView, TournamentReply } from '../tournament/messages.js' */
/** @import { Seat } from '../tournament/seats.js' */

/**
 * The row of a board, with all that it depends on.
 * @param {TournamentReply} reply @param {RoundView} round @param {Seat} seat
 * @returns {[unknown, () => HTMLElement]}
 */
export function boardRow(reply, round, seat) {
  const undecided = reply.you.undecided.find(isAbout(round.round, seat));
  const facts = [reply.tournament.id, reply.you.may, round.round, round.published, round.phase, seat,
    undecided];
  return [facts, () => drawBoard(reply, round, seat, undecided)];
}

/**
 * @param {TournamentReply} reply @param {RoundView} round @param {Seat} seat
 * @param {TournamentReply['you']['undecided'][number] | undefined} undecided
 */
function drawBoard(reply, round, seat, undecided) {
  const { reports, place } = seat;
  const isConflict = reports.length === 2;
  const isVacant = seat.teams.length > 0 && !(seat.first && seat.second);
  return h(`li.desk-board${isConflict ? '.desk-conflict' : ''}`, { testid: `board-${place}` },
    h('span.desk-number', { 'aria-label': t('club.board_n', { n: place }) }, place),
    h('span.desk-names', `${seat.first || '–'} – ${seat.second || '–'}`),
    round.published && h('span.desk-result', { testid: `result-${place}` }, seat.result || '–'),
    reports.length > 0 && h('span.desk-reports', h(`span.tag${isConflict ? '.tag-bad' : ''}`,
      { testid: `reports-${place}` }, t(isConflict ? 'club.conflict' : 'club.pending')),
    reports.map(({ name, result }) => h('span.small', t('club.says', { name, result })))),
    seat.app_games.length > 0 && h('a.small', { href: `/game/${seat.app_games[0]}` }, t('club.in_app')),
    undecided && h('span.desk-reports.small', { testid: `undecided-${place}` }, undecided.result
      ? t('club.app_tie', { result: undecided.result }) : t('club.app_no_result')),
    round.published && !isVacant && resultButtons(reply, round, seat, undecided?.games));
}

/**
 * @param {TournamentReply} reply @param {RoundView} round @param {Seat} seat
 * @param {string} [appSigns] of games in the app that left the result open
 */
function resultButtons({ tournament, you }, round, seat, appSigns) {
  const place = placeOf(round.round, seat);
  const [report] = seat.reports;
  const entry = resultEntry(tournament, round.round, seat, appSigns);
  const advance = round.phase === 'knockout' && advanceSelect(seat);
  const chosen = () => ({ ...place, result: entry.value(), advance: advance ? advance.value : '' });
  if (seat.result) {
    return you.may.includes('overrule') && iconButton(`correct-${seat.place}`, 'edit', t('club.correct'),
      () => askWhy(t('club.correct'), async (why) => entry.check()
        && doAtDesk(tournament.id, 'score', { ...chosen(), why }),
      h('div.field', h('span.label', t('club.enter_result', { n: seat.place })), entry.element, advance)));
  }
  if (!you.may.includes('score')) return false;
  return h('span.desk-entry', entry.element, advance,
    iconButton(`save-${seat.place}`, 'check', t('club.save'),
      () => entry.check() && doAtDesk(tournament.id, 'score', chosen())),
    seat.reports.length === 1 && iconButton(`accept-${seat.place}`, 'check',
      t('club.confirm_report', { result: report.result }),
      () => doAtDesk(tournament.id, 'score', { ...place, result: report.games })));
}

/** Who goes on from a board of a knock-out that ends in a tie. @param {Seat} seat */
function advanceSelect({ board, first, second }) {
  return h('select', { testid: `advance-${board}`, 'aria-label': t('club.advance', { n: board }) },
    h('option', { value: '' }, t('club.by_result')),
    [first, second].map((name) => h('option', { value: name }, t('club.goes_on', { name }))));
}
