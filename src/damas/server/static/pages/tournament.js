/** The page of a tournament for players and spectators: the own board, pairings, the table. */

import { byId, fill, h, refill } from '../lib/dom.js';
import { listRulebooks } from '../lib/rulebooks.js';
import { t } from '../lib/words.js';
import { followLinks, prepareEnterForm } from './tournament/enter.js';
import { showHead } from './tournament/head.js';
import { followTournament } from './tournament/live.js';
import { mine } from './tournament/mine.js';
import { roundTable, scanned } from './tournament/pairings.js';
import { standings } from './tournament/standings.js';

/** @import { TournamentReply } from './tournament/messages.js' */
/** @import { Order } from './tournament/pairings.js' */

const container = byId('tournament');
const id = container.dataset.tournament ?? '';
/** The last reply. @type {TournamentReply | null} */
let reply = null;
/** The round on the page; 0: the latest. */
let chosenRound = 0;
/** @type {Order} */
let order = 'board';

function draw() {
  if (!reply) return;
  const { you, tournament } = reply;
  const rounds = tournament.played.filter(({ published, announced }) => published || announced);
  const round = rounds.find((each) => each.round === chosenRound) ?? rounds.at(-1);
  showHead(reply, 'public');
  refill(container,
    mine(reply, draw),
    tournament.over && h('p.notice', t('club.over')),
    h('section.card', h('div.row.row-between', h('h2', t('club.pairings')),
      rounds.length > 1 && roundSelect(rounds.length)),
      round ? [h('h3', { testid: 'round' }, t('club.round_of', { n: round.round, of: tournament.rounds })),
        ...roundTable(tournament, round, order, you.name, (chosen) => { order = chosen; draw(); })]
        : h('p.muted', t('club.no_round'))),
    h('section.card', h('h2', t('club.table')), standings(tournament, you.name, draw)));
  enterForm.hidden = you.role !== 'visitor';
}

/** @param {number} count */
function roundSelect(count) {
  return h('select.club-round', { 'aria-label': t('club.choose_round'), testid: 'round-select',
    onchange: ({ target }) => {
    if (target instanceof HTMLSelectElement) chosenRound = Number(target.value);
    draw();
  } }, Array.from({ length: count }, (_, place) => h('option', {
    value: place + 1 === count ? 0 : place + 1, selected: (chosenRound || count) === place + 1,
  }, t('club.round', { n: place + 1 }))));
}

const enterForm = prepareEnterForm(id);
if (scanned) container.before(enterForm); // whoever scans a board is there to report its result
await listRulebooks();
await followLinks(id);
void followTournament(id, (latest) => {
  reply = latest;
  draw();
  document.body.dataset.ready = 'tournament';
}, {
  onOffline: (isOffline) => { byId('offline').hidden = !isOffline; },
  onRefused: ({ message }) => {
    fill(container, h('p.notice', message));
    enterForm.hidden = false;
    document.body.dataset.ready = 'tournament';
  },
});
