/** Scores for people: who stands how, in the words and figures of their language. */

import { lang, t } from '../../lib/words.js';

const signed = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero' });
const percent = new Intl.NumberFormat(lang, { style: 'percent' });

/**
 * @typedef {{score?: number, chance?: number, winner?: string|null, plies?: number|null}} Score
 */

/** Short: `+0,34`, or who wins in how many moves. @param {Score} told */
export function shortScore(told) {
  if (told.score === undefined) return '–';
  if (!told.winner) return signed.format(told.score / 100);
  const side = t(`analysis.side_${told.winner}`);
  return told.plies ? t('analysis.wins_in_short', { side, moves: Math.ceil(told.plies / 2) }) : t('analysis.wins_short', { side });
}

/** A sentence. @param {Score} told */
export function longScore(told) {
  if (told.score === undefined) return t('analysis.no_score');
  const side = told.winner ? t(`analysis.side_${told.winner}`) : '';
  if (told.winner && told.plies) return t('analysis.wins_in', { side, moves: Math.ceil(told.plies / 2) });
  if (told.winner) return t('analysis.wins', { side });
  return t('analysis.stands', { score: signed.format(told.score / 100), chance: share(told.chance ?? 0.5) });
}

/** @param {number} value between 0 and 1 */
export function share(value) {
  return percent.format(value);
}
