/** The invitation while the second player has not come: link, QR code, and calling the game off. */

import { api } from '../../lib/api.js';
import { $, h, icon, iconButton, toast } from '../../lib/dom.js';
import { linkField } from '../../lib/share.js';
import { t } from '../../lib/words.js';

/** @import { LobbyView } from '../../lib/messages.js' */

/** @param {string} game @param {() => void} callOff */
export function showInvitation(game, callOff) {
  const container = $('#waiting');
  if (!container.hidden) return;
  const path = `/game/${game}`;
  const address = new URL(path, location.origin).href;
  const link = linkField(address, t('play.waiting.link'), 'invite-link');
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(address);
      toast(t('play.copied'));
    } catch {
      link.select(); // without HTTPS a page may not copy: the visitor does
    }
  };
  const explanation = h('p.small', { dataset: { testid: 'waiting-how' } });
  container.replaceChildren(
    h('h2.waiting-title', null, icon('wait'), t('play.waiting.title')),
    explanation,
    h('img.waiting-qr', {
      src: `/qr.svg?path=${encodeURIComponent(path)}`, alt: t('play.waiting.qr'), width: 200, height: 200,
      dataset: { testid: 'invite-qr' },
    }),
    h('div.waiting-link', null, link, iconButton('invite-copy', 'copy', t('play.copy'), copyLink)),
    h('div.toolbar', null,
      'share' in navigator && h('button.button', {
        type: 'button', dataset: { testid: 'invite-share' },
        onclick: () => navigator.share({ title: document.title, url: address }).catch(() => {}),
      }, icon('share'), t('play.do.share')),
      iconButton('invite-cancel', 'close', t('play.do.abort'), callOff)));
  container.hidden = false;
  void explain(game, explanation);
}

/**
 * Says whether the invitation is in the lobby or only for those with the link.
 * @param {string} game @param {HTMLElement} explanation
 */
async function explain(game, explanation) {
  /** @type {LobbyView | null} */
  const lobby = await api.get('/api/lobby').catch(() => null);
  const isInLobby = lobby?.seeks.some((seek) => seek.id === game);
  explanation.textContent = isInLobby ? t('play.waiting.lobby') : t('play.waiting.friend');
}

export function hideInvitation() {
  const container = $('#waiting');
  container.hidden = true;
  container.replaceChildren();
}
