/** The arbiter's link: the key of this page, and the link of a game that this browser made. */

import { api } from '../../lib/api.js';
import { h } from '../../lib/dom.js';
import { linkRow } from '../../lib/share.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { t } from '../../lib/words.js';
import { countPeople, isPlayer, state } from './state.js';

/** The key in the address of this page, which no request carries; empty for everybody but the arbiter. */
export const arbiterKey = /^#arbiter=([\w-]+)$/.exec(location.hash)?.[1] ?? '';

/** @param {string} game */
const storageKey = (game) => `damas.arbiter.${game}`;

/** Whether the browser has asked for the link of this game. */
let isAsked = false;

/**
 * Gets the link while the visitor is the only person in the game: later the server cannot tell who made it.
 * @param {string} game
 */
export async function keepArbiterLink(game) {
  const isAlone = state.you === 'both' || (isPlayer() && countPeople() < 2);
  if (!isAlone || isAsked || loadValue(storageKey(game))) return;
  isAsked = true;
  /** @type {{url: string} | null} */
  const link = await api.post(`/api/games/${game}/arbiter`).catch(() => null);
  if (link) storeValue(storageKey(game), link.url);
}

/** What the share dialog shows of the link, if this browser has it. @param {string} game */
export function arbiterLinkRow(game) {
  const url = loadValue(storageKey(game));
  if (typeof url !== 'string') return [];
  const address = new URL(url, location.origin).href;
  return [h('h3', t('table.arbiter.link')), h('p.small.muted', t('table.arbiter.link_line')),
    linkRow('arbiter', address, t('table.arbiter.link'), t('share.copy'), t('share.copied'))];
}
