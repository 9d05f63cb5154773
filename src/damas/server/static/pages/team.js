/** The page of a team of a league: its place, its squad with what each has scored, its matches. */

import { api, messageOf } from '../lib/api.js';
import { byId, fill, h, refill, toast } from '../lib/dom.js';
import { listRulebooks } from '../lib/rulebooks.js';
import { t } from '../lib/words.js';
import { showHead } from './tournament/head.js';
import { followTournament } from './tournament/live.js';
import { pointsText, roundTable } from './tournament/pairings.js';

/** @import { PlayerView, TableRowView, TableView, TournamentReply } from './tournament/messages.js' */

const container = byId('tournament');
const id = container.dataset.tournament ?? '', number = Number(container.dataset.team);
/** The table of all players, for the version it belongs to. @type {TableView | null} */
let table = null;
let tableOf = '';
/** @type {TournamentReply | null} */
let reply = null;

function draw() {
  if (!reply) return;
  const { tournament } = reply;
  const team = tournament.players.find((each) => each.number === number && tournament.boards.length);
  showHead(reply, 'public');
  const all = h('p', h('a', { href: `/club/${id}` }, t('club.teampage.back')));
  if (!team) return fill(container, h('p.notice', t('club.teampage.unknown')), all);
  fetchTable(tournament.version);
  const row = tournament.table.rows.find(({ name }) => name === team.name);
  refill(container,
    h('section.card', h('h2', { testid: 'team' }, team.name),
      row && tournament.round > 0 && h('p.club-seat', { testid: 'team-place' }, t('club.teampage.place',
        { rank: row.rank, points: pointsText(row.points) })),
      team.out && h('span.tag', t(`club.out.${team.out}`)),
      squad(team), all),
    h('section.card', h('h2', t('club.teampage.matches')), matches(reply, team)));
}

/** @param {PlayerView} team */
function squad({ squad: people }) {
  const rows = new Map((table?.rows ?? []).map((row) => [row.name, row]));
  return h('table.club-table', { testid: 'squad' },
    h('thead', h('tr', h('th.numbers', { scope: 'col' }, t('club.board')), h('th', { scope: 'col' },
      t('club.player')), h('th.numbers', { scope: 'col' }, t('club.points')))),
    h('tbody', people.map(({ name, rating }, place) => h('tr',
      h('td.numbers', place + 1),
      h('th', { scope: 'row' }, name, rating > 0 && h('span.small.muted', ` ${rating}`)),
      h('td.numbers', pointsOf(rows.get(name)))))));
}

/** @param {TableRowView | undefined} row */
const pointsOf = (row) => (row ? pointsText(row.points) : '–');

/** @param {TournamentReply} latest @param {PlayerView} team */
function matches({ tournament, you }, { name }) {
  const rounds = tournament.played.filter(({ published, announced }) => published || announced);
  const own = rounds.map((round) => ({ ...round,
    boards: round.boards.filter(({ first, second }) => [first, second].includes(name)),
    resting: round.resting.filter((rest) => rest.name === name) }));
  if (!own.length) return h('p.muted', t('club.teampage.none'));
  return own.toReversed().flatMap((round) => [h('h3', t('club.round', { n: round.round })),
    ...roundTable(tournament, round, null, you.name)]);
}

/** @param {string} version */
function fetchTable(version) {
  if (tableOf === version) return;
  tableOf = version;
  api.get(`/api/club/${id}/tables/players`).then((latest) => {
    if (tableOf !== version) return; // a later one was asked for
    table = latest;
    draw();
  }).catch((error) => {
    if (tableOf === version) tableOf = ''; // asked for again when the page is drawn again
    toast(messageOf(error));
  });
}

await listRulebooks();
void followTournament(id, (latest) => {
  reply = latest;
  draw();
  document.body.dataset.ready = 'team';
}, {
  onOffline: (isOffline) => { byId('offline').hidden = !isOffline; },
  onRefused: ({ message }) => {
    fill(container, h('p.notice', message), h('p', h('a', { href: `/club/${id}` }, t('club.teampage.back'))));
    document.body.dataset.ready = 'team';
  },
});
