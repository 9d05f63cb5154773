/** The lists of the play page: open invitations, games being played, the visitor's own unfinished games. */

import { api } from '../../lib/api.js';
import { $, fill, h, icon, iconButton } from '../../lib/dom.js';
import { noteOwnGames } from '../../lib/own-games.js';
import { rulebookName } from '../../lib/rulebooks.js';
import { modeWords, timeWords } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { localAddress } from '../../local/new-game.js';
import { unstoredGames } from '../../local/list.js';
import { attempt, hideConnectionError } from './problems.js';

/** @import { LocalGameRecord } from '../../local/records.js' */

/** @import { Child } from '../../lib/dom.js' */
/** @import { ArchivedGame, ArchivePage, LiveGameView } from '../../lib/messages.js' */
/** @import { LobbyView, SeekView } from '../../lib/messages.js' */

const MAX_OWN_GAMES = 3;
/** Errors are shown above the list, because its rows come and go. */
const seeksTitle = $('#lobby-title');
/** Who seeks a game, and the games that go on: hidden where nobody can say. */
const lobby = $('#lobby');

/** Ids of the visitor's games that the lobby showed last. */
let ownGameIds = '';

/** @param {{rulebook: string, time: string, preset: string}} game */
function termsOf({ rulebook, time, preset }) {
  const presetName = preset === 'casual' ? [] : [modeWords(preset)];
  return [rulebookName(rulebook), timeWords(time), ...presetName].join(' · ');
}

/** @param {string} names @param {string} terms @param {Child} action @param {string} [testid] */
function row(names, terms, action, testid) {
  return h('li.lobby-line', { testid }, h('span.lobby-names', names), h('span.lobby-terms', terms), action);
}

/**
 * A link to a game.
 * @param {string} verb part of its test id @param {string} id @param {string} iconName @param {string} label
 * @param {string} about which game it is, for screen readers @param {string} [classes]
 */
function gameLink(verb, id, iconName, label, about, classes = 'button-quiet') {
  const href = `/game/${id}`, testid = `${verb}-${id}`;
  return h(`a.${classes}`, { href, 'aria-label': `${label}: ${about}`, testid }, icon(iconName), label);
}

/** @param {SeekView} seek */
function seekRow(seek) {
  if (seek.mine) return ownSeekRow(seek);
  const name = seek.name || t('play.player.guest');
  const join = () => attempt(async () => {
    location.assign((await api.post(`/api/games/${seek.id}/join`)).url);
  }, seeksTitle);
  const button = iconButton(`join-${seek.id}`, 'play', t('play.join'), join);
  button.ariaLabel = t('play.join_label', { name, rulebook: rulebookName(seek.rulebook) });
  return row(name, termsOf(seek), button);
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
  const button = iconButton(`withdraw-${seek.id}`, 'close', t('play.do.abort'), withdraw);
  button.ariaLabel = `${t('play.do.abort')}: ${about}`;
  return row(t('play.own_seek'), termsOf(seek),
    h('div.lobby-own', gameLink('open', seek.id, 'game', t('play.open_seek'), about), button),
    `own-${seek.id}`);
}

/** @param {LiveGameView} game */
function liveGameRow(game) {
  const guest = t('play.player.guest');
  const names = t('play.versus', { white: game.white || guest, black: game.black || guest });
  const link = game.mine ? gameLink('continue', game.id, 'play', t('play.continue'), names)
    : gameLink('watch', game.id, 'eye', t('play.watch'), names);
  return row(names, `${termsOf(game)} · ${t('play.ply', { n: game.ply })}`, link);
}

/** @param {LobbyView} lobby */
function showLobby({ seeks, games }) {
  lobby.hidden = false;
  fill($('#seeks'), seeks.map(seekRow));
  fill($('#live-games'), games.map(liveGameRow));
  $('#no-seeks').hidden = seeks.length > 0;
  $('#no-live').hidden = games.length > 0;
  const ids = games.filter((game) => game.mine).map((game) => game.id).sort().join(',');
  if (ids !== ownGameIds) void showOwnGames();
  ownGameIds = ids;
}

/** Shows the lobby now and after every change; pauses while the page is hidden. */
export function watchLobby() {
  /** @type {EventSource | null} */
  let stream = null;
  let isLost = false;
  const open = () => {
    if (stream || document.hidden) return;
    stream = new EventSource('/api/lobby/stream');
    stream.addEventListener('lobby', (event) => showLobby(JSON.parse(event.data)));
    stream.addEventListener('error', () => { isLost = lobby.hidden = true; });
    // A stream that comes back shows that the server is there again.
    stream.addEventListener('open', () => {
      if (isLost) hideConnectionError();
      isLost = false;
    });
  };
  const close = () => {
    stream?.close();
    stream = null;
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  window.addEventListener('pagehide', close);
  window.addEventListener('pageshow', open);
  open();
}

/** Shows the visitor's unfinished games, also those against the computer, which are in no lobby. */
export async function showOwnGames() {
  /** @type {ArchivePage | null} */
  const page = await api.get('/api/archive?mine=1&status=playing').catch(() => null);
  const local = await unstoredGames();
  fill($('#local-list'), local.map(localGameRow));
  $('#local-games').hidden = !local.some(({ result }) => result);
  const games = [...local.filter(({ result }) => !result), ...(page?.games ?? [])];
  delete document.documentElement.dataset.ownGames; // the list takes the room that was kept for it
  if (!page && !games.length) return; // they are also in the list of games
  if (page) noteOwnGames(games.map(({ id }) => id));
  $('#own-games').hidden = !games.length;
  $('#own-all').hidden = games.length <= MAX_OWN_GAMES;
  $('#own-title').textContent = t('play.own_games', { n: games.length });
  fill($('#own-list'), games.slice(0, MAX_OWN_GAMES).map((game) =>
    ('moves' in game ? localGameRow(game) : ownGameRow(game))));
}

/** @param {LocalGameRecord} game */
function localGameRow(game) {
  const { id, level, rulebook, time, result } = game;
  const against = level === null ? t('play.device') : t('play.player.level', { level });
  const terms = [rulebookName(rulebook), timeWords(time), result ?? t('play.local.here')].join(' · ');
  const label = result ? t('play.watch') : t('play.continue');
  return row(against, terms, h('a.button-quiet', { href: localAddress(game), testid: `resume-${id}`,
    'aria-label': `${label}: ${against}, ${rulebookName(rulebook)}` },
  icon(result ? 'eye' : 'play'), label));
}

/** @param {ArchivedGame} game */
function ownGameRow(game) {
  const { id, you, rulebook, time } = game;
  const opponent = game[you === 'white' ? 'black' : 'white'].name || t('play.player.guest');
  const against = you === 'both' ? t('play.device') : opponent;
  const isOwnTurn = (game.fen.startsWith('W') ? 'white' : 'black') === you;
  const terms = [rulebookName(rulebook), timeWords(time), ...(isOwnTurn ? [t('play.your_turn')] : [])];
  return row(against, terms.join(' · '), gameLink('resume', id, 'play', t('play.continue'),
    `${against}, ${rulebookName(rulebook)}`, 'button'));
}
