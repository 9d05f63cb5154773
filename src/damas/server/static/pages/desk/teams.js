/** The teams of a league at the desk: their squads in the order of boards, who is in the hall, who leaves. */

import { openDialog } from '../../lib/dialog.js';
import { h, iconButton, keptElements, refill } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { doAtDesk } from './asking.js';
import { showLinkOf } from './links.js';
import { moreButton, playerDialog, renameButton } from './person.js';

/** @import { PlayerView, SquadPlayerView, TournamentReply } from '../tournament/messages.js' */

/** They stay in the page while phones do something: no click at the desk is lost. */
const list = h('ul.desk-teams', { testid: 'players' });
const teamCards = keptElements();
/** What the cards are of. @type {TournamentReply} */
let latest;

/** @param {HTMLElement} card @param {TournamentReply} reply */
export function fillTeams(card, reply) {
  latest = reply;
  const { players, round, boards, check_in: checkIn } = reply.tournament;
  refill(list, teamCards(players.map((team) => [[team, round > 0, checkIn],
    () => teamCard(reply, team)])));
  refill(card, h('h2', `${t('club.teams')} (${players.length})`),
    h('p.small.muted', boards.map((kind, place) => t('club.lineup.board', { n: place + 1, kind }))
      .join(', ')),
    h('p.small.muted', t(players.length ? 'club.squad.order' : 'club.squad.none')),
    list);
}

/** @param {TournamentReply} reply @param {PlayerView} team */
function teamCard({ tournament, you }, team) {
  const { number, name, present, out, squad } = team, { id } = tournament;
  const mayChange = you.may.includes('draft') && tournament.round === 0;
  return h('li.desk-team', { testid: `player-${number}` },
    h('div.row.row-between', h('h3', name),
      moreButton(`more-${number}`, name, () => playerDialog(latest, team))),
    out ? h('span.tag', t(`club.out.${out}`)) : tournament.check_in && h('label.check', h('input', {
      type: 'checkbox', checked: present, testid: `present-${number}`,
      onchange: async ({ target }) => {
        if (!(target instanceof HTMLInputElement)) return;
        const isDone = await doAtDesk(id, 'check_in', { names: [name], present: target.checked });
        if (!isDone) target.checked = present;
      },
    }), t(present ? 'club.present' : 'club.absent')),
    h('ol.desk-squad', squad.map((person, place) => h('li.desk-player',
      { testid: `squad-${number}-${place + 1}` },
      h('span.desk-number', place + 1),
      h('span.desk-names', person.name, h('span.small.muted', facts(person))),
      place > 0 && mayChange && h('button.button-quiet.button-icon', { testid: `up-${number}-${place + 1}`,
        'aria-label': t('club.squad.up', { name: person.name }),
        onclick: () => doAtDesk(id, 'squad', { team: name, names: moved(squad, place),
          before: namesOf(squad) }) }, '↑'),
      moreButton(`member-${number}-${place + 1}`, person.name,
        () => memberDialog(team, person, mayChange))))));
}

/** @param {SquadPlayerView} person */
const facts = ({ birth, sex, rating }) => [birth, sex && t(`club.sex.${sex}`), rating || '']
  .filter(Boolean).join(' · ');

/** @param {SquadPlayerView[]} squad */
const namesOf = (squad) => squad.map(({ name }) => name);

/** The names with one of them a place higher. @param {SquadPlayerView[]} squad @param {number} place */
function moved(squad, place) {
  const names = namesOf(squad);
  names.splice(place - 1, 2, names[place], names[place - 1]);
  return names;
}

/** @param {PlayerView} team @param {SquadPlayerView} person @param {boolean} mayChange */
function memberDialog(team, { name }, mayChange) {
  const { you, tournament: { id } } = latest;
  const dialog = openDialog('player', name, h('div.stack',
    iconButton('link', 'link', t('club.link'), () => { dialog.close(); void showLinkOf(id, name); }),
    you.may.includes('rename') && renameButton(id, name, () => dialog.close()),
    mayChange && iconButton('remove', 'trash', t('club.squad.remove', { name }), async () => {
      const before = namesOf(team.squad), names = before.filter((each) => each !== name);
      if (await doAtDesk(id, 'squad', { team: team.name, names, before })) dialog.close();
    })));
}
