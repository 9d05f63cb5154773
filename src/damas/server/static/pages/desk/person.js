/** What the desk can do with a player or a team: the dialog behind "more". */

import { openDialog } from '../../lib/dialog.js';
import { h, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { isLeague } from '../tournament/seats.js';
import { askWhy, doAtDesk } from './asking.js';
import { showLinkOf } from './links.js';

/** @import { PlayerView, TournamentReply } from '../tournament/messages.js' */

/** Opens what else can be done. @param {string} testid @param {string} name @param {() => unknown} onclick */
export const moreButton = (testid, name, onclick) => h('button.button-quiet.button-icon',
  { testid, 'aria-label': t('club.more', { name }), onclick }, '…');

/**
 * Asks for the right name of somebody, and for the reason.
 * @param {string} id of the tournament @param {string} name @param {() => void} close what the button is in
 */
export function renameButton(id, name, close) {
  return iconButton('rename', 'edit', t('club.rename.title'), () => {
    close();
    const input = h('input', { type: 'text', id: 'rename-to', testid: 'rename-to', required: true,
      maxLength: 80, value: name, autocomplete: 'off' });
    askWhy(t('club.rename.title'), (why) => doAtDesk(id, 'rename',
      { player: name, to: input.value.trim(), why }),
      h('div.field', h('label', { htmlFor: 'rename-to' }, t('club.rename.to')), input));
  });
}

/** @param {TournamentReply} reply @param {PlayerView} player or a team */
export function playerDialog({ you, tournament }, { name, out }) {
  const { id } = tournament, league = isLeague(tournament);
  const next = tournament.round + 1;
  const others = tournament.players.filter((each) => each.name !== name);
  const isArbiter = you.may.includes('draft');
  /** @param {Promise<boolean>} done */
  const closing = async (done) => { if (await done) dialog.close(); };
  const rival = h('select', { id: 'rival', 'aria-label': t('club.forbid'), testid: 'rival' },
    others.map((each) => h('option', { value: each.name }, each.name)));
  const dialog = openDialog('player', name, h('div.stack',
    iconButton('link', 'link', t('club.link'), () => {
      dialog.close();
      void showLinkOf(id, name, league ? 'captain' : 'player');
    }),
    you.may.includes('rename') && renameButton(id, name, () => dialog.close()),
    isArbiter && !out && [
      iconButton('bye', 'pause', t('club.bye', { n: next }),
        () => closing(doAtDesk(id, 'bye', { player: name, round: next }))),
      iconButton('withdraw', 'close', t('club.withdraw'), () => closing(doAtDesk(id, 'withdraw',
        { player: name }))),
      others.length > 0 && h('div.row', rival, iconButton('forbid', 'hand', t('club.forbid'),
        () => closing(doAtDesk(id, 'forbid', { one: name, other: rival.value })))),
    ],
    isArbiter && out !== 'disqualified' && iconButton('disqualify', 'trash', t('club.disqualify'), () => {
      dialog.close();
      askWhy(t('club.disqualify'), (why) => doAtDesk(id, 'disqualify', { player: name, why }));
    })));
}
