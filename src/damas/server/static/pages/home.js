/** The play page: start a game with two clicks. The last choices are chosen again. */

import { DamasBoard } from '../board/damas-board.js';
import { api } from '../lib/api.js';
import { $, $$, h } from '../lib/dom.js';
import { listRulebooks, rulebook } from '../lib/rulebooks.js';
import { loadValue, storeValue } from '../lib/storage.js';
import { timeWords } from '../lib/times.js';
import { t } from '../lib/words.js';
import { showOwnGames, watchLobby } from './home/lists.js';
import { attempt } from './home/problems.js';

/** @import { RulebookEntry } from '../lib/messages.js' */

/** How many rulebooks are shown at once; the others are behind "more". */
const MAIN_RULEBOOKS = 6;
const STORAGE_KEY = 'damas.play';
const { rulebookDefault = '' } = document.documentElement.dataset;
const requestedRulebook = new URLSearchParams(location.search).get('rulebook');

/**
 * What the visitor chose last for a new game.
 * @type {{rulebook: string, level: number, colour: string, time: string, preset: string}}
 */
const choices = {
  rulebook: rulebookDefault, level: 4, colour: 'white', time: 'none', preset: 'casual',
  ...loadValue(STORAGE_KEY), ...(requestedRulebook ? { rulebook: requestedRulebook } : {}),
};

const form = $('#play-form', HTMLFormElement);
const board = $('#preview', DamasBoard);
const level = $('#level', HTMLInputElement);
const rulebooks = await listRulebooks();

/** @param {RulebookEntry} book */
function rulebookChip({ id, name, summary }) {
  return h('label.chip', { testid: `rulebook-chip-${id}`, title: summary },
    h('input', { type: 'radio', name: 'rulebook', value: id, checked: id === choices.rulebook }), name);
}

function showRulebooks() {
  const isDefault = (/** @type {RulebookEntry} */ { id }) => Number(id === rulebookDefault);
  const ordered = [...rulebooks].sort((a, b) => isDefault(b) - isDefault(a));
  if (!rulebooks.some(({ id }) => id === choices.rulebook)) choices.rulebook = ordered[0].id;
  const main = ordered.slice(0, MAIN_RULEBOOKS);
  $('#rulebook-chips').replaceChildren(...main.map(rulebookChip));
  $('#other-chips').replaceChildren(...ordered.slice(MAIN_RULEBOOKS).map(rulebookChip));
  $('#more-rulebooks', HTMLDetailsElement).open = !main.some(({ id }) => id === choices.rulebook);
}

/** Shows the choices in the form and the rulebook's board beside it. */
async function showChoices() {
  const { rulebook: id, colour, time, preset } = choices;
  $('#rulebook-line').textContent = rulebooks.find((book) => book.id === id)?.summary ?? '';
  const levelWords = t('play.level_value', { level: choices.level, word: t(`play.levels.${choices.level}`) });
  level.value = String(choices.level);
  level.setAttribute('aria-valuetext', levelWords);
  $('#level-word').textContent = levelWords;
  $('#quick-line').textContent = t('play.quick_against', { level: choices.level });
  for (const [name, value] of Object.entries({ colour, time, preset })) {
    const input = form.querySelector(`input[name="${name}"][value="${value}"]`);
    if (input instanceof HTMLInputElement) input.checked = true;
  }
  const words = [t(`play.colours.${colour}`), timeWords(time), t(`play.presets.${preset}`)];
  $('#options-now').textContent = words.join(' · ');
  $('#preset-line').textContent = t(`play.preset_lines.${preset}`);
  const book = await rulebook(id);
  if (id !== choices.rulebook) return;
  board.set({ book, orientation: colour === 'black' ? 'black' : 'white' });
  board.position = { ...book.start, legal: [] };
  $('#preview-caption').textContent = t('play.preview', { rulebook: book.name });
  $('#preview-rules', HTMLAnchorElement).href = `/rules/${id}`;
}

/** @param {{kind?: string, level?: number}} opponent @param {Element} tapped */
async function startGame(opponent, tapped) {
  const { rulebook: id, colour, time, preset } = choices;
  document.body.classList.add('opening');
  await attempt(async () => {
    const terms = { rulebook: id, opponent, color: colour, time, preset };
    location.assign((await api.post('/api/games', terms)).url);
  }, tapped);
}

form.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  Object.assign(choices, { [target.name]: target.name === 'level' ? Number(target.value) : target.value });
  storeValue(STORAGE_KEY, choices);
  void showChoices();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void startGame({ kind: 'level', level: choices.level }, $('#play-go'));
});
for (const button of $$('[data-opponent]')) {
  button.addEventListener('click', () => startGame({ kind: button.dataset.opponent }, $('#people-ways')));
}

// Back from a game by the browser's own button.
window.addEventListener('pageshow', (event) => {
  document.body.classList.remove('opening');
  if (event.persisted) void showOwnGames();
});
document.addEventListener('visibilitychange', () => { if (!document.hidden) void showOwnGames(); });

showRulebooks();
await Promise.all([showChoices(), showOwnGames()]);
watchLobby();
document.body.dataset.ready = 'home';
