/** The arbiter's link: the key of this page, and the link of a game that this browser made. */

import { SIDES } from '../../board/pieces.js';
import { api } from '../../lib/api.js';
import { h, iconButton } from '../../lib/dom.js';
import { linkRow, publicUrl } from '../../lib/share.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { t } from '../../lib/words.js';
import { playerName } from './players.js';
import { countPeople, isMine, isPlayer, state } from './state.js';

/** @import { FollowedBoard } from '../../lib/messages.js' */

/** The key in the address of this page, which no request carries; empty for everybody but the arbiter. */
export const arbiterKey = /^#arbiter=([\w-]+)$/.exec(location.hash)?.[1] ?? '';

/** @param {string} game */
const storageKey = (game) => `damas.arbiter.${game}`;

/**
 * Gets the link for a visitor who is the only person in the game, and so needs nobody's consent.
 * @param {string} game
 */
export async function keepArbiterLink(game) {
  if (isAlone() && !loadValue(storageKey(game))) await getArbiterLink(game);
}

/** Which player has had the link since before the other came, in words; empty if neither has. */
export function linkHolderWords() {
  const side = SIDES.find((each) => state.players[each].arbiter_link);
  return side ? t('table.arbiter.link_of', { name: playerName(side), side: t(`table.side.${side}`) }) : '';
}

/**
 * The id of the rematch as an address has it: for the arbiter with the key of its link.
 * @param {string} game @param {string} id
 */
export async function rematchAddress(game, id) {
  if (!arbiterKey) return id;
  /** @type {{boards: FollowedBoard[]} | null} */
  const answer = await api.post('/api/arbiter/boards', { boards: [{ id: game, key: arbiterKey }] })
    .catch(() => null);
  const key = answer?.boards[0].rematch?.key;
  return key ? `${id}#arbiter=${key}` : id;
}

/** Whether no other person has a say in the arbiter. */
function isAlone() {
  return state.you === 'both' || (isPlayer() && countPeople() < 2);
}

/** Asks for the link, which the server gives once both players want it. @param {string} game */
export async function getArbiterLink(game) {
  /** @type {{url: string | null} | null} */
  const link = await api.post(`/api/games/${game}/arbiter`).catch(() => null);
  if (link?.url) storeValue(storageKey(game), link.url);
  return link?.url ?? null;
}

/** What the share dialog shows of the link, if this browser has it. @param {string} game */
export function arbiterLinkRow(game) {
  const url = loadValue(storageKey(game));
  if (typeof url !== 'string') return isPlayer() && !isAlone() ? askRow(game) : [];
  const address = publicUrl(url);
  return [h('h3', t('table.arbiter.link')), h('p.small.muted', t('table.arbiter.link_line')),
    linkRow('arbiter', address, t('table.arbiter.link'), t('share.copy'), t('share.copied'))];
}

/** With two players, both have to want an arbiter. @param {string} game */
function askRow(game) {
  const line = h('p.small.muted', { role: 'status' }, t('table.arbiter.ask_line'));
  const ask = iconButton('ask-arbiter', 'claim', t('table.arbiter.ask'), async () => {
    ask.disabled = true;
    await getArbiterLink(game);
    line.textContent = t('table.arbiter.asked');
  });
  ask.hidden = isMine(state.arbiterWanted[0] ?? null);
  if (ask.hidden) line.textContent = t('table.arbiter.asked');
  const holder = linkHolderWords();
  return [h('h3', t('table.arbiter.link')), ...(holder ? [h('p.small', `${holder}.`)] : []), line, ask];
}

/** The question to a player whose opponent wants an arbiter. @param {string} game */
export function arbiterRequest(game) {
  const [by] = state.arbiterWanted;
  if (!by || isMine(by) || state.arbiterWanted.length > 1) return null;
  const agree = iconButton('agree-arbiter', 'check', t('table.arbiter.agree'),
    () => getArbiterLink(game), 'button');
  return { question: t('table.arbiter.wanted'), agree };
}
