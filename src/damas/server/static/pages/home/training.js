/** What there is to train today, for whoever has trained before: daily puzzle, reviews, days in a row. */

import { api } from '../../lib/api.js';
import { byId, h } from '../../lib/dom.js';
import { loadValue } from '../../lib/storage.js';
import { t } from '../../lib/words.js';

/** @import { TrainingToday } from '../learning/messages.js' */

/** Where `pages/puzzles.js` keeps the rulebook that was trained last. */
const STORAGE_KEY = 'damas.puzzles';

export async function showTraining() {
  const book = loadValue(STORAGE_KEY);
  if (typeof book !== 'string') return;
  const offset = -new Date().getTimezoneOffset();
  /** @type {TrainingToday | null} */
  const today = await api.get(`/api/training/${book}/today?offset=${offset}`).catch(() => null);
  if (!today) return; // the links are there all the same
  byId('to-daily', HTMLAnchorElement).href = `/puzzles?rulebook=${book}&mode=daily`;
  const facts = [
    today.daily_solved ? t('puzzles.daily_done') : '',
    today.due ? h('a', { href: `/puzzles?rulebook=${book}&mode=review`, testid: 'to-review' },
      t('puzzles.due', { n: today.due })) : '',
    today.days ? t('puzzles.dashboard.days', { n: today.days }) : '',
  ].filter(Boolean);
  byId('training-facts').replaceChildren(...facts.flatMap((fact, at) => at ? [' · ', fact] : [fact]));
}
