/** A game whose second seat is free: the inviter sees the link to send, a visitor may sit down. */

import { pieceIcon } from '../../board/pieces.js';
import { api, tryAction } from '../../lib/api.js';
import { $, h, icon, iconButton, toast } from '../../lib/dom.js';
import { linkRow, publicUrl, systemShareButton } from '../../lib/share.js';
import { t } from '../../lib/words.js';
import { arbiterKey } from './arbiter-link.js';
import { playerName } from './players.js';
import { isPlayer, state } from './state.js';
import { gameTitle } from './title.js';

/** @import { LobbyView } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */

/** Shows the invitation while a seat is free; opening its link seats nobody. @param {GameSocket} socket */
export function showInvitation(socket) {
  const container = $('#waiting');
  const isInviter = isPlayer();
  const mayAnswer = isInviter || state.hello?.may_join; // a seat may be kept for somebody else
  const isArbiter = Boolean(arbiterKey) || state.you === 'arbiter';
  const isOpen = state.view.waiting && mayAnswer && !state.isCalledOff && !isArbiter;
  if (!isOpen) container.hidden = true;
  else if (container.hidden || container.dataset.inviter !== String(isInviter)) {
    container.dataset.inviter = String(isInviter);
    container.replaceChildren(...(isInviter ? ownInvitation(socket) : question(socket.game)));
    container.hidden = false;
  }
}

/** The link, in view on a phone, and the same as a QR code. @param {GameSocket} socket */
function ownInvitation(socket) {
  const path = `/game/${socket.game}`, address = publicUrl(path);
  const explanation = h('p.small', { testid: 'waiting-how' });
  api.get('/api/lobby').catch(() => null).then((/** @type {LobbyView | null} */ lobby) => {
    const isInLobby = lobby?.seeks.some((seek) => seek.id === socket.game);
    explanation.textContent = isInLobby ? t('play.waiting.lobby') : t('play.waiting.friend');
  });
  const share = systemShareButton('invite-share', gameTitle(), address, t('play.do.share'));
  return [
    h('h2.waiting-title', icon('wait'), t('play.waiting.title')),
    linkRow('waiting', address, t('play.waiting.link'), t('play.copy'), t('play.copied')),
    explanation,
    h('div.toolbar', share,
      iconButton('invite-cancel', 'close', t('play.do.abort'), () => socket.act('abort'))),
    h('img.waiting-qr', {
      src: `/qr.svg?path=${encodeURIComponent(path)}`, alt: t('play.waiting.qr'), width: 200, height: 200,
      testid: 'invite-qr',
    }),
  ];
}

/** Who invites and which colour is free; rulebook, time and regulation stand above. @param {string} game */
function question(game) {
  const color = state.players.white.free ? 'white' : 'black';
  const accept = iconButton('invite-accept', 'check', t('play.accept'), () => sitDown(game, accept),
    'button');
  return [
    h('h2.waiting-title', { testid: 'invite-from' },
      t('play.invite.from', { name: playerName(color === 'white' ? 'black' : 'white') })),
    h('p.invite-color', { testid: 'invite-color' },
      pieceIcon(color === 'white' ? 'w' : 'b'), t(`play.invite.${color}`)),
    h('div.toolbar', accept,
      h('a.button-quiet', { href: '/', testid: 'invite-decline' }, t('play.invite.later'))),
  ];
}

/** Takes the free seat; the server then greets this page again as a player's. @param {string} game */
async function sitDown(game, /** @type {HTMLButtonElement} */ button) {
  button.disabled = true;
  await tryAction(() => api.post(`/api/games/${game}/join`), ({ message }) => toast(message));
  button.disabled = false;
}
