/** The players at the desk: who is in the hall, who rests or leaves, whose name is corrected. */

import { h, iconButton, keptElements, refill } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { doAtDesk } from './asking.js';
import { moreButton, playerDialog } from './person.js';

/** @import { PlayerView, TournamentReply } from '../tournament/messages.js' */

/** They stay in the page while players check in by phone: no click at the desk is lost to them. */
const list = h('ul.desk-players', { testid: 'players' });
const playerRows = keptElements();
/** What the rows are of. @type {TournamentReply} */
let latest;

/** @param {HTMLElement} card @param {TournamentReply} reply */
export function fillPlayers(card, reply) {
  const { tournament } = latest = reply;
  const { players } = tournament;
  refill(list, playerRows(players.map((player) => [player, () => playerRow(tournament.id, player)])));
  refill(card, h('div.row.row-between', h('h2', `${t('club.players')} (${players.length})`),
    players.length > 0 && iconButton('all-present', 'check', t('club.all_present'),
      () => doAtDesk(tournament.id, 'check_in',
      { names: players.filter(({ out }) => !out).map(({ name }) => name) }))),
  list);
}

/** @param {string} id of the tournament @param {PlayerView} player */
function playerRow(id, player) {
  const { number, name, club, rating, present, out } = player;
  return h('li.desk-player', { testid: `player-${number}` },
    h('span.desk-number', number),
    h('span.desk-names', name, h('span.small.muted', [club, rating || ''].filter(Boolean).join(' · '))),
    out ? h('span.tag', t(`club.out.${out}`)) : h('label.check', h('input', {
      type: 'checkbox', checked: present, testid: `present-${number}`,
      onchange: async ({ target }) => {
        if (!(target instanceof HTMLInputElement)) return;
        const isDone = await doAtDesk(id, 'check_in', { names: [name], present: target.checked });
        if (!isDone) target.checked = present;
      },
    }), t(present ? 'club.present' : 'club.absent')),
    moreButton(`more-${number}`, name, () => playerDialog(latest, player)));
}
