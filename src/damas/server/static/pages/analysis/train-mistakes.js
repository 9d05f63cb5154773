/** The mistakes of a report as puzzles: one button, or by itself for whoever is logged in and wants it so. */

import { currentAccount } from '../../lib/account.js';
import { api, ApiError } from '../../lib/api.js';
import { h, icon } from '../../lib/dom.js';
import { onPreferences, preference, setPreferences } from '../../lib/preferences.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { lang, t } from '../../lib/words.js';

/** @import { ReportView, Side } from '../../lib/messages.js' */
/** @import { MistakesTaken } from '../learning/messages.js' */

/** Mistakes of one request: the worst ones. */
const MAX_MISTAKES = 8;
const MAX_MESSAGE = 600;
/** Games whose mistakes were trained by themselves: not again each time that a report is opened. */
const STORAGE_KEY = 'damas.trained';
const MAX_GAMES = 100;

/** @returns {string[]} */
const trainedGames = () => loadValue(STORAGE_KEY) ?? [];

/**
 * @param {ReportView} report @param {() => Side | 'both'} side whose mistakes are shown
 * @param {{rulebook: string, fen: string, moves: string[]}} line the game
 * @param {string} game its id, if it has one
 */
export function trainMistakes(report, side, line, game) {
  if (!report.mistakes.length) return h('div');
  const button = h('button.button-quiet', { testid: 'train-mistakes', onclick: () => train() },
    icon('puzzle'), t('analysis.train'));
  const status = h('p.small', { role: 'status', testid: 'train-status' });
  const leftOut = h('ul.small.muted', { testid: 'train-left', hidden: true });
  const element = h('div.train-mistakes', button, status, leftOut);
  const isOwn = game && side() !== 'both';
  if (currentAccount() && isOwn) {
    const automatic = h('input', { type: 'checkbox', testid: 'train-always',
      onchange: () => setPreferences({ trainMistakes: automatic.checked }) });
    onPreferences(({ trainMistakes: isOn }) => { automatic.checked = isOn; });
    element.append(h('label.check.small', automatic, t('analysis.train_always')));
    if (preference('trainMistakes') && !trainedGames().includes(game)) void train();
  }

  async function train() {
    const mistakes = report.mistakes
      .filter(({ by }) => side() === 'both' || by === side())
      .toSorted((a, b) => b.lost - a.lost).slice(0, MAX_MISTAKES)
      .map(({ ply, message }) => ({ ply, message: (message[lang] ?? '').slice(0, MAX_MESSAGE) }));
    if (!mistakes.length) return void (status.textContent = t('analysis.no_mistake'));
    button.disabled = true;
    status.textContent = t('analysis.train_working');
    try {
      /** @type {MistakesTaken} */
      const taken = await api.post('/api/training/mistakes',
        { ...line, mistakes, game, account: currentAccount() });
      if (isOwn) storeValue(STORAGE_KEY, [game, ...trainedGames()].slice(0, MAX_GAMES));
      showTaken(taken);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      status.textContent = error.status === 404 ? t('analysis.train_no_rulebook')
        : `${error.message} ${error.status ? '' : t('analysis.train_away')}`;
    }
    button.disabled = false;
  }

  /** @param {MistakesTaken} reply */
  function showTaken({ rulebook, taken, left }) {
    const href = `/puzzles?rulebook=${rulebook}&mode=review&lang=${lang}`;
    status.replaceChildren(t('analysis.train_taken', { n: taken.length }), ' ',
      ...(taken.length ? [h('a', { href, testid: 'train-now' }, t('analysis.train_now'))] : []));
    const moves = new Map(report.mistakes.map(({ ply, move }) => [ply, move]));
    leftOut.replaceChildren(...left.map(({ ply, why }) =>
      h('li', `${moves.get(ply) ?? ''}: ${t(`analysis.train_left.${why}`)}`)));
    leftOut.hidden = !left.length;
  }

  return element;
}
