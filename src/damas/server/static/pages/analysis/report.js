/** The report on a game: graph, tallies, the worst moves in words, and what can be done about each of them. */

import { api } from '../../lib/api.js';
import { h, icon } from '../../lib/dom.js';
import { lang, t } from '../../lib/words.js';
import { events } from './events.js';
import { graph } from './graph.js';
import { share } from './scores.js';

const WORST = 3;

export class ReportPanel {
  /**
   * @param {HTMLElement} panel
   * @param {{go: (ply: number) => void, best: (mistake: any) => void, shot: (mistake: any, shot: any, from: number) => void, again: (mistake: any) => void, wanted: () => any}} parts
   */
  constructor(panel, parts) {
    this.panel = panel;
    this.parts = parts;
    this.side = 'both';
    /** @type {any} */
    this.report = null;
    /** @type {ReturnType<typeof graph>|null} */
    this.picture = null;
    this.clear();
  }

  /** Nothing is known of this game yet. */
  clear(possible = false) {
    this.report = null;
    this.picture = null;
    this.panel.replaceChildren(
      h('h2.card-title', null, icon('analysis'), t('analysis.report')),
      h('p.muted', null, t(possible ? 'analysis.report_offer' : 'analysis.report_empty')),
      h('button.button', { type: 'button', disabled: !possible, dataset: { testid: 'report-start' }, onclick: () => this.ask() }, t('analysis.report_start')),
    );
  }

  /** Asks for the report on the game of the page, and shows how far it is. */
  async ask() {
    const bar = h('span', null);
    const said = h('p.small.muted', { role: 'status' }, t('analysis.report_working', { share: share(0) }));
    this.panel.replaceChildren(h('h2.card-title', null, icon('analysis'), t('analysis.report')), h('div.progress', { 'aria-hidden': 'true' }, bar), said);
    try {
      let job = await api.post('/api/analysis/report', this.parts.wanted());
      if (job.state === 'working') {
        for await (const news of events(`/api/analysis/report/${job.id}/stream`, new AbortController().signal)) {
          job = news;
          bar.style.width = `${(100 * job.done) / job.total}%`;
          said.textContent = t('analysis.report_working', { share: share(job.done / job.total) });
        }
      }
      if (job.report) this.show(job.report);
      else throw new Error(t('analysis.report_failed'));
    } catch (trouble) {
      this.clear(true);
      this.panel.append(h('p.notice.notice-bad', { role: 'alert' }, /** @type {Error} */ (trouble).message));
    }
  }

  /** @param {any} report */
  show(report) {
    this.report = report;
    this.picture = graph(report, this.parts.go, this.panel.clientWidth - 48);
    this.worst = h('ol.worst', { dataset: { testid: 'worst' } });
    this.panel.replaceChildren(
      h('h2.card-title', null, icon('analysis'), t('analysis.report')),
      this.picture.element, tallies(report),
      h('div.row.row-between', null, h('h3', null, t('analysis.worst')), this.#sides()),
      this.worst,
    );
    this.#drawWorst();
  }

  #sides() {
    return h('div.segmented.small-segments', { role: 'radiogroup', 'aria-label': t('analysis.whose') }, ...['both', 'white', 'black'].map((side) =>
      h('label', null, h('input', { type: 'radio', name: 'report-side', value: side, checked: side === this.side, onchange: () => { this.side = side; this.#drawWorst(); } }), t(`analysis.side_${side}`))));
  }

  #drawWorst() {
    const own = this.report.mistakes.filter((/** @type {any} */ mistake) => this.side === 'both' || mistake.by === this.side);
    const worst = grouped(own.sort((/** @type {any} */ a, /** @type {any} */ b) => b.lost - a.lost)).slice(0, WORST);
    this.worst?.replaceChildren(...worst.map(([mistake, ...again], place) => this.#mistake(mistake, place, again)));
    if (!worst.length) this.worst?.append(h('li.muted', null, t('analysis.no_mistake')));
  }

  /** @param {any} mistake @param {number} place @param {any[]} again later moves that missed the same shot */
  #mistake(mistake, place, again) {
    const { parts } = this;
    const [shot, from] = mistake.missed ? [mistake.missed, mistake.ply - 1] : [mistake.allowed, mistake.ply];
    const kind = mistake.kind ?? 'small';
    return h('li.worst-move', { dataset: { testid: `worst-${place + 1}` }, class: `worst-${kind}` },
      h('p.worst-title', null,
        h('button.move', { type: 'button', onclick: () => parts.go(mistake.ply) }, numbered(mistake)),
        h('span.tag', { class: kind === 'blunder' ? 'tag-bad' : null }, t(`analysis.kind_${kind}`)),
        h('span.small.muted.numbers', null, t('analysis.chances', { before: share(mistake.chance_before), after: share(mistake.chance_after) }))),
      h('p', { dataset: { testid: 'sentence' } }, mistake.sentence[lang] ?? mistake.sentence.en),
      again.length > 0 && h('p.small.muted', { dataset: { testid: 'again' } }, t('analysis.missed_again', { moves: again.sort((a, b) => a.ply - b.ply).map(numbered).join(', ') })),
      h('div.toolbar', null,
        h('button.button-quiet', { type: 'button', dataset: { testid: 'show-best' }, onclick: () => parts.best(mistake) }, icon('lightbulb'), t('analysis.show_best', { move: mistake.best })),
        shot && h('button.button-quiet', { type: 'button', dataset: { testid: 'show-shot' }, onclick: () => parts.shot(mistake, shot, from) }, icon('play'), t('analysis.show_shot')),
        h('button.button-quiet', { type: 'button', dataset: { testid: 'play-again' }, onclick: () => parts.again(mistake) }, icon('rematch'), t('analysis.play_again'))));
  }
}

/** "12… f6-g5". @param {any} mistake */
const numbered = (mistake) => `${mistake.number}${mistake.by === 'white' ? '.' : '…'} ${mistake.move}`;

/** One group for each mistake, the worst first; the same shot missed again belongs to the first of them. @param {any[]} mistakes @returns {any[][]} */
function grouped(mistakes) {
  /** @type {Map<string, any[]>} */
  const groups = new Map();
  for (const mistake of mistakes) {
    const shot = mistake.missed?.moves?.join(' ');
    const key = shot ? `${mistake.by} ${shot}` : String(mistake.ply);
    groups.set(key, [...(groups.get(key) ?? []), mistake]);
  }
  return [...groups.values()];
}

/** @param {any} report */
function tallies(report) {
  const row = (/** @type {string} */ side) => {
    const tally = report.tally[side];
    return h('tr', null, h('th', { scope: 'row' }, t(`analysis.side_${side}`)),
      ...['inaccuracy', 'mistake', 'blunder'].map((kind) => h('td.numbers', null, String(tally[kind]))),
      h('td.numbers', null, share(tally.kept)));
  };
  return h('table.tally', null,
    h('thead', null, h('tr', null, h('td', null), ...['inaccuracy', 'mistake', 'blunder'].map((kind) => h('th', { scope: 'col' }, t(`analysis.kinds_${kind}`))), h('th', { scope: 'col' }, t('analysis.kept')))),
    h('tbody', null, row('white'), row('black')));
}
