/** Before the second player comes: the link, its QR code, and calling it off. */

import { api } from '../../lib/api.js';
import { $, h, icon, toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @param {string} game @param {() => void} callOff */
export function showWaiting(game, callOff) {
  const place = $('#waiting');
  if (!place.hidden) return;
  const path = `/game/${game}`;
  const address = new URL(path, location.origin).href;
  const link = h('input', { type: 'text', readOnly: true, value: address, 'aria-label': t('play.waiting.link'), dataset: { testid: 'invite-link' }, onfocus: () => link.select() });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      toast(t('play.copied'));
    } catch {
      link.select(); // a page on a LAN may not write there: it is selected to be copied by hand
    }
  };
  const how = h('p.small', { dataset: { testid: 'waiting-how' } });
  place.replaceChildren(
    h('h2.waiting-title', null, icon('wait'), t('play.waiting.title')),
    how,
    h('img.waiting-qr', { src: `/qr.svg?path=${encodeURIComponent(path)}`, alt: t('play.waiting.qr'), width: 200, height: 200, dataset: { testid: 'invite-qr' } }),
    h('div.waiting-link', null, link, h('button.button-quiet', { type: 'button', dataset: { testid: 'invite-copy' }, onclick: copy }, icon('copy'), t('play.copy'))),
    h('div.toolbar', null,
      'share' in navigator && h('button.button', { type: 'button', dataset: { testid: 'invite-share' }, onclick: () => navigator.share({ title: document.title, url: address }).catch(() => {}) }, icon('share'), t('play.do.share')),
      h('button.button-quiet', { type: 'button', dataset: { testid: 'invite-cancel' }, onclick: callOff }, icon('close'), t('play.do.abort'))));
  place.hidden = false;
  tellHow(game, how);
}

/** An invitation for everybody stands in the lobby; another is for whoever gets the link. @param {string} game @param {HTMLElement} how */
async function tellHow(game, how) {
  const lobby = await api.get('/api/lobby').catch(() => null);
  const open = lobby?.seeks.some((/** @type {any} */ seek) => seek.id === game);
  how.textContent = open ? t('play.waiting.lobby') : t('play.waiting.friend');
}

export function hideWaiting() {
  const place = $('#waiting');
  place.hidden = true;
  place.replaceChildren();
}
