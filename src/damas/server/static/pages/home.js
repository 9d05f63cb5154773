/** The play page: one card, two clicks. What was chosen last is chosen again. */

import '../board/damas-board.js';
import { api, ApiProblem, rulebook } from '../lib/api.js';
import { $, $$, fill, h, icon } from '../lib/dom.js';
import { watchLobby } from '../lib/lobby.js';
import { timeWords } from '../lib/times.js';
import { t } from '../lib/words.js';

const MAIN = ['brasileira', 'faraes', 'oficial', 'portuguesa', 'concurso', 'internacional'];
const KEY = 'damas.play';

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

/** @param {object} opponent */
async function play(opponent) {
  const { rulebook: id, colour, time, preset } = wanted;
  document.body.classList.add('opening');
  $('#play-trouble').hidden = true;
  try {
    const { url } = await api.post('/api/games', { rulebook: id, opponent, colour, time, preset });
    location.assign(url);
  } catch (problem) {
    trouble(problem);
  }
}

/** @param {unknown} problem */
function trouble(problem) {
  document.body.classList.remove('opening');
  if (!(problem instanceof ApiProblem)) throw problem;
  $('#play-trouble').textContent = problem.message;
  $('#play-trouble').hidden = false;
}

form.addEventListener('input', (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  /** @type {any} */ (wanted)[input.name] = input.name === 'level' ? Number(input.value) : input.value;
  remember();
  showChoice();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  play({ kind: 'level', level: wanted.level });
});
for (const way of $$('[data-opponent]')) way.addEventListener('click', () => play({ kind: way.dataset.opponent }));

// Back from a game by the browser's own button
window.addEventListener('pageshow', () => document.body.classList.remove('opening'));

// The lobby

/** @param {string} id */
const nameOf = (id) => books.find((book) => book.id === id)?.name ?? id;

/** @param {any} seek */
function seekLine(seek) {
  if (seek.mine) return ownLine(seek);
  const name = seek.name || t('play.player.guest');
  const join = async () => {
    try {
      location.assign((await api.post(`/api/games/${seek.id}/join`)).url);
    } catch (problem) {
      trouble(problem);
    }
  };
  return h('li.lobby-line', null,
    h('span.lobby-names', null, name), h('span.lobby-terms', null, terms(seek)),
    h('button.button-quiet', { type: 'button', onclick: join, 'aria-label': t('play.join_label', { name, rulebook: nameOf(seek.rulebook) }), dataset: { testid: `join-${seek.id}` } }, icon('play'), t('play.join')));
}

/** One's own invitation is opened or withdrawn, not accepted. @param {any} seek */
function ownLine(seek) {
  let withdrawn = false;
  const withdraw = async () => { // the line goes when the lobby says so
    if (withdrawn) return;
    withdrawn = true;
    try {
      await api.post(`/api/board/game/${seek.id}/abort`);
    } catch (problem) {
      withdrawn = false;
      trouble(problem);
    }
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
    h('a.button-quiet', { href: `/game/${game.id}`, 'aria-label': `${t('play.watch')}: ${names}`, dataset: { testid: `watch-${game.id}` } }, icon('eye'), t('play.watch')));
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
}

books = (await api.get('/api/rulebooks')).rulebooks;
showBooks();
await showChoice();
watchLobby(showLobby);
document.body.dataset.ready = 'home';
