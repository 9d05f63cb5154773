/** Scores in the words and number format of the visitor's language, and mistakes that belong together. */

import { lang, t } from '../../lib/words.js';

/** @import { MistakeView, ScoreView, Side } from '../../lib/messages.js' */

const signedFormat = new Intl.NumberFormat(lang, {
  minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero',
});
const percentFormat = new Intl.NumberFormat(lang, { style: 'percent' });

/** `+0,34`, or who wins in how many moves. @param {ScoreView} view */
export function shortScore({ score, winner, plies }) {
  if (score === undefined) return '–';
  if (!winner) return signedFormat.format(score / 100);
  const side = t(`analysis.side_${winner}`);
  return plies ? t('analysis.wins_in_short', { side, moves: Math.ceil(plies / 2) })
    : t('analysis.wins_short', { side });
}

/**
 * A score of the engine's book from White's side.
 * @param {number} score @param {Side} turn whose move it is
 */
export function bookScore(score, turn) {
  return signedFormat.format((turn === 'white' ? score : -score) / 100);
}

/** A score as a sentence. @param {ScoreView} view */
export function longScore({ score, chance, winner, plies }) {
  if (score === undefined) return t('analysis.no_score');
  if (!winner) {
    return t('analysis.stands', { score: signedFormat.format(score / 100), chance: percent(chance ?? 0.5) });
  }
  const side = t(`analysis.side_${winner}`);
  return plies ? t('analysis.wins_in', { side, moves: Math.ceil(plies / 2) }) : t('analysis.wins', { side });
}

/** @param {number} value between 0 and 1 */
export function percent(value) {
  return percentFormat.format(value);
}

/**
 * Groups the mistakes of one side that missed the same shot; other mistakes are groups of one.
 * @param {MistakeView[]} mistakes @returns {MistakeView[][]}
 */
export function groupByShot(mistakes) {
  /** @type {Map<string, MistakeView[]>} */
  const groups = new Map();
  for (const mistake of mistakes) {
    const shot = mistake.missed?.moves.join(' ');
    const key = shot ? `${mistake.by} ${shot}` : String(mistake.ply);
    groups.set(key, [...(groups.get(key) ?? []), mistake]);
  }
  return [...groups.values()];
}
