/** The play page: start a game with two clicks. The last choices are chosen again. */

import { DamasBoard } from '../board/damas-board.js';
import { api } from '../lib/api.js';
import { $, $$ } from '../lib/dom.js';
import { listRulebooks, rulebook } from '../lib/rulebooks.js';
import { loadValue, storeValue } from '../lib/storage.js';
import { timeWords } from '../lib/times.js';
import { t } from '../lib/words.js';
import { showOwnGames, watchLobby } from './home/lists.js';
import { attempt } from './home/problems.js';
import { baseOf, showReadings, showRulebooks } from './home/rulebook-choice.js';

const STORAGE_KEY = 'damas.play';
const { rulebookDefault = '' } = document.documentElement.dataset;
const requestedRulebook = new URLSearchParams(location.search).get('rulebook');

/**
 * What the visitor chose last for a new game.
 * @type {{rulebook: string, level: number, colour: string, time: string, moveTime: string, preset: string}}
 */
const choices = {
  rulebook: rulebookDefault, level: 4, colour: 'white', time: 'none', moveTime: '30s/move', preset: 'casual',
  ...loadValue(STORAGE_KEY), ...(requestedRulebook ? { rulebook: requestedRulebook } : {}),
};
const isFirstVisit = !loadValue(STORAGE_KEY) && !requestedRulebook;

const form = $('#play-form', HTMLFormElement);
const board = $('#preview', DamasBoard);
const level = $('#level', HTMLInputElement);
const rulebooks = await listRulebooks();

/** What is sent: in a contest the time is that of a move, and the lot decides the colours. */
function terms() {
  const { rulebook: id, colour, time, moveTime, preset } = choices;
  const isContest = preset === 'contest';
  return { rulebook: id, color: isContest ? 'random' : colour, time: isContest ? moveTime : time, preset };
}

/** Shows the choices in the form and the rulebook's board beside it. */
async function showChoices() {
  const { rulebook: id, moveTime, preset } = choices;
  const { color: colour, time } = terms();
  const isContest = preset === 'contest';
  const base = baseOf(rulebooks, id);
  $('#rulebook-line').textContent = base?.summary ?? '';
  const levelWords = t('play.level_value', { level: choices.level, word: t(`play.levels.${choices.level}`) });
  level.value = String(choices.level);
  level.setAttribute('aria-valuetext', levelWords);
  $('#level-word').textContent = levelWords;
  $('#quick-line').textContent = t('play.quick_against', { level: choices.level });
  for (const [name, value] of Object.entries({ colour, time: choices.time, moveTime, preset })) {
    const input = form.querySelector(`input[name="${name}"][value="${value}"]`);
    if (input instanceof HTMLInputElement) input.checked = true;
  }
  for (const input of $$('input[name="colour"]', HTMLInputElement)) input.disabled = isContest;
  $('#times').hidden = isContest;
  $('#move-times').hidden = $('#lot-line').hidden = !isContest;
  const words = [t(`play.colours.${colour}`), timeWords(time), t(`play.presets.${preset}`)];
  $('#options-now').textContent = words.join(' · ');
  $('#preset-line').textContent = t(`play.preset_lines.${preset}`);
  const book = await rulebook(id);
  if (id !== choices.rulebook) return;
  $('#rulebook-line').textContent = book.summary;
  const losesByText = book.switches.some(({ key, value }) => key === 'invalid_move' && value === 'loses');
  $('#by-document').hidden = !losesByText;
  $('#by-document input', HTMLInputElement).checked = isContest;
  showReadings(book);
  board.set({ book, orientation: colour === 'black' ? 'black' : 'white' });
  board.position = { ...book.start, legal: [] };
  $('#preview-caption').textContent = t('play.preview', { rulebook: book.name });
  $('#preview-rules', HTMLAnchorElement).href = `/rules/${id}`;
}

/** @param {{kind?: string, level?: number}} opponent @param {Element} tapped */
async function startGame(opponent, tapped) {
  document.body.classList.add('opening');
  await attempt(async () => {
    location.assign((await api.post('/api/games', { ...terms(), opponent })).url);
  }, tapped);
}

/** The choice that an input changes. @param {HTMLInputElement} input */
function choiceOf({ name, value, checked }) {
  if (name === 'by-document') return { preset: checked ? 'contest' : 'casual' };
  if (name === 'reading') return { rulebook: value };
  return { [name]: name === 'level' ? Number(value) : value };
}

form.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  Object.assign(choices, choiceOf(target));
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

choices.rulebook = showRulebooks(rulebooks, choices.rulebook, isFirstVisit);
await Promise.all([showChoices(), showOwnGames()]);
watchLobby();
document.body.dataset.ready = 'home';
