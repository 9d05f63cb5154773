/** The visitor's games and the archive: filters in the address, one card per game, more on demand. */

import { api, messageOf } from '../lib/api.js';
import { isLost } from '../lib/connection.js';
import { $$, byId, errorNotice, h, icon } from '../lib/dom.js';
import { listRulebooks, rulebookName, rulebookOptions } from '../lib/rulebooks.js';
import { ANSWERED } from '../lib/unsent.js';
import { lang, playerName, t } from '../lib/words.js';
import { archivedGame, isWanted, localGames, placeOf } from '../local/list.js';
import { localAddress } from '../local/new-game.js';

/** @import { ArchivedGame, ArchivePage } from '../lib/messages.js' */
/** @import { KeptGame } from '../local/kept.js' */
/** @import { Place } from '../local/list.js' */

/**
 * A game of this browser: where it is, its address, and why the server has refused it.
 * @typedef {{place: Place, address: string, why: string}} Local
 */

const FILTERS = ['rulebook', 'result', 'opponent', 'name', 'since', 'until'];
const SEARCH_DELAY_MS = 250;
const PICTURE_SIZE_PX = 104;
const WINNERS = /** @type {const} */ ({ '1-0': 'white', '0-1': 'black' });

const form = byId('filters', HTMLFormElement);
const list = byId('games');
const moreButton = byId('more', HTMLButtonElement);
const details = byId('details', HTMLDetailsElement);
const dateFormat = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
const isWide = matchMedia('(min-width: 720px)');

/** Number of the last search: answers to older ones are dropped. */
let searchNumber = 0;
/** Where the next page starts. */
let nextPage = '';

/** The form as a query, without empty fields. */
function formQuery() {
  const data = new FormData(form);
  const query = new URLSearchParams();
  for (const name of ['mine', ...FILTERS]) {
    const value = String(data.get(name) ?? '').trim();
    if (value) query.set(name, value);
  }
  return query;
}

/** @param {string} [after] where the page starts */
async function search(after = '') {
  const number = ++searchNumber;
  const query = formQuery();
  const isMine = query.has('mine');
  byId('download-all', HTMLAnchorElement).href = `/api/archive.pdn?${query}`;
  updateAddress(query, isMine);
  for (const option of $$('option[data-mine]', HTMLOptionElement, form)) {
    option.hidden = option.disabled = !isMine;
  }
  const local = isMine && !after ? await ownLocalGames(query) : [];
  if (after) query.set('after', after);
  try {
    /** @type {ArchivePage} */
    const page = await api.get(`/api/archive?${query}`);
    if (number !== searchNumber) return;
    if (!after) list.replaceChildren(...localCards(local.filter(({ stored }) => !stored)));
    list.append(...page.games.map((game) => gameCard(game)));
    if (!list.children.length) list.append(emptyCard(isMine));
    nextPage = page.next ?? '';
    moreButton.hidden = !nextPage;
    byId('download-all').hidden = false;
    byId('game-count').textContent = t('games.found', { n: list.querySelectorAll('.game-card').length });
  } catch (error) {
    if (number !== searchNumber) return;
    byId('download-all').hidden = isLost(error); // the server writes that file
    const isOffline = isLost(error) && local.length > 0;
    list.replaceChildren(isOffline ? h('li.games-note', { role: 'status' }, t('games.here_only'))
      : errorNotice(messageOf(error), 'li'), ...localCards(local));
  }
}

/** The games of this browser that fit the search. @param {URLSearchParams} query */
async function ownLocalGames(query) {
  return (await localGames()).filter((game) => isWanted(archivedGame(game), query));
}

/** @param {KeptGame[]} games */
function localCards(games) {
  return games.map((game) =>
    gameCard(archivedGame(game), { place: placeOf(game), address: localAddress(game),
      why: game.refused?.message ?? '' }));
}

/** @param {URLSearchParams} query @param {boolean} isMine */
function updateAddress(query, isMine) {
  const shown = new URLSearchParams(query);
  if (isMine) shown.delete('mine');
  else shown.set('mine', '0');
  const language = new URLSearchParams(location.search).get('lang');
  if (language) shown.set('lang', language);
  history.replaceState(null, '', `${location.pathname}${shown.size ? `?${shown}` : ''}`);
}

/** @param {boolean} isMine */
function emptyCard(isMine) {
  return h('li.card.games-empty', h('p', t(isMine ? 'games.none_mine' : 'games.none')),
    isMine && h('a.button', { href: '/' }, icon('play'), t('games.play_one')));
}

/** @param {ArchivedGame} game @param {Local} [local] */
function gameCard(game, local) {
  const { id, rulebook, fen, plies } = game;
  const orientation = game.you === 'black' ? 'black' : 'white';
  const size = PICTURE_SIZE_PX;
  const picture = new URLSearchParams({ rulebook, fen, size: String(size), numbering: 'none', orientation });
  const image = h('img.game-picture',
    { src: `/position.svg?${picture}`, alt: '', loading: 'lazy', width: size, height: size });
  const hasFiles = plies > 0 && !local;
  const isOver = game.status === 'over' && !local;
  const card = h('li.card.game-card', { dataset: { testid: 'game', game: id } },
    image,
    h('div.game-about',
      h('p.game-players', h('a', { href: local?.address ?? `/game/${id}` },
        `${playerName(game.white)} – ${playerName(game.black)}`)),
      h('p.game-facts', resultTag(game), h('span', rulebookName(rulebook)),
        h('span', t('games.plies', { n: Math.ceil(plies / 2) }))),
      local && h('p.game-facts', h('span.tag', { testid: `here-${local.place}` }, icon('device'),
        t(`games.here_${local.place}`)), local.why),
      h('p.game-facts',
        h('time', { dateTime: new Date(game.updated_ms).toISOString() }, dateFormat.format(game.updated_ms))),
      h('div.game-actions',
        isOver && plies > 0 && h('a', { href: `/analysis?game=${id}`, testid: 'analyse' },
          icon('analysis'), t('games.analyse')),
        hasFiles && h('a', { href: `/game/export/${id}.pdn`, download: `damas-${id}.pdn` }, icon('download'),
          'PDN'),
        hasFiles && h('a', { href: `/paper/scoresheet/${id}`, testid: 'scoresheet' }, icon('print'),
          t('paper.scoresheet')),
        isOver && h('a', { href: `/paper/certificate/${id}`, testid: 'certificate' },
          icon('print'), t('paper.certificate')))));
  image.addEventListener('error', () => { // the server draws them
    image.remove();
    card.classList.add('is-plain');
  });
  return card;
}

/** Won or lost for a player of the game, the winning colour for others. @param {ArchivedGame} game */
function resultTag({ status, result, you }) {
  if (status !== 'over') return h('span.tag.tag-blue', t(`games.status_${status}`));
  const winner = WINNERS[/** @type {keyof typeof WINNERS} */ (result)];
  if (!winner) return h('span.tag', t(result === '*' ? 'games.no_result' : 'games.draw'));
  if (you !== 'white' && you !== 'black') return h('span.tag', t(`games.${winner}_wins`));
  const hasWon = you === winner;
  return h('span.tag', { class: hasWon ? 'tag-good' : 'tag-bad' }, t(hasWon ? 'games.won' : 'games.lost'));
}

/** Fills the form from the address. */
function readAddress() {
  const query = new URLSearchParams(location.search);
  for (const name of FILTERS) {
    const field = form.elements.namedItem(name);
    if (query.has(name) && (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) {
      field.value = query.get(name) ?? '';
    }
  }
  // On a phone the filters are closed unless some are set.
  details.open = isWide.matches || FILTERS.some((name) => query.get(name));
  isWide.addEventListener('change', () => { details.open ||= isWide.matches; });
  if (query.get('mine') === '0') byId('whose-all', HTMLInputElement).checked = true;
}

async function start() {
  await listRulebooks();
  byId('filter-rulebook').append(...rulebookOptions());
  readAddress();
  let timer = 0;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(search, SEARCH_DELAY_MS);
  });
  moreButton.addEventListener('click', () => search(nextPage));
  window.addEventListener(ANSWERED, () => search());
  await search();
}

start().catch((error) => list.replaceChildren(errorNotice(messageOf(error), 'li')))
  .finally(() => { document.body.dataset.ready = 'games'; });
