/** The round at the desk: pair, look, change by hand, publish, enter results. */

import { byId, h, icon, iconButton, keptElements, refill } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { askWhy, doAtDesk } from './asking.js';

/** @import { BoardView, NamedView, RoundView, TournamentReply, You } from '../tournament/messages.js' */

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
      isDraft && iconButton('publish', 'check', t('club.publish', { n: next }),
        () => doAtDesk(tournament.id, 'publish', { round: next }), 'button'),
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
  const { tournament, you } = reply;
  const title = t(round.published ? 'club.round_of' : 'club.draft', { n: round.round,
    of: tournament.rounds });
  refill(list, boardRows(round.boards.map((board) => [
    [tournament.id, you.may, round.round, round.published, round.phase, board,
      undecidedAt(you, round, board)],
    () => boardRow(reply, round, board),
  ])));
  refill(card, h('h2', { testid: 'round' }, title),
    round.warnings.map((warning) => h('p.notice.notice-bad', { testid: 'warning' }, warning)),
    round.ballot && h('p.small', t('club.opening', { moves: round.ballot })),
    list,
    round.resting.length > 0 && h('ul.club-resting', round.resting.map(({ name, kind }) =>
      h('li', `${name}: ${t(`club.resting.${kind}`)}`))),
    h('p.small.muted', round.by_hand ? t('club.by_hand') : round.edition));
  return card;
}

/** @param {You} you @param {RoundView} round @param {BoardView} board */
function undecidedAt(you, { round }, { board }) {
  return you.undecided.find((each) => each.round === round && each.board === board);
}

/** @param {TournamentReply} reply @param {RoundView} round @param {BoardView} board */
function boardRow(reply, round, board) {
  const { reports } = board;
  const undecided = undecidedAt(reply.you, round, board);
  const isConflict = reports.length === 2;
  return h(`li.desk-board${isConflict ? '.desk-conflict' : ''}`, { testid: `board-${board.board}` },
    h('span.desk-number', { 'aria-label': t('club.board_n', { n: board.board }) }, board.board),
    h('span.desk-names', `${board.first} – ${board.second}`),
    round.published && h('span.desk-result', { testid: `result-${board.board}` }, board.result || '–'),
    reports.length > 0 && h('span.desk-reports', h(`span.tag${isConflict ? '.tag-bad' : ''}`,
      { testid: `reports-${board.board}` }, t(isConflict ? 'club.conflict' : 'club.pending')),
    reports.map(({ name, result }) => h('span.small', t('club.says', { name, result })))),
    board.app_games.length > 0 && h('a.small', { href: `/game/${board.app_games[0]}` }, t('club.in_app')),
    undecided && h('span.desk-reports.small', { testid: `undecided-${board.board}` }, undecided.result
      ? t('club.app_tie', { result: undecided.result }) : t('club.app_no_result')),
    round.published && resultButtons(reply, round, board));
}

/** @param {TournamentReply} reply @param {RoundView} round @param {BoardView} board */
function resultButtons({ tournament, you }, round, board) {
  const place = { round: round.round, board: board.board };
  const [report] = board.reports;
  const select = resultSelect(tournament.results, board, undecidedAt(you, round, board)?.games);
  const advance = round.phase === 'knockout' && advanceSelect(board);
  const chosen = () => ({ ...place, result: select.value, advance: advance ? advance.value : '' });
  if (board.result) {
    return you.may.includes('overrule') && iconButton(`correct-${board.board}`, 'edit', t('club.correct'),
      () => askWhy(t('club.correct'), (why) => doAtDesk(tournament.id, 'score', { ...chosen(), why }),
        h('div.field', h('label', { htmlFor: select.id }, t('club.enter_result', { n: board.board })),
          select, advance)));
  }
  if (!you.may.includes('score')) return false;
  return h('span.desk-entry', select, advance,
    iconButton(`save-${board.board}`, 'check', t('club.save'),
      () => select.reportValidity() && doAtDesk(tournament.id, 'score', chosen())),
    board.reports.length === 1 && iconButton(`accept-${board.board}`, 'check',
      t('club.confirm_report', { result: report.result }),
      () => doAtDesk(tournament.id, 'score', { ...place, result: report.games })));
}

/** Who goes on from a board of a knock-out that ends in a tie. @param {BoardView} board */
function advanceSelect({ board, first, second }) {
  return h('select', { testid: `advance-${board}`, 'aria-label': t('club.advance', { n: board }) },
    h('option', { value: '' }, t('club.by_result')),
    [first, second].map((name) => h('option', { value: name }, t('club.goes_on', { name }))));
}

/** What is chosen for a board stays when the page is drawn again. @type {Map<string, string>} */
const selected = new Map();

/** @param {NamedView[]} results @param {BoardView} board @param {string} [played] signs of app games */
function resultSelect(results, { board, first, second }, played = '') {
  const key = `${board} ${first} ${second}`;
  const forfeits = [['+-', 'second'], ['-+', 'first'], ['--', 'both']];
  const select = h('select', { id: `result-of-${board}`, testid: `choose-${board}`,
    'aria-label': t('club.enter_result', { n: board }), required: true },
  h('option', { value: '' }, t('club.result')),
  results.map(({ key: signs, title }) => h('option', { value: signs }, title)),
  forfeits.map(([value, who]) => h('option', { value }, t(`club.forfeit.${who}`))));
  select.value = selected.get(key) ?? (played.includes('*') ? '' : played);
  select.addEventListener('change', () => selected.set(key, select.value));
  return select;
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
