/**
 * The lists of the play page: open invitations, games being played, and the visitor's own unfinished games.
 */

import { api, ApiError } from '../../lib/api.js';
import { $, fill, h, icon } from '../../lib/dom.js';
import { timeWords } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { attempt, hideConnectionError } from './problems.js';

/** @import { Child } from '../../lib/dom.js' */
/** @import { ArchivedGame, ArchivePage, LiveGameView } from '../../lib/messages.js' */
/** @import { LobbyView, RulebookEntry, SeekView } from '../../lib/messages.js' */

const MAX_OWN_GAMES = 3;
/** Errors are shown above the list, because its rows come and go. */
const seeksTitle = $('#lobby-title');

/** Rulebook names by id. @type {Map<string, string>} */
const rulebookNames = new Map();
/** Ids of the visitor's games that the lobby showed last. */
let ownGameIds = '';

/** @param {RulebookEntry[]} rulebooks */
export function setRulebooks(rulebooks) {
  for (const { id, name } of rulebooks) rulebookNames.set(id, name);
}

/** @param {string} id */
const rulebookName = (id) => rulebookNames.get(id) ?? id;

/** @param {{rulebook: string, time: string, preset: string}} game */
function termsOf({ rulebook, time, preset }) {
  const presetName = preset === 'casual' ? [] : [t(`play.presets.${preset}`)];
  return [rulebookName(rulebook), timeWords(time), ...presetName].join(' · ');
}

/** @param {string} names @param {string} terms @param {Child} action @param {string} [testid] */
function row(names, terms, action, testid) {
  return h('li.lobby-line', { dataset: testid ? { testid } : undefined },
    h('span.lobby-names', null, names), h('span.lobby-terms', null, terms), action);
}

/**
 * @param {string} testid @param {string} href @param {string} iconName @param {string} label
 * @param {string} about what it opens
 */
function quietLink(testid, href, iconName, label, about) {
  return h('a.button-quiet', { href, 'aria-label': `${label}: ${about}`, dataset: { testid } },
    icon(iconName), label);
}

/** @param {SeekView} seek */
function seekRow(seek) {
  if (seek.mine) return ownSeekRow(seek);
  const name = seek.name || t('play.player.guest');
  const join = () => attempt(async () => {
    /** @type {{url: string}} */
    const { url } = await api.post(`/api/games/${seek.id}/join`);
    location.assign(url);
  }, seeksTitle);
  return row(name, termsOf(seek), h('button.button-quiet', {
    type: 'button', onclick: join, dataset: { testid: `join-${seek.id}` },
    'aria-label': t('play.join_label', { name, rulebook: rulebookName(seek.rulebook) }),
  }, icon('play'), t('play.join')));
}

/** @param {SeekView} seek */
function ownSeekRow(seek) {
  let isWithdrawn = false;
  const withdraw = async () => { // the row disappears when the lobby says so
    if (isWithdrawn) return;
    isWithdrawn = true;
    isWithdrawn = await attempt(() => api.post(`/api/board/game/${seek.id}/abort`), seeksTitle);
  };
  const about = `${t('play.own_seek')}, ${rulebookName(seek.rulebook)}`;
  const actions = h('div.lobby-own', null,
    quietLink(`open-${seek.id}`, `/game/${seek.id}`, 'game', t('play.open_seek'), about),
    h('button.button-quiet', {
      type: 'button', onclick: withdraw, 'aria-label': `${t('play.do.abort')}: ${about}`,
      dataset: { testid: `withdraw-${seek.id}` },
    }, icon('close'), t('play.do.abort')));
  return row(t('play.own_seek'), termsOf(seek), actions, `own-${seek.id}`);
}

/** @param {LiveGameView} game */
function liveGameRow(game) {
  const guest = t('play.player.guest');
  const names = t('play.versus', { white: game.white || guest, black: game.black || guest });
  const href = `/game/${game.id}`;
  const link = game.mine
    ? quietLink(`continue-${game.id}`, href, 'play', t('play.continue'), names)
    : quietLink(`watch-${game.id}`, href, 'eye', t('play.watch'), names);
  return row(names, `${termsOf(game)} · ${t('play.ply', { n: game.ply })}`, link);
}

/** @param {LobbyView} lobby */
export function showLobby({ seeks, games }) {
  fill($('#seeks'), seeks.map(seekRow));
  fill($('#live-games'), games.map(liveGameRow));
  $('#no-seeks').hidden = seeks.length > 0;
  $('#no-live').hidden = games.length > 0;
  hideConnectionError();
  const ids = games.filter((game) => game.mine).map((game) => game.id).sort().join(',');
  if (ids !== ownGameIds) void showOwnGames();
  ownGameIds = ids;
}

/** Shows the visitor's unfinished games, also those against the computer, which are in no lobby. */
export async function showOwnGames() {
  /** @type {ArchivePage} */
  let page;
  try {
    page = await api.get('/api/archive?mine=1&status=playing');
  } catch (error) {
    if (error instanceof ApiError) return; // they are also in the list of games
    throw error;
  }
  const { games } = page;
  $('#own-games').hidden = !games.length;
  $('#own-all').hidden = games.length <= MAX_OWN_GAMES;
  $('#own-title').textContent = t('play.own_games', { n: games.length });
  fill($('#own-list'), games.slice(0, MAX_OWN_GAMES).map(ownGameRow));
}

/** @param {ArchivedGame} game */
function ownGameRow(game) {
  const { id, you, rulebook, time } = game;
  const opponent = game[you === 'white' ? 'black' : 'white'].name || t('play.player.guest');
  const against = you === 'both' ? t('play.device') : opponent;
  const isOwnTurn = (game.fen.startsWith('W') ? 'white' : 'black') === you;
  const terms = [rulebookName(rulebook), timeWords(time), ...(isOwnTurn ? [t('play.your_turn')] : [])];
  const label = `${t('play.continue')}: ${against}, ${rulebookName(rulebook)}`;
  return row(against, terms.join(' · '), h('a.button', {
    href: `/game/${id}`, 'aria-label': label, dataset: { testid: `resume-${id}` },
  }, icon('play'), t('play.continue')));
}
