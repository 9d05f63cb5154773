/**
 * The report on a game: graph, number of mistakes, and the worst moves in words with what can be done about
 * them.
 */

import { api, messageOf } from '../../lib/api.js';
import { errorNotice, h, icon, iconButton } from '../../lib/dom.js';
import { lang, t } from '../../lib/words.js';
import { eventStream } from './event-stream.js';
import { Graph, numberedMove } from './graph.js';
import { percent } from './scores.js';

/** @import { MistakeKind, MistakeView, ReportJobView } from '../../lib/messages.js' */
/** @import { ReportView, ShotView, Side } from '../../lib/messages.js' */

const SHOWN_MISTAKES = 3;
const CARD_PADDING_PX = 48;

/** @type {MistakeKind[]} */
const KINDS = ['inaccuracy', 'mistake', 'blunder'];

/**
 * @typedef {object} ReportActions
 * @property {() => object} gameToReport the body of the request
 * @property {(ply: number) => void} goTo
 * @property {(mistake: MistakeView) => void} showBest
 * @property {(mistake: MistakeView, shot: ShotView, ply: number) => void} showShot `ply`: where the shot
 *   begins
 * @property {(mistake: MistakeView) => void} playAgain
 */

/** A mistake in the visitor's language. @param {MistakeView} mistake */
export function mistakeWords({ sentence }) {
  return sentence[lang] ?? sentence.en;
}

export class ReportPanel {
  #worst = h('ol.worst', { dataset: { testid: 'worst' } });
  /** Whose mistakes are listed. @type {Side | 'both'} */
  side = 'both';
  /** @type {ReportView | null} */
  report = null;
  /** @type {Graph | null} */
  graph = null;

  /** @param {HTMLElement} element @param {ReportActions} actions */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    this.clear(false);
  }

  /** Offers a report. @param {boolean} isPossible whether there are moves to report on */
  clear(isPossible) {
    this.report = this.graph = null;
    const start = h('button.button', {
      type: 'button', disabled: !isPossible, dataset: { testid: 'report-start' },
      onclick: () => this.request(),
    }, t('analysis.report_start'));
    this.#show(h('p.muted', null, t(isPossible ? 'analysis.report_offer' : 'analysis.report_empty')), start);
  }

  /** @param {...HTMLElement} content */
  #show(...content) {
    this.element.replaceChildren(h('h2.card-title', null, icon('analysis'), t('analysis.report')),
      ...content);
  }

  /** Requests the report on the page's game and shows its progress. */
  async request() {
    const bar = h('span');
    const status = h('p.small.muted', { role: 'status' },
      t('analysis.report_working', { share: percent(0) }));
    this.#show(h('div.progress', { 'aria-hidden': 'true' }, bar), status);
    try {
      /** @type {ReportJobView} */
      let job = await api.post('/api/analysis/report', this.actions.gameToReport());
      if (job.state === 'working') {
        for await (const message of eventStream(`/api/analysis/report/${job.id}/stream`,
          new AbortController().signal)) {
          job = message;
          bar.style.width = `${(100 * job.done) / job.total}%`;
          status.textContent = t('analysis.report_working', { share: percent(job.done / job.total) });
        }
      }
      if (!job.report) throw new Error(t('analysis.report_failed'));
      this.show(job.report);
    } catch (error) {
      this.clear(true);
      this.element.append(errorNotice(messageOf(error)));
    }
  }

  /** @param {ReportView} report */
  show(report) {
    this.report = report;
    this.graph = new Graph(report.graph, this.actions.goTo, this.element.clientWidth - CARD_PADDING_PX);
    this.#show(this.graph.element, tallyTable(report),
      h('div.row.row-between', null, h('h3', null, t('analysis.worst')), this.#sideChoice()), this.#worst);
    this.#drawWorst();
  }

  #sideChoice() {
    const choices = (/** @type {const} */ (['both', 'white', 'black'])).map((side) => {
      const onchange = () => {
        this.side = side;
        this.#drawWorst();
      };
      const input = h('input', { type: 'radio', name: 'report-side', value: side, checked: side === this.side,
        onchange });
      return h('label', null, input, t(`analysis.side_${side}`));
    });
    return h('div.segmented.small-segments', { role: 'radiogroup', 'aria-label': t('analysis.whose') },
      ...choices);
  }

  #drawWorst() {
    const mistakes = (this.report?.mistakes ?? [])
      .filter(({ by }) => this.side === 'both' || by === this.side);
    const groups = groupByShot(mistakes.sort((a, b) => b.lost - a.lost)).slice(0, SHOWN_MISTAKES);
    this.#worst.replaceChildren(...groups
      .map(([mistake, ...again], index) => this.#drawMistake(mistake, index + 1, again)));
    if (!groups.length) this.#worst.append(h('li.muted', null, t('analysis.no_mistake')));
  }

  /**
   * @param {MistakeView} mistake @param {number} rank
   * @param {MistakeView[]} again later moves that missed the same shot
   */
  #drawMistake(mistake, rank, again) {
    const { actions } = this;
    const shot = mistake.missed ?? mistake.allowed;
    const shotPly = mistake.missed ? mistake.ply - 1 : mistake.ply;
    const kind = mistake.kind ?? 'small';
    const moves = again.sort((a, b) => a.ply - b.ply).map(numberedMove).join(', ');
    const chances = { before: percent(mistake.chance_before), after: percent(mistake.chance_after) };
    return h('li.worst-move', { dataset: { testid: `worst-${rank}` }, class: `worst-${kind}` },
      h('p.worst-title', null,
        h('button.move', { type: 'button', onclick: () => actions.goTo(mistake.ply) }, numberedMove(mistake)),
        h('span.tag', { class: kind === 'blunder' ? 'tag-bad' : null }, t(`analysis.kind_${kind}`)),
        h('span.small.muted.numbers', null, t('analysis.chances', chances))),
      h('p', { dataset: { testid: 'sentence' } }, mistakeWords(mistake)),
      moves && h('p.small.muted', { dataset: { testid: 'again' } }, t('analysis.missed_again', { moves })),
      h('div.toolbar', null,
        iconButton('show-best', 'lightbulb', t('analysis.show_best', { move: mistake.best }),
          () => actions.showBest(mistake)),
        shot && iconButton('show-shot', 'play', t('analysis.show_shot'),
          () => actions.showShot(mistake, shot, shotPly)),
        iconButton('play-again', 'rematch', t('analysis.play_again'), () => actions.playAgain(mistake))));
  }
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

/** @param {ReportView} report */
function tallyTable({ tally }) {
  const columns = KINDS.map((kind) => h('th', { scope: 'col' }, t(`analysis.kinds_${kind}`)));
  const row = (/** @type {Side} */ side) =>
    h('tr', null, h('th', { scope: 'row' }, t(`analysis.side_${side}`)),
    ...KINDS.map((kind) => h('td.numbers', null, tally[side][kind])),
      h('td.numbers', null, percent(tally[side].kept)));
  return h('table.tally', null,
    h('thead', null, h('tr', null, h('td'), ...columns, h('th', { scope: 'col' }, t('analysis.kept')))),
    h('tbody', null, row('white'), row('black')));
}
