/** My games and the archive: filters that are kept in the address, a card a game, more on demand. */

import { api } from '../lib/api.js';
import { $$, byId, h, icon } from '../lib/dom.js';
import { lang, t } from '../lib/words.js';

const form = byId('filters');
const list = byId('games');
const more = byId('more');
const day = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
const NAMES = ['mine', 'rulebook', 'result', 'opponent', 'name', 'since', 'until'];

/** @type {Map<string, string>} */
const books = new Map();
let asked = 0;

/** What the form says, as a query; empty answers are left out. */
function query() {
  const fields = new FormData(form);
  const found = new URLSearchParams();
  for (const name of NAMES) {
    const value = String(fields.get(name) ?? '').trim();
    if (value) found.set(name, value);
  }
  return found;
}

/** @param {string} [after] where the last page ended */
async function search(after = '') {
  const mark = ++asked;
  const wanted = query();
  const mine = wanted.has('mine');
  byId('download-all').href = `/api/archive.pdn?${wanted}`;
  const shown = new URLSearchParams(wanted);
  if (!mine) shown.set('mine', '0');
  else shown.delete('mine');
  const kept = new URLSearchParams(location.search).get('lang');
  if (kept) shown.set('lang', kept);
  history.replaceState(null, '', `${location.pathname}${shown.size ? `?${shown}` : ''}`);
  for (const option of $$('option[data-mine]', HTMLOptionElement, form)) option.hidden = option.disabled = !mine;
  if (after) wanted.set('after', after);
  try {
    const told = await api.get(`/api/archive?${wanted}`);
    if (mark !== asked) return;
    const cards = told.games.map((/** @type {any} */ game) => card(game));
    if (after) list.append(...cards);
    else list.replaceChildren(...cards);
    if (!list.children.length) list.append(empty(mine));
    more.hidden = !told.next;
    more.onclick = () => search(told.next);
    byId('found').textContent = t('games.found', { n: list.querySelectorAll('.game-card').length });
  } catch (trouble) {
    if (mark === asked) list.replaceChildren(h('li.notice.notice-bad', { role: 'alert' }, /** @type {Error} */ (trouble).message));
  }
}

/** @param {boolean} mine */
function empty(mine) {
  return h('li.card.games-empty', null, h('p', null, t(mine ? 'games.none_mine' : 'games.none')),
    mine && h('a.button', { href: '/' }, icon('play'), t('games.play_one')));
}

/** @param {any} game */
function card(game) {
  const over = game.status === 'over';
  const picture = `/position.svg?${new URLSearchParams({ rulebook: game.rulebook, fen: game.fen, size: '104', numbering: 'none', orientation: game.you === 'black' ? 'black' : 'white' })}`;
  return h('li.card.game-card', { dataset: { testid: 'game', game: game.id } },
    h('img.game-picture', { src: picture, alt: '', loading: 'lazy', width: 104, height: 104 }),
    h('div.game-about', null,
      h('p.game-players', null, h('a', { href: `/game/${game.id}` }, `${player(game.white)} – ${player(game.black)}`)),
      h('p.game-facts', null, result(game), h('span', null, books.get(game.rulebook) ?? game.rulebook), h('span', null, t('games.plies', { n: Math.ceil(game.plies / 2) }))),
      h('p.game-facts', null, h('time', { dateTime: new Date(game.updated_ms).toISOString() }, day.format(game.updated_ms))),
      h('div.game-actions', null,
        over && game.plies > 0 && h('a', { href: `/analysis?game=${game.id}`, dataset: { testid: 'analyse' } }, icon('analysis'), t('games.analyse')),
        game.plies > 0 && h('a', { href: `/game/export/${game.id}.pdn`, download: `damas-${game.id}.pdn` }, icon('download'), 'PDN'))));
}

/** @param {{name: string, kind: string}} who */
function player(who) {
  const level = /^level:(\d+)/.exec(who.kind)?.[1];
  return level ? t('games.level', { level }) : who.name || t('games.nobody');
}

/** How it ended, for whoever looks: won and lost for a player, the colours for everybody else. @param {any} game */
function result(game) {
  if (game.status !== 'over') return h('span.tag.tag-blue', null, t(`games.status_${game.status}`));
  const mine = { '1-0': 'white', '0-1': 'black' }[/** @type {'1-0'} */ (game.result)];
  if (!mine) return h('span.tag', null, t(game.result === '*' ? 'games.no_result' : 'games.draw'));
  if (game.you === 'white' || game.you === 'black') return h('span.tag', { class: game.you === mine ? 'tag-good' : 'tag-bad' }, t(game.you === mine ? 'games.won' : 'games.lost'));
  return h('span.tag', null, t(`games.${mine}_wins`));
}

async function begin() {
  const { rulebooks } = await api.get('/api/rulebooks');
  for (const book of rulebooks) books.set(book.id, book.name);
  byId('filter-rulebook').append(...rulebooks.map((/** @type {any} */ book) => h('option', { value: book.id }, book.name)));
  const address = new URLSearchParams(location.search);
  for (const name of NAMES.slice(1)) if (address.has(name)) form.elements[name].value = address.get(name);
  // On a phone the filters wait behind a word, unless some are in force.
  byId('details').open = matchMedia('(min-width: 720px)').matches || NAMES.slice(1).some((name) => address.get(name));
  matchMedia('(min-width: 720px)').addEventListener('change', (wide) => { byId('details').open ||= wide.matches; });
  if (address.get('mine') === '0') byId('whose-all').checked = true;
  form.addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault());
  let timer = 0;
  form.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(search, 250);
  });
  await search();
}

begin().catch((trouble) => list.replaceChildren(h('li.notice.notice-bad', { role: 'alert' }, trouble.message)))
  .finally(() => { document.body.dataset.ready = 'games'; });
