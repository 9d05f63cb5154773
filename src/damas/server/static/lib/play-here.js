/** The dialog of "Jogar daqui": a game from a position, against a level, a friend or for both sides. */

import { canPlayLocally, startLocalGame } from '../local/new-game.js';
import { api, messageOf } from './api.js';
import { isLost } from './connection.js';
import { openDialog } from './dialog.js';
import { errorNotice, h, iconButton, segmented } from './dom.js';
import { loadValue, storeValue } from './storage.js';
import { t } from './words.js';

/** @import { Side } from './messages.js' */

/**
 * @typedef {'level' | 'friend' | 'device'} Opponent
 * @typedef {{rulebook: string, fen: string, color: Side}} Place a position and who plays it here
 */

const STORAGE_KEY = 'damas.play_here';
const LEVELS = Array.from({ length: 10 }, (_, index) => index + 1);
const OPPONENTS = /** @type {Opponent[]} */ (['level', 'friend', 'device']);
const COLORS = /** @type {const} */ (['white', 'black', 'random']);

/** Asks for opponent, level and colour, then starts the game. @param {Place} place */
export function openPlayHere({ rulebook, fen, color }) {
  const last = loadValue(STORAGE_KEY) ?? {};
  const choices = {
    opponent: OPPONENTS.find((each) => each === last.opponent) ?? 'level',
    level: LEVELS.find((each) => each === last.level) ?? 5,
    color: /** @type {Side | 'random'} */ (color),
  };
  const level = levelField(choices.level, (chosen) => { choices.level = chosen; });
  const side = h('div.field', h('p.label', t('play.colour')),
    segmented('here-color', t('play.colour'), COLORS.map((each) => [each, t(`play.colours.${each}`)]),
      choices.color, (chosen) => { choices.color = chosen; }));
  const problem = h('div', { testid: 'here-problem' });
  const show = () => {
    level.hidden = choices.opponent !== 'level';
    side.hidden = choices.opponent === 'device';
  };
  const go = iconButton('here-go', 'play', t('play.quick'), async () => {
    go.disabled = true;
    storeValue(STORAGE_KEY, { opponent: choices.opponent, level: choices.level });
    try {
      location.assign(await start(choices, { rulebook, fen }));
    } catch (error) {
      problem.replaceChildren(errorNotice(messageOf(error)));
    }
    go.disabled = false;
  }, 'button.button-wide');
  openDialog('play-here', t('analysis.play_here'), h('div.stack',
    segmented('here', t('analysis.here.against'),
      OPPONENTS.map((each) => [each, t(`analysis.here.${each}`)]), choices.opponent, (chosen) => {
        choices.opponent = chosen;
        show();
      }),
    level, side, problem, go));
  show();
  go.focus();
}

/** @param {number} chosen @param {(level: number) => void} onChoose */
function levelField(chosen, onChoose) {
  const select = h('select', { id: 'here-strength', testid: 'here-strength' }, LEVELS.map((level) =>
    h('option', { value: String(level), selected: level === chosen },
      t('play.level_value', { level, word: t(`play.levels.${level}`) }))));
  select.addEventListener('change', () => onChoose(Number(select.value)));
  return h('div.field', h('label', { htmlFor: 'here-strength' }, t('play.level')), select);
}

/**
 * Starts the game on the server; without a network in this browser, but not against a friend.
 * @param {{opponent: Opponent, level: number, color: Side | 'random'}} choices
 * @param {{rulebook: string, fen: string}} place
 * @returns {Promise<string>} its address
 */
async function start({ opponent: kind, level, color }, place) {
  const terms = { ...place, color, time: 'none', preset: 'casual' };
  const opponent = kind === 'level' ? { kind, level } : { kind };
  try {
    return (await api.post('/api/games', { ...terms, opponent })).url;
  } catch (error) {
    if (!isLost(error) || !await canPlayLocally()) throw error;
    if (kind === 'friend') throw new Error(t('play.local.only'), { cause: error });
    return startLocalGame(terms, kind === 'level' ? level : null, false);
  }
}
