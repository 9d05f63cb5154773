/** The desk of a tournament: rounds and results, players, table, links, log. */

import { byId, fill, h, refill, segmented, showText } from '../lib/dom.js';
import { listRulebooks } from '../lib/rulebooks.js';
import { t } from '../lib/words.js';
import { fillLinks } from './desk/links.js';
import { fillLog } from './desk/log.js';
import { playerForms } from './desk/entering.js';
import { fillPlayers } from './desk/players.js';
import { roundPanel } from './desk/round.js';
import { fillTeams } from './desk/teams.js';
import { followLinks, prepareEnterForm } from './tournament/enter.js';
import { showHead } from './tournament/head.js';
import { followTournament } from './tournament/live.js';
import { isLeague } from './tournament/seats.js';
import { standings } from './tournament/standings.js';

/** @import { TournamentReply } from './tournament/messages.js' */

/** @typedef {'round' | 'players' | 'table' | 'links' | 'log'} Tab */

const container = byId('tournament');
const id = container.dataset.tournament ?? '';
const bar = h('div.row.row-between');
const panel = h('div.stack', { testid: 'panel' });
/** Each has what it shows alone: what comes late is not drawn over another tab, and no form is drawn anew. */
const playersCard = h('section.card'), linksPanel = h('div.stack'), logPanel = h('div.stack');
/** The forms that enter players. @type {HTMLElement | false} */
let forms = false;
/** The last reply. @type {TournamentReply | null} */
let reply = null;
/** @type {Tab | ''} */
let tab = '';
/** The round on the page; 0: the latest. */
let chosenRound = 0;

function draw() {
  if (!reply) return;
  const { you, tournament } = reply;
  showHead(reply, 'desk');
  const isStaff = you.may.includes('drafts');
  byId('enter-form').hidden = isStaff;
  showText(byId('next'), isStaff ? tournament.next : '');
  if (!isStaff) return fill(container);
  const tabs = /** @type {[Tab, string][]} */ (['round', 'players', 'table', 'links', 'log']
    .map((name) => [name, t(name === 'players' && isLeague(tournament) ? 'club.teams'
      : `club.tab.${name}`)]));
  tab ||= tournament.round || tournament.players.length > 1 ? 'round' : 'players';
  fill(bar, segmented('tab', t('club.tabs'), tabs, tab, (chosen) => { tab = chosen; draw(); }),
    tab === 'round' && tournament.played.length > 1 && roundSelect(tournament.played.length));
  if (!panel.isConnected) fill(container, bar, panel);
  drawPanel(reply);
}

/** @param {TournamentReply} latest */
function drawPanel(latest) {
  if (tab === 'round') return refill(panel, roundPanel(latest, chosenRound));
  if (tab === 'table') return fill(panel, h('section.card', h('h2', t('club.table')),
    standings(latest.tournament, '', draw)));
  if (tab === 'links') {
    keep(linksPanel);
    return void fillLinks(latest, linksPanel);
  }
  if (tab === 'log') {
    keep(logPanel);
    return void fillLog(latest, logPanel);
  }
  forms ||= playerForms(latest);
  if (!playersCard.isConnected) fill(panel, forms, playersCard);
  (isLeague(latest.tournament) ? fillTeams : fillPlayers)(playersCard, latest);
}

/** Shows an element in the panel, unless it is there. @param {HTMLElement} shown */
function keep(shown) {
  if (!shown.isConnected) fill(panel, shown);
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

prepareEnterForm(id);
await listRulebooks();
await followLinks(id);
void followTournament(id, (latest) => {
  reply = latest;
  draw();
  document.body.dataset.ready = 'desk';
}, {
  onOffline: (isOffline) => { byId('offline').hidden = !isOffline; },
  onRefused: ({ message }) => {
    fill(container, h('p.notice', message));
    byId('enter-form').hidden = false;
    document.body.dataset.ready = 'desk';
  },
});
