/** The round at the desk: pair, look, change by hand, publish, enter results. */

import { byId, h, icon, iconButton, keptElements, refill } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { isLeague, seatsOf } from '../tournament/seats.js';
import { askWhy, doAtDesk } from './asking.js';
import { boardRow } from './boards.js';
import { matchItems } from './matches.js';

/** @import { RoundView, TournamentReply } from '../tournament/messages.js' */

/** They stay in the page while results come in: nobody loses an open menu to a phone at another board. */
const card = h('section.card'), list = h('ul.desk-boards', { testid: 'boards' });
const boardRows = keptElements();

const PAPERS = ['pairings', 'names', 'slips', 'scoresheets', 'table', 'cross', 'cards', 'diplomas'];

/** @param {TournamentReply} reply @param {number} chosen the round to be shown; 0: the latest */
export function roundPanel(reply, chosen) {
  const { tournament, you } = reply;
  const round = tournament.played.find((each) => each.round === chosen) ?? tournament.played.at(-1);
  const latest = tournament.played.at(-1);
  const next = tournament.round + 1;
  const isDraft = latest && !latest.published;
  const mayPair = you.may.includes('draft') && !tournament.over && (!latest || latest.complete || isDraft);
  return [
    mayPair && h('div.toolbar',
      isDraft && isLeague(tournament) && !latest.announced && iconButton('announce', 'bell',
        t('club.announce'), () => doAtDesk(tournament.id, 'announce', { round: next }), 'button'),
      isDraft && iconButton('publish', 'check', t('club.publish', { n: next }),
        () => doAtDesk(tournament.id, 'publish', { round: next }),
        isLeague(tournament) && !latest.announced ? 'button-quiet' : 'button'),
      isDraft
        ? iconButton('pair', 'rematch', t('club.pair_again'), () => doAtDesk(tournament.id, 'draft'))
        : iconButton('pair', 'grid', t('club.pair', { n: next }), () => doAtDesk(tournament.id, 'draft'),
          'button'),
      isDraft && iconButton('meet', 'edit', t('club.meet.title'), () => askMeet(reply,
        latest))),
    round ? boards(reply, round) : h('p.muted', t('club.no_round')),
    round && papers(tournament.id, round.round),
  ];
}

/** @param {string} id @param {number} round */
export function papers(id, round) {
  return h('div.toolbar', { testid: 'papers' }, h('span.label', t('club.papers')), PAPERS.map((kind) =>
    h('a.button-quiet', { href: `/club/${id}/papers/${kind}.pdf?round=${round}`, testid: `paper-${kind}` },
      icon('print'), h('span', t(`club.paper.${kind}`)))));
}

/** @param {TournamentReply} reply @param {RoundView} round */
function boards(reply, round) {
  const { tournament } = reply;
  const title = t(round.published ? 'club.round_of' : 'club.draft', { n: round.round,
    of: tournament.rounds });
  refill(list, isLeague(tournament) ? matchItems(reply, round)
    : boardRows(seatsOf(tournament, round).map((seat) => boardRow(reply, round, seat))));
  refill(card, h('h2', { testid: 'round' }, title),
    round.announced && !round.published && h('p.notice', { testid: 'announced' }, t('club.announced')),
    round.warnings.map((warning) => h('p.notice.notice-bad', { testid: 'warning' }, warning)),
    round.ballot && h('p.small', t('club.opening', { moves: round.ballot })),
    list,
    round.resting.length > 0 && h('ul.club-resting', round.resting.map(({ name, kind }) =>
      h('li', `${name}: ${t(`club.resting.${kind}`)}`))),
    h('p.small.muted', round.by_hand ? t('club.by_hand') : round.edition));
  return card;
}

/** @param {TournamentReply} reply @param {RoundView} round */
function askMeet({ tournament }, round) {
  const names = [...round.boards.flatMap(({ first, second }) => [first, second]),
    ...round.resting.map(({ name }) => name)];
  const options = () => names.toSorted((a, b) => a.localeCompare(b)).map((name) => h('option',
    { value: name }, name));
  const fields = ['one', 'other'].map((key) => h('div.field', h('label', { htmlFor: key },
    t(`club.meet.${key}`)),
    h('select', { id: key, testid: `meet-${key}` }, options())));
  askWhy(t('club.meet.do'), (why) => doAtDesk(tournament.id, 'meet', {
    one: byId('meet-one', HTMLSelectElement).value, other: byId('meet-other', HTMLSelectElement).value, why,
  }), ...fields);
}
