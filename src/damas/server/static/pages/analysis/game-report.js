/** The report on the page's game and what it does on the board. */

import { api, messageOf } from '../../lib/api.js';
import { byId, toast } from '../../lib/dom.js';
import { engine } from './live-analysis.js';
import { board, goTo, goToMainLine, notifyNodeSelected, onNavigation, scrollToBoard } from './navigation.js';
import { mistakeWords, ReportPanel } from './report.js';
import { state } from './state.js';
import { ShotStepper } from './stepper.js';

/** @import { MistakeView, ReportView, ShotView, Side } from '../../lib/messages.js' */

/** Of the computer when a position is played again. */
const OPPONENT_LEVEL = 5;
/** Numeric annotation glyphs of PDN. */
const GOOD_MOVE_NAG = 1;
const MISTAKE_NAGS = { blunder: 4, mistake: 2, inaccuracy: 6 };

const stepper = new ShotStepper(byId('stepper'), goTo);
export const reportPanel = new ReportPanel(byId('report'), {
  gameToReport, showBest, showShot, goTo: goToMainLine,
  playAgain: (mistake) => startGame(mistake.before, mistake.by),
});

function gameToReport() {
  const { tree, gameId } = state;
  if (gameId) return { game: gameId };
  return { rulebook: tree.rulebook, fen: tree.fen, moves: tree.mainLine().slice(1).map((node) => node.text) };
}

/** Shows the position before a mistake with the better move as an arrow. @param {MistakeView} mistake */
async function showBest(mistake) {
  const before = state.tree.mainLine()[mistake.ply - 1];
  const [first] = state.tree.playAll(before, mistake.line);
  if (!first.nags.length) first.nags = [GOOD_MOVE_NAG];
  await goTo(before);
  const best = state.view?.legal.find((move) => move.text === mistake.best);
  if (best && !engine.isOn) board.arrows = [{ route: best.routes[0], brush: 'green' }];
  scrollToBoard();
}

/** @param {MistakeView} mistake @param {ShotView} shot @param {number} ply where the shot begins */
function showShot(mistake, shot, ply) {
  const start = state.tree.mainLine()[ply];
  const nodes = state.tree.playAll(start, shot.moves);
  if (!nodes[0].comments.length) nodes[0].comments = [mistakeWords(mistake)];
  stepper.show(start, nodes, shot);
  scrollToBoard();
}

/** Starts a game against the computer from a position. @param {string} fen @param {Side} colour */
export async function startGame(fen, colour) {
  try {
    /** @type {{url: string}} */
    const game = await api.post('/api/games', {
      rulebook: state.tree.rulebook, opponent: { kind: 'level', level: OPPONENT_LEVEL }, color: colour,
      time: 'none',
      preset: 'casual', fen,
    });
    location.assign(game.url);
  } catch (error) {
    toast(messageOf(error));
  }
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
  reportPanel.graph?.showPly(state.tree.mainLinePly(state.node));
  const mainLine = state.tree.mainLine();
  for (const { ply, kind } of reportPanel.report.mistakes) {
    if (mainLine[ply] && kind) mainLine[ply].nags = [MISTAKE_NAGS[kind]];
  }
  notifyNodeSelected();
}

onNavigation({
  nodeSelected: () => { if (!reportPanel.report) reportPanel.clear(state.tree.root.children.length > 0); },
  positionShown: (node) => reportPanel.graph?.showPly(state.tree.mainLinePly(node)),
  treeLoaded: (tree) => {
    reportPanel.clear(tree.root.children.length > 0);
    stepper.hide();
  },
});
