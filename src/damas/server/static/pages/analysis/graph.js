/** The graph of a game: White's chances after each move, as a picture and as a table for those who listen. */

import { h, s } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { share, shortScore } from './scores.js';

const HEIGHT = 150;
const EDGE = 9;

/** Kinds of mistakes by shape as well as by colour. @type {Record<string, (x: number, y: number) => any>} */
const SHAPES = {
  inaccuracy: (x, y) => s('circle', { cx: x, cy: y, r: 4.5, class: 'graph-inaccuracy' }),
  mistake: (x, y) => s('path', { d: `M${x} ${y - 6}l5.6 10h-11.2z`, class: 'graph-mistake' }),
  blunder: (x, y) => s('path', { d: `M${x} ${y - 6.5}l6.5 6.5-6.5 6.5-6.5-6.5z`, class: 'graph-blunder' }),
};

/**
 * @param {{graph: any[]}} report
 * @param {(ply: number) => void} go
 * @param {number} width in pixels, so that nothing is stretched
 * @returns {{element: HTMLElement, show: (ply: number) => void}} `show` moves the line that says where the board stands
 */
export function graph(report, go, width) {
  const WIDTH = Math.max(280, Math.round(width));
  const points = [{ ply: 0, chance: 0.5 }, ...report.graph];
  const step = (WIDTH - 2 * EDGE) / Math.max(1, points.length - 1);
  const x = (/** @type {number} */ ply) => EDGE + ply * step;
  const y = (/** @type {number} */ chance) => EDGE + (HEIGHT - 2 * EDGE) * (1 - chance);
  const line = points.map((point) => `${x(point.ply).toFixed(1)},${y(point.chance).toFixed(1)}`).join(' ');
  const cursor = s('line', { class: 'graph-cursor', x1: x(0), x2: x(0), y1: 2, y2: HEIGHT - 2 });
  const picture = s(
    'svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'graph', role: 'img', 'aria-label': t('analysis.graph_label'), 'data-testid': 'report-graph', preserveAspectRatio: 'none' },
    s('rect', { class: 'graph-ground', x: 0, y: 0, width: WIDTH, height: HEIGHT }),
    s('polygon', { class: 'graph-white', points: `0,${HEIGHT} 0,${y(0.5)} ${line} ${WIDTH},${y(points[points.length - 1].chance)} ${WIDTH},${HEIGHT}` }),
    s('line', { class: 'graph-even', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    s('polyline', { class: 'graph-line', points: line }),
    cursor,
    ...report.graph.filter((point) => point.kind).map((point) => SHAPES[point.kind](x(point.ply), y(point.chance))),
  );
  picture.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const box = picture.getBoundingClientRect();
    const along = ((event.clientX - box.left) / box.width) * WIDTH;
    go(Math.max(0, Math.min(points.length - 1, Math.round((along - EDGE) / step))));
  });
  const show = (/** @type {number} */ ply) => {
    cursor.setAttribute('x1', String(x(ply)));
    cursor.setAttribute('x2', String(x(ply)));
  };
  return { element: h('div.graph-frame', null, picture, legend(), table(report)), show };
}

function legend() {
  const entry = (/** @type {string} */ kind) => h('li', null, s('svg', { viewBox: '0 0 16 16', class: 'graph-key', 'aria-hidden': 'true' }, SHAPES[kind](8, 8)), t(`analysis.kind_${kind}`));
  return h('ul.graph-legend', null, ...Object.keys(SHAPES).map(entry));
}

/** @param {{graph: any[]}} report */
function table(report) {
  const row = (/** @type {any} */ point) => h('tr', null,
    h('th', { scope: 'row' }, `${point.number}${point.by === 'white' ? '.' : '…'} ${point.move}`),
    h('td', null, shortScore(point)), h('td', null, share(point.chance)), h('td', null, point.kind ? t(`analysis.kind_${point.kind}`) : ''));
  return h('details.graph-table', { dataset: { testid: 'graph-table' } },
    h('summary', null, t('analysis.graph_table')),
    h('div.scroller', { tabIndex: 0, role: 'region', 'aria-label': t('analysis.graph_table') }, h('table', null,
      h('thead', null, h('tr', null, ...['move', 'score', 'chance', 'kind'].map((key) => h('th', { scope: 'col' }, t(`analysis.column_${key}`))))),
      h('tbody', null, ...report.graph.map(row)))));
}
