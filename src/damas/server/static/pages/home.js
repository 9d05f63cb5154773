/** The play page: start a game with two clicks. The last choices are chosen again. */

import { DamasBoard } from '../board/damas-board.js';
import { api, ApiError } from '../lib/api.js';
import { isLost } from '../lib/connection.js';
import { $, $$ } from '../lib/dom.js';
import { listRulebooks, rulebook } from '../lib/rulebooks.js';
import { loadValue, storeValue } from '../lib/storage.js';
import { modeWords, timeWords } from '../lib/times.js';
import { t } from '../lib/words.js';
import { canPlayLocally, startLocalGame } from '../local/new-game.js';
import { StorageError } from '../local/store.js';
import { showOwnGames, watchLobby } from './home/lists.js';
import { attempt } from './home/problems.js';
import { baseOf, showReadings, showRulebooks } from './home/rulebook-choice.js';
import { showTraining } from './home/training.js';

/** @import { RulebookView } from '../lib/messages.js' */

const STORAGE_KEY = 'damas.play';
const { rulebookDefault = '' } = document.documentElement.dataset;
const requestedRulebook = new URLSearchParams(location.search).get('rulebook');

/**
 * What the visitor chose last for a new game.
 * @type {{rulebook: string, level: number, colour: string, time: string, preset: string,
 *   isByDocument: boolean}}
 */
const choices = {
  rulebook: rulebookDefault, level: 4, colour: 'white', time: '', preset: 'casual', isByDocument: false,
  ...loadValue(STORAGE_KEY), ...(requestedRulebook ? { rulebook: requestedRulebook } : {}),
};
const isFirstVisit = !loadValue(STORAGE_KEY) && !requestedRulebook;

const form = $('#play-form', HTMLFormElement);
const board = $('#preview', DamasBoard);
const level = $('#level', HTMLInputElement);
const rulebooks = await listRulebooks();

/** Whether the lot decides the colours, by the regulation or by the text. */
let isByLot = choices.preset === 'contest';

/** The time of a game whose players choose none. @param {string} preset */
function usualTime(preset) {
  return $(`input[name="preset"][value="${preset}"]`, HTMLInputElement).dataset.time ?? 'none';
}

/** What is sent. In a contest the time is that of a move. */
function terms() {
  const { rulebook: id, colour, time, preset } = choices;
  const isOffered = time && time.endsWith('/move') === usualTime(preset).endsWith('/move');
  const color = isByLot ? 'random' : colour;
  return { rulebook: id, color, time: isOffered ? time : usualTime(preset), preset };
}

/** Shows the choices in the form and the rulebook's board beside it. */
async function showChoices() {
  const { rulebook: id, preset } = choices;
  const { color: colour, time } = terms();
  const isContest = preset === 'contest';
  const base = baseOf(rulebooks, id);
  $('#rulebook-line').textContent = base?.summary ?? '';
  // A first choice has its summary beside it.
  const isFirstChoice = document.querySelector('#first-choice input:checked') !== null;
  $('#rulebook-line').hidden = id === base?.id && isFirstChoice;
  const levelWords = t('play.level_value', { level: choices.level, word: t(`play.levels.${choices.level}`) });
  level.value = String(choices.level);
  level.setAttribute('aria-valuetext', levelWords);
  $('#level-word').textContent = levelWords;
  $('#quick-line').textContent = t('play.quick_against', { level: choices.level });
  for (const [name, value] of Object.entries({ colour, time, preset })) {
    const input = form.querySelector(`input[name="${name}"][value="${value}"]`);
    if (input instanceof HTMLInputElement) input.checked = true;
  }
  for (const input of $$('input[name="colour"]', HTMLInputElement)) input.disabled = isByLot;
  $('#lot-line').hidden = !isByLot;
  $('#times').hidden = isContest;
  $('#move-times').hidden = !isContest;
  const words = [t(`play.colours.${colour}`), timeWords(time), modeWords(preset)];
  $('#options-now').textContent = words.join(' · ');
  $('#preset-line').textContent = t(`play.preset_lines.${preset}`);
  const book = await rulebook(id);
  if (id !== choices.rulebook || preset !== choices.preset) return;
  $('#rulebook-line').textContent = book.summary;
  if (book.presets[preset].by_lot !== isByLot) {
    isByLot = !isByLot;
    return showChoices();
  }
  const losesByText = book.switches.find(({ key, value }) => key === 'invalid_move' && value === 'loses');
  $('#by-document').hidden = !losesByText;
  if (losesByText && !isContest && book.presets[preset]?.invalid_loses) {
    const article = losesByText.articles[0]?.article ?? '';
    $('#preset-line').append(` ${t('play.preset_invalid', { article })}`);
  }
  $('#preset-line').append(` ${textRuleWords(book.presets[preset], time !== 'none')}`);
  $('#by-document input', HTMLInputElement).checked = isContest;
  showReadings(book);
  board.set({ book, orientation: colour === 'black' ? 'black' : 'white' });
  board.position = { ...book.start, legal: [] };
  $('#preview-caption').textContent = t('play.preview', { rulebook: book.name });
  $('#preview-rules', HTMLAnchorElement).href = `/rules/${id}`;
}

/** Rules about hands over the board. */
const HAND_RULES = ['touch_move', 'two_tempi', 'crowning_by_hand'];

/**
 * What players must do, what only the text asks for, and where the regulation departs from the text.
 * @param {RulebookView['presets'][string]} preset @param {boolean} hasClock
 */
function textRuleWords({ text_rules: all, hints }, hasClock) {
  const rules = all.filter(({ rule }) => rule !== 'clock' || !hasClock);
  const isByHand = rules.some(({ rule }) => HAND_RULES.includes(rule));
  const cited = (/** @type {string} */ article) => (article ? ` (${article})` : '');
  const words = ['demanded', 'not_demanded', 'left_out', 'added'].flatMap((stands) => {
    const list = rules.filter((each) => each.stands === stands)
      .map(({ rule, article }) => t(`play.text_rules.${rule}`) + cited(article)).join('; ');
    return list ? [t(`play.text_rules.${stands}`, { list })] : [];
  });
  // In a casual game nobody expects anything to be done by hand.
  if (!hints && !isByHand) words.unshift(t('play.text_rules.none'));
  return words.join(' ');
}

/** @param {{kind?: string, level?: number}} opponent @param {Element} tapped */
async function startGame(opponent, tapped) {
  document.body.classList.add('opening');
  await attempt(async () => {
    const created = api.post('/api/games', { ...terms(), opponent });
    location.assign(await created.then(({ url }) => url, (error) => {
      if (!isLost(error)) throw error;
      return startWithoutServer(opponent, error);
    }));
  }, tapped);
}

/**
 * Starts a game in this browser, if it has kept what that needs.
 * @param {{kind?: string, level?: number}} opponent @param {ApiError} error
 */
async function startWithoutServer({ kind, level: wanted }, error) {
  if (!await canPlayLocally()) throw error;
  if (kind === 'level' || kind === 'device') {
    return startLocalGame(terms(), wanted ?? null, isByLot).catch((problem) => {
      if (!(problem instanceof StorageError)) throw problem;
      throw new ApiError(0, { code: 'NOT_KEPT', message: t('play.connection.not_kept') });
    });
  }
  throw new ApiError(0, { code: error.code, message: t('play.local.only') });
}

/** The choice that an input changes. @param {HTMLInputElement} input */
function choiceOf({ name, value, checked }) {
  // Another regulation has another usual time.
  if (name === 'by-document') {
    return { preset: checked ? 'contest' : 'casual', time: '', isByDocument: checked };
  }
  if (name === 'preset') return { preset: value, time: '', isByDocument: false };
  // "As the document says" was chosen for that document, not for the next one.
  if (name === 'rulebook' && choices.isByDocument) {
    return { rulebook: value, preset: 'casual', time: '', isByDocument: false };
  }
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
for (const button of $$('button[name="opponent"]', HTMLButtonElement)) {
  button.addEventListener('click', (event) => {
    event.preventDefault();
    void startGame({ kind: button.value }, $('#people-ways'));
  });
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
void showTraining();
document.body.dataset.ready = 'home';
