/** The play page: one card, two clicks. What was chosen last is chosen again. */

import '../board/damas-board.js';
import { api, ApiError, rulebook } from '../lib/api.js';
import { $, $$, fill, h, icon } from '../lib/dom.js';
import { watchLobby } from '../lib/lobby.js';
import { timeWords } from '../lib/times.js';
import { t } from '../lib/words.js';

const MAIN = ['brasileira', 'faraes', 'oficial', 'portuguesa', 'concurso', 'internacional'];
const KEY = 'damas.play';
const MOST_OWN = 3;

/** @type {HTMLFormElement} */
const form = $('#play-form');
/** @type {any} */
const board = $('#preview');
const wanted = remembered();
/** @type {any[]} */
let books = [];

function remembered() {
  const first = { rulebook: document.documentElement.dataset.rulebookDefault ?? 'brasileira', level: 4, colour: 'white', time: 'none', preset: 'casual' };
  const asked = new URLSearchParams(location.search).get('rulebook');
  try {
    return { ...first, ...JSON.parse(localStorage.getItem(KEY) ?? '{}'), ...(asked ? { rulebook: asked } : {}) };
  } catch {
    return first;
  }
}

function remember() {
  try {
    localStorage.setItem(KEY, JSON.stringify(wanted));
  } catch { /* then it is asked again next time */ }
}

/** @param {any} book */
function chip(book) {
  return h('label.chip', { dataset: { testid: `rulebook-chip-${book.id}` }, title: book.summary },
    h('input', { type: 'radio', name: 'rulebook', value: book.id, checked: book.id === wanted.rulebook }), book.name);
}

function showBooks() {
  const main = [...MAIN].sort((a, b) => Number(b === document.documentElement.dataset.rulebookDefault) - Number(a === document.documentElement.dataset.rulebookDefault));
  const byId = new Map(books.map((book) => [book.id, book]));
  if (!byId.has(wanted.rulebook)) wanted.rulebook = main[0];
  $('#rulebook-chips').replaceChildren(...main.flatMap((id) => (byId.has(id) ? [chip(byId.get(id))] : [])));
  $('#other-chips').replaceChildren(...books.filter(({ id }) => !MAIN.includes(id)).map(chip));
  $('#more-rulebooks').open = !MAIN.includes(wanted.rulebook);
}

async function showChoice() {
  const book = books.find(({ id }) => id === wanted.rulebook);
  $('#rulebook-line').textContent = book?.summary ?? '';
  $('#level').value = String(wanted.level);
  const word = t('play.level_value', { level: wanted.level, word: t(`play.levels.${wanted.level}`) });
  $('#level-word').textContent = word;
  $('#level').setAttribute('aria-valuetext', word);
  $('#quick-line').textContent = t('play.quick_against', { level: wanted.level });
  for (const name of ['colour', 'time', 'preset']) {
    const input = form.querySelector(`input[name="${name}"][value="${wanted[/** @type {'colour'} */ (name)]}"]`);
    if (input) /** @type {HTMLInputElement} */ (input).checked = true;
  }
  $('#options-now').textContent = [t(`play.colours.${wanted.colour}`), timeWords(wanted.time), t(`play.presets.${wanted.preset}`)].join(' · ');
  $('#preset-line').textContent = t(`play.preset_lines.${wanted.preset}`);
  const id = wanted.rulebook;
  const whole = await rulebook(id);
  if (id !== wanted.rulebook) return;
  board.book = whole;
  board.orientation = wanted.colour === 'black' ? 'black' : 'white';
  board.position = { ...whole.start, legal: [] };
  $('#preview-caption').textContent = t('play.preview', { rulebook: whole.name });
  $('#preview-rules').href = `/rules/${id}`;
}

/** @param {object} opponent @param {Element} tapped */
async function play(opponent, tapped) {
  const { rulebook: id, colour, time, preset } = wanted;
  document.body.classList.add('opening');
  await attempt(async () => {
    const { url } = await api.post('/api/games', { rulebook: id, opponent, color: colour, time, preset });
    location.assign(url);
  }, tapped);
}

const said = $('#play-trouble');
let unreached = false;

/**
 * Does what was asked for, and tells whether it was done. A failure is said right below what was tapped: there the visitor looks.
 * @param {() => Promise<void>} work @param {Element} tapped
 */
async function attempt(work, tapped) {
  hush();
  try {
    await work();
    return true;
  } catch (problem) {
    document.body.classList.remove('opening');
    if (!(problem instanceof ApiError)) throw problem;
    tapped.after(said);
    unreached = problem.code === 'UNREACHABLE';
    said.textContent = problem.message;
    said.hidden = false;
    said.scrollIntoView({ block: 'nearest' });
    return false;
  }
}

function hush() {
  said.hidden = true;
  said.textContent = '';
  unreached = false;
}

/** What the line's being down was the reason of is not true any more. */
function reached() {
  if (unreached) hush();
}

window.addEventListener('online', reached);

form.addEventListener('input', (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  /** @type {any} */ (wanted)[input.name] = input.name === 'level' ? Number(input.value) : input.value;
  remember();
  showChoice();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  play({ kind: 'level', level: wanted.level }, $('#play-go'));
});
for (const way of $$('[data-opponent]')) way.addEventListener('click', () => play({ kind: way.dataset.opponent }, $('#people-ways')));

// Back from a game by the browser's own button
window.addEventListener('pageshow', (event) => {
  document.body.classList.remove('opening');
  if (event.persisted) showOwnGames();
});
document.addEventListener('visibilitychange', () => { if (!document.hidden) showOwnGames(); });

// The lobby

/** @param {string} id */
const nameOf = (id) => books.find((book) => book.id === id)?.name ?? id;

// A failure is said over the list and not in it: its lines come and go
const overSeeks = $('#lobby-title');

/** @param {any} seek */
function seekLine(seek) {
  if (seek.mine) return ownLine(seek);
  const name = seek.name || t('play.player.guest');
  const join = () => attempt(async () => {
    location.assign((await api.post(`/api/games/${seek.id}/join`)).url);
  }, overSeeks);
  return h('li.lobby-line', null,
    h('span.lobby-names', null, name), h('span.lobby-terms', null, terms(seek)),
    h('button.button-quiet', { type: 'button', onclick: join, 'aria-label': t('play.join_label', { name, rulebook: nameOf(seek.rulebook) }), dataset: { testid: `join-${seek.id}` } }, icon('play'), t('play.join')));
}

/** One's own invitation is opened or withdrawn, not accepted. @param {any} seek */
function ownLine(seek) {
  let asked = false;
  const withdraw = async () => { // the line goes when the lobby says so
    if (asked) return;
    asked = true;
    asked = await attempt(() => api.post(`/api/board/game/${seek.id}/abort`), overSeeks);
  };
  const about = (/** @type {string} */ word) => `${word}: ${t('play.own_seek')}, ${nameOf(seek.rulebook)}`;
  return h('li.lobby-line', { dataset: { testid: `own-${seek.id}` } },
    h('span.lobby-names', null, t('play.own_seek')), h('span.lobby-terms', null, terms(seek)),
    h('div.lobby-own', null,
      h('a.button-quiet', { href: `/game/${seek.id}`, 'aria-label': about(t('play.open_seek')), dataset: { testid: `open-${seek.id}` } }, icon('game'), t('play.open_seek')),
      h('button.button-quiet', { type: 'button', onclick: withdraw, 'aria-label': about(t('play.do.abort')), dataset: { testid: `withdraw-${seek.id}` } }, icon('close'), t('play.do.abort'))));
}

/** @param {any} game */
function gameLine(game) {
  const guest = t('play.player.guest');
  const names = t('play.versus', { white: game.white || guest, black: game.black || guest });
  return h('li.lobby-line', null,
    h('span.lobby-names', null, names), h('span.lobby-terms', null, `${terms(game)} · ${t('play.ply', { n: game.ply })}`),
    game.mine
      ? h('a.button-quiet', { href: `/game/${game.id}`, 'aria-label': `${t('play.continue')}: ${names}`, dataset: { testid: `continue-${game.id}` } }, icon('play'), t('play.continue'))
      : h('a.button-quiet', { href: `/game/${game.id}`, 'aria-label': `${t('play.watch')}: ${names}`, dataset: { testid: `watch-${game.id}` } }, icon('eye'), t('play.watch')));
}

/** @param {any} game */
function terms(game) {
  return [nameOf(game.rulebook), timeWords(game.time), ...(game.preset === 'casual' ? [] : [t(`play.presets.${game.preset}`)])].join(' · ');
}

/** @param {any} lobby */
function showLobby({ seeks, games }) {
  fill($('#seeks'), seeks.map(seekLine));
  fill($('#live-games'), games.map(gameLine));
  $('#no-seeks').hidden = seeks.length > 0;
  $('#no-live').hidden = games.length > 0;
  reached();
  const mine = games.filter((/** @type {any} */ game) => game.mine).map((/** @type {any} */ game) => game.id).sort().join();
  if (mine !== minePlayed) showOwnGames();
  minePlayed = mine;
}

// One's own games that go on, of every kind: those against the computer are in no lobby

/** The visitor's games that the lobby showed last. */
let minePlayed = '';

async function showOwnGames() {
  let games = [];
  try {
    ({ games } = await api.get('/api/archive?mine=1&status=playing'));
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    return; // they are in the menu's games as well
  }
  $('#own-games').hidden = !games.length;
  $('#own-all').hidden = games.length <= MOST_OWN;
  $('#own-title').textContent = t('play.own_games', { n: games.length });
  fill($('#own-list'), games.slice(0, MOST_OWN).map(ownGameLine));
}

/** @param {any} game */
function ownGameLine(game) {
  const against = game.you === 'both' ? t('play.device') : game[game.you === 'white' ? 'black' : 'white'].name || t('play.player.guest');
  const turn = { W: 'white', B: 'black' }[/** @type {'W'} */ (game.fen[0])];
  const facts = [nameOf(game.rulebook), timeWords(game.time), ...(turn === game.you ? [t('play.your_turn')] : [])];
  return h('li.lobby-line', null,
    h('span.lobby-names', null, against), h('span.lobby-terms', null, facts.join(' · ')),
    h('a.button', { href: `/game/${game.id}`, 'aria-label': `${t('play.continue')}: ${against}, ${nameOf(game.rulebook)}`, dataset: { testid: `resume-${game.id}` } }, icon('play'), t('play.continue')));
}

books = (await api.get('/api/rulebooks')).rulebooks;
showBooks();
await Promise.all([showChoice(), showOwnGames()]);
watchLobby(showLobby);
document.body.dataset.ready = 'home';
