/** The solver's rating with its plot, days in a row, and the motifs that go well and badly. */

import { api, ApiError } from '../../lib/api.js';
import { byId, h, s } from '../../lib/dom.js';
import { lang, t } from '../../lib/words.js';
import { getProgress } from '../learning/progress.js';

/** @import { MotifRecord, RatingPoint, Training, TrainingToday } from '../learning/messages.js' */

const WIDTH = 300, HEIGHT = 72, MARGIN = 6;
/** The plot shows at least so many points up and down. */
const MIN_RANGE = 200;
const MAX_MOTIFS = 3;
/** From this share of first tries on, a motif is a strong one. */
const STRONG = 0.7;

/** @param {string} book @param {TrainingToday | null} today */
export async function showDashboard(book, today) {
  const card = byId('dashboard');
  /** @type {Training} */
  let training;
  try {
    training = await api.get(`/api/training/${book}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    card.replaceChildren(h('p.small.muted', t('puzzles.dashboard.away')));
    return;
  }
  const { rating, points, motifs } = training;
  const { run = 0 } = getProgress(`puzzles.${book}`, /** @type {{run?: number}} */ ({}));
  const facts = [
    today?.days ? t('puzzles.dashboard.days', { n: today.days }) : '',
    run ? t('puzzles.run_best', { n: run }) : '',
  ].filter(Boolean);
  card.replaceChildren(
    h('h2.card-title', t('puzzles.dashboard.title')),
    h('p.solver-rating', h('span.streak-number.numbers', { testid: 'own-rating' }, String(rating.rating)),
      h('span.small.muted', { testid: 'own-deviation' }, rating.attempts
        ? t(rating.provisional ? 'puzzles.dashboard.provisional' : 'puzzles.dashboard.deviation',
          { n: 2 * rating.deviation })
        : t('puzzles.dashboard.unrated'))),
    ...(points.length > 1 ? [plot(points)] : []),
    ...(facts.length ? [h('p.small', { testid: 'days' }, facts.join(' · '))] : []),
    ...motifLists(book, motifs),
  );
}

/** @param {RatingPoint[]} points */
function plot(points) {
  const ratings = points.map(({ rating }) => rating);
  const middle = (Math.max(...ratings) + Math.min(...ratings)) / 2;
  const range = Math.max(MIN_RANGE, Math.max(...ratings) - Math.min(...ratings));
  const x = (/** @type {number} */ at) => MARGIN + (WIDTH - 2 * MARGIN) * at / (points.length - 1);
  const y = (/** @type {number} */ rating) =>
    HEIGHT / 2 - (HEIGHT - 2 * MARGIN) * (rating - middle) / range;
  const corners = ratings.map((rating, at) => `${x(at).toFixed(1)},${y(rating).toFixed(1)}`);
  const now = ratings[ratings.length - 1];
  const words = t('puzzles.dashboard.plot', { n: points.length, from: ratings[0], to: now,
    date: new Date(points[0].at_ms).toLocaleDateString(lang) });
  return h('figure.rating-plot', { testid: 'rating-plot' },
    s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' },
      s('polyline', { points: corners.join(' '), class: 'rating-line' }),
      s('circle', { cx: x(points.length - 1), cy: y(now), r: 4, class: 'rating-now' })),
    h('figcaption.small.muted', words));
}

/** @param {string} book @param {MotifRecord[]} motifs those that are solved least first */
function motifLists(book, motifs) {
  const weak = motifs.filter(({ tried, solved }) => solved < STRONG * tried).slice(0, MAX_MOTIFS);
  const strong = motifs.filter(({ tried, solved }) => solved >= STRONG * tried).slice(-MAX_MOTIFS);
  return [['weak', weak], ['strong', strong]].flatMap(([kind, records]) => records.length ? [
    h('h3.motif-title', t(`puzzles.dashboard.${kind}`)),
    h('ul.motif-records', { testid: `motifs-${kind}` },
      ...(/** @type {MotifRecord[]} */ (records)).map(({ motif, tried, solved }) => h('li',
        h('a', { href: `/puzzles?rulebook=${book}&mode=rated&motif=${motif}&lang=${lang}` },
          t(`puzzles.motif.${motif}`)),
        h('span.numbers.small.muted', t('puzzles.dashboard.solved', { n: solved, count: tried }))))),
  ] : []);
}
