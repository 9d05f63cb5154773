/** The report on a game: graph, number of mistakes, and the worst moves with what can be done about them. */

import { api, messageOf } from '../../lib/api.js';
import { byId, errorNotice, h, icon, iconButton, segmented, toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { isCoreFailure } from '../../local/core-worker.js';
import { searchGame } from '../../local/device-engine.js';
import { withEngine } from './engine-place.js';
import { eventStream } from '../../lib/event-stream.js';
import { Graph } from './graph.js';
import { Moments } from './moments.js';
import { goToMainLine, notifyNodeSelected, onNavigation } from './navigation.js';
import { percent } from './scores.js';
import { checkLocalFairPlay, state } from './state.js';
import { makeStudy, MISTAKE_NAGS } from './to-study.js';
import { trainMistakes } from './train-mistakes.js';

/** @import { MistakeKind, ReportJobView, ReportView, Side } from '../../lib/messages.js' */

const CARD_PADDING_PX = 48;

/** @type {MistakeKind[]} */
const KINDS = ['inaccuracy', 'mistake', 'blunder'];

class ReportPanel {
  /** @type {AbortController | null} */
  #request = null;
  #moments = new Moments();
  /** Whose mistakes are listed. @type {Side | 'both'} */
  side = 'both';
  /** @type {ReportView | null} */
  report = null;
  /** @type {Graph | null} */
  graph = null;

  element = byId('report');

  constructor() {
    this.clear(false);
  }

  /** Offers a report. @param {boolean} isPossible whether there are moves to report on */
  clear(isPossible) {
    this.report = this.graph = null;
    document.body.classList.remove('has-report');
    const start = h('button.button', {
      disabled: !isPossible, testid: 'report-start', onclick: () => this.request(),
    }, t('analysis.report_start'));
    this.#show(h('p.muted', t(isPossible ? 'analysis.report_offer' : 'analysis.report_empty')), start);
  }

  /** @param {...HTMLElement} content */
  #show(...content) {
    this.element.replaceChildren(h('h2.card-title', icon('analysis'), t('analysis.report')), ...content);
  }

  /** Requests the report on the page's game and shows its progress. */
  async request() {
    const bar = h('span');
    const status = h('p.small.muted', { role: 'status' });
    const showProgress = (/** @type {number} */ share) => {
      bar.style.width = `${100 * share}%`;
      status.textContent = t('analysis.report_working', { share: percent(share) });
    };
    this.stop();
    const { signal } = this.#request = new AbortController();
    showProgress(0);
    this.#show(h('div.progress', { 'aria-hidden': 'true' }, bar), status);
    try {
      checkLocalFairPlay();
      const report = await withEngine(reportOfDevice, reportOfServer)(showProgress, signal);
      if (signal.aborted) return;
      this.#request = null;
      this.show(report);
    } catch (error) {
      if (signal.aborted) return;
      this.#request = null;
      this.clear(true);
      this.element.append(errorNotice(isCoreFailure(error) ? t('analysis.place_failed') : messageOf(error)));
    }
  }

  /** Gives up a report that is being made, as for another game. */
  stop() {
    this.#request?.abort();
    this.#request = null;
  }

  /** Whether a report is being made. */
  get isWorking() {
    return this.#request !== null;
  }

  /** @param {ReportView} report */
  show(report) {
    this.report = report;
    this.graph = new Graph(report.graph, goToMainLine, this.element.clientWidth - CARD_PADDING_PX);
    this.element.replaceChildren(
      h('div.row.row-between', h('h2.card-title', t('analysis.worst')), this.#sideChoice()),
      this.graph.picture, this.#moments.element,
      trainMistakes(report, () => this.side, gameToReport(), state.gameId),
      this.#studyOffer(), tallyTable(report), this.graph.details);
    this.#drawWorst();
    this.graph.showPly(state.tree.mainLinePly(state.node));
    document.body.classList.add('has-report');
    byId('analysis-board').scrollIntoView({ block: 'start' });
  }

  #studyOffer() {
    const button = iconButton('report-to-study', 'book', t('study.to_study'), async () => {
      button.disabled = true;
      await makeStudy(this.report).catch((error) => toast(messageOf(error)));
      button.disabled = false;
    });
    return h('div.report-study', button, h('p.small.muted', t('study.to_study_help')));
  }

  #sideChoice() {
    const sides = /** @type {const} */ (['both', 'white', 'black']);
    const choice = segmented('report-side', t('analysis.whose'),
      sides.map((side) => [side, t(`analysis.side_${side}`)]), this.side, (side) => {
        this.side = side;
        this.#drawWorst();
      });
    choice.classList.add('small-segments');
    return choice;
  }

  #drawWorst() {
    this.#moments.show((this.report?.mistakes ?? [])
      .filter(({ by }) => this.side === 'both' || by === this.side));
  }
}

export const reportPanel = new ReportPanel();

/** The main line, as the server reads it. */
function gameToReport() {
  const { tree } = state;
  return { rulebook: tree.rulebook, fen: tree.fen, moves: tree.mainLine().slice(1).map((node) => node.text) };
}

/**
 * The server searches and judges.
 * @param {(share: number) => void} showProgress @param {AbortSignal} signal @returns {Promise<ReportView>}
 */
async function reportOfServer(showProgress, signal) {
  const { gameId } = state;
  /** @type {ReportJobView} */
  let job = await api.post('/api/analysis/report', gameId ? { game: gameId } : gameToReport());
  if (job.state === 'working') {
    for await (const message of eventStream(`/api/analysis/report/${job.id}/stream`, signal)) {
      job = message;
      showProgress(job.done / job.total);
    }
  }
  if (!job.report) throw new Error(t('analysis.report_failed'));
  return job.report;
}

/**
 * This device searches, and the server judges what it found: so a mistake is called one by one measure.
 * Without a network the browser judges by the same measure, in fewer words.
 * @param {(share: number) => void} showProgress @param {AbortSignal} signal @returns {Promise<ReportView>}
 */
async function reportOfDevice(showProgress, signal) {
  const line = { ...gameToReport(), game: state.gameId };
  const plies = line.moves.length + 1;
  const lines = await searchGame(line, (done) => showProgress(done / plies), signal);
  return api.post('/api/analysis/judge', { ...line, lines });
}

/**
 * Shows the report on a game of this server, made now if the game is over, and marks its mistakes in the move
 * tree.
 * @param {string} game @param {boolean} isOver
 */
export async function reportOnGame(game, isOver) {
  /** @type {{report?: ReportView} | null} */
  const stored = await api.get(`/api/analysis/report?game=${encodeURIComponent(game)}`).catch(() => null);
  if (stored?.report) reportPanel.show(stored.report);
  else if (isOver) await reportPanel.request();
  if (!reportPanel.report) return;
  const mainLine = state.tree.mainLine();
  for (const { ply, kind } of reportPanel.report.mistakes) {
    if (mainLine[ply] && kind) mainLine[ply].nags = [MISTAKE_NAGS[kind]];
  }
  notifyNodeSelected();
}

/** @param {ReportView} report */
function tallyTable({ tally }) {
  const columns = KINDS.map((kind) => h('th', { scope: 'col' }, t(`analysis.kinds_${kind}`)));
  const row = (/** @type {Side} */ side) =>
    h('tr', h('th', { scope: 'row' }, t(`analysis.side_${side}`)),
    ...KINDS.map((kind) => h('td.numbers', tally[side][kind])),
      h('td.numbers', percent(tally[side].kept)));
  return h('table.tally',
    h('thead', h('tr', h('td'), ...columns, h('th', { scope: 'col' }, t('analysis.kept')))),
    h('tbody', row('white'), row('black')));
}

onNavigation({
  nodeSelected: () => {
    if (!reportPanel.report && !reportPanel.isWorking) reportPanel.clear(state.tree.root.children.length > 0);
  },
  positionShown: (node) => reportPanel.graph?.showPly(state.tree.mainLinePly(node)),
  treeLoaded: (tree) => {
    reportPanel.stop();
    reportPanel.clear(tree.root.children.length > 0);
  },
});
