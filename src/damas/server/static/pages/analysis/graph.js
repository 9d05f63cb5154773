/** The graph of a game: White's chances after each move, as a picture and as a table for screen readers. */

import { h, s } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { percent, shortScore } from './scores.js';

/** @import { GraphPointView, MistakeKind } from '../../lib/messages.js' */

const HEIGHT = 150;
const MIN_WIDTH = 280;
const MARGIN = 9;

/** Not told by colour alone. @type {Record<MistakeKind, (x: number, y: number) => SVGElement>} */
const MARKS = {
  inaccuracy: (x, y) => s('circle', { cx: x, cy: y, r: 4.5, class: 'graph-inaccuracy' }),
  mistake: (x, y) => s('path', { d: `M${x} ${y - 6}l5.6 10h-11.2z`, class: 'graph-mistake' }),
  blunder: (x, y) => s('path', { d: `M${x} ${y - 6.5}l6.5 6.5-6.5 6.5-6.5-6.5z`, class: 'graph-blunder' }),
};

export class Graph {
  /** @param {GraphPointView[]} points @param {(ply: number) => void} goTo @param {number} widthPx */
  constructor(points, goTo, widthPx) {
    const width = Math.max(MIN_WIDTH, Math.round(widthPx));
    this.step = (width - 2 * MARGIN) / Math.max(1, points.length);
    const chances = [0.5, ...points.map(({ chance }) => chance)];
    const line = chances.map((chance, ply) => `${this.#x(ply).toFixed(1)},${yOf(chance).toFixed(1)}`)
      .join(' ');
    const lastY = yOf(chances[chances.length - 1]);
    const area = `0,${HEIGHT} 0,${yOf(0.5)} ${line} ${width},${lastY} ${width},${HEIGHT}`;
    this.cursor = s('line', { class: 'graph-cursor', x1: this.#x(0), x2: this.#x(0), y1: 2, y2: HEIGHT - 2 });
    this.picture = s('svg', {
      viewBox: `0 0 ${width} ${HEIGHT}`, class: 'graph', role: 'img', 'aria-label': t('analysis.graph_label'),
      'data-testid': 'report-graph', preserveAspectRatio: 'none',
    },
    s('rect', { class: 'graph-ground', x: 0, y: 0, width, height: HEIGHT }),
    s('polygon', { class: 'graph-white', points: area }),
    s('line', { class: 'graph-even', x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    s('polyline', { class: 'graph-line', points: line }),
    this.cursor,
    ...points.flatMap(({ kind, ply, chance }) =>
      (kind ? [MARKS[kind](this.#x(ply), yOf(chance))] : [])));
    this.picture.addEventListener('click', (event) => {
      const box = this.picture.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width;
      goTo(Math.max(0, Math.min(points.length, Math.round((x - MARGIN) / this.step))));
    });
    this.details = h('div.graph-frame', legend(), table(points));
  }

  /** @param {number} ply */
  #x(ply) {
    return MARGIN + ply * this.step;
  }

  /** Moves the cursor. @param {number} ply */
  showPly(ply) {
    this.cursor.setAttribute('x1', String(this.#x(ply)));
    this.cursor.setAttribute('x2', String(this.#x(ply)));
  }
}

/** The y coordinate, from the top, of a chance of White between 0 and 1. @param {number} chance */
function yOf(chance) {
  return MARGIN + (HEIGHT - 2 * MARGIN) * (1 - chance);
}

function legend() {
  return h('ul.graph-legend', ...Object.entries(MARKS).map(([kind, draw]) => h('li',
    s('svg', { viewBox: '0 0 16 16', class: 'graph-key', 'aria-hidden': 'true' }, draw(8, 8)),
      t(`analysis.kind_${kind}`))));
}

/** @param {GraphPointView[]} points */
function table(points) {
  const columns = ['move', 'score', 'chance', 'kind']
    .map((key) => h('th', { scope: 'col' }, t(`analysis.column_${key}`)));
  const rows = points.map((point) => h('tr',
    h('th', { scope: 'row' }, numberedMove(point)), h('td', shortScore(point)),
    h('td', percent(point.chance)),
    h('td', point.kind ? t(`analysis.kind_${point.kind}`) : '')));
  return h('details.graph-table', { testid: 'graph-table' },
    h('summary', t('analysis.graph_table')),
    h('div.scroller', { tabIndex: 0, role: 'region', 'aria-label': t('analysis.graph_table') },
      h('table', h('thead', h('tr', ...columns)), h('tbody', ...rows))));
}

/** "12… f6-g5". @param {{number: number, by: string, move: string}} played */
export function numberedMove({ number, by, move }) {
  return `${number}${by === 'white' ? '.' : '…'} ${move}`;
}
