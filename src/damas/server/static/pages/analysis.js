/** The analysis page: a board for both sides, a tree of moves, engine, endgame tables, reports on games. */

import { api, ApiError, isTemporary, messageOf } from '../lib/api.js';
import { byId, toast } from '../lib/dom.js';
import { listRulebooks, rulebook, rulebookOptions } from '../lib/rulebooks.js';
import { openShare } from '../lib/share.js';
import { playerName, t } from '../lib/words.js';
import { loadGame, OtherAccount } from '../local/store.js';
import { forgetStoredTree, loadStoredTree } from './analysis/address.js';
import { flip } from './analysis/controls.js';
import { board, loadTree } from './analysis/navigation.js';
import { openExport } from './analysis/pdn-dialogs.js';
import { startAnew } from './analysis/position-setup.js';
import { state } from './analysis/state.js';
import { reportOnGame, reportPanel } from './analysis/report.js';
import { makeStudy } from './analysis/to-study.js';
import { Tree } from './analysis/tree.js';
import './analysis/tables.js';
import './analysis/typed-moves.js';

/** @import { ExportedGame } from '../lib/messages.js' */

/** @returns {Promise<{pdn: string}>} */
const writePdn = () => api.post('/api/pdn/write', state.tree.toGame());

byId('export').addEventListener('click', () => openExport(state.view?.fen ?? '', writePdn()));
byId('to-study').addEventListener('click', () => {
  makeStudy(reportPanel.report).catch((error) => toast(messageOf(error)));
});
byId('share').addEventListener('click', () => {
  const { tree, node, book } = state;
  const moves = tree.movesTo(node).join('.');
  const query = new URLSearchParams({ rulebook: tree.rulebook, fen: tree.fen, moves,
    orientation: board.orientation });
  const pictures = ['svg', 'png', 'gif'].map((kind) =>
    ({ kind: kind.toUpperCase(), href: `/position.${kind}?${query}`, name: `damas.${kind}` }));
  const makeText = async () => (await writePdn()).pdn;
  openShare({
    title: `${t('analysis.title')} · ${book.name}`, path: `${location.pathname}${location.search}`,
    embed: `/embed/position?${query}`,
    files: [{ kind: 'PDN', name: 'damas.pdn', type: 'text/x-pdn', makeText }, ...pictures],
  });
});

// Start

async function start() {
  const query = new URLSearchParams(location.search);
  const rulebooks = await listRulebooks();
  byId('rulebook').replaceChildren(...rulebookOptions());
  board.set({ movable: 'both' });
  const game = query.get('game');
  if (game && await openGame(game, query.get('ply'))) return;
  const local = query.get('local');
  if (local && await openLocalGame(local)) return;
  if (await openStoredTree()) return;
  const requested = query.get('rulebook');
  const listed = rulebooks.find(({ id, alias }) => id === requested || alias === requested);
  const id = listed?.id ?? document.documentElement.dataset.rulebookDefault ?? '';
  if (game || local) return startAnew(id, t('play.connection.gone'));
  try {
    const tree = new Tree(id, query.get('fen') ?? '');
    const nodes = tree.playAll(tree.root, (query.get('moves') ?? '').split('.').filter(Boolean));
    await loadTree(tree, nodes[nodes.length - 1]);
  } catch (error) {
    await startAnew(id, messageOf(error));
  }
}

/** Opens the tree of this tab; false if there is none, or one that the server refuses. */
async function openStoredTree() {
  const stored = loadStoredTree();
  if (!stored) return false;
  try {
    await loadTree(stored.tree, stored.node);
    return true;
  } catch (error) {
    if (isTemporary(error)) throw error;
    forgetStoredTree();
    return false;
  }
}

/** Opens a game of this server; false if there is none. @param {string} id @param {string | null} ply */
async function openGame(id, ply) {
  /** @type {ExportedGame | null} */
  const game = await api.get(`/game/export/${encodeURIComponent(id)}.json`).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  if (!game) return false;
  const book = await rulebook(game.rulebook);
  state.gameId = id;
  const tree = new Tree(game.rulebook, game.start === book.start_fen ? '' : game.start);
  tree.tags = { White: game.white.name, Black: game.black.name };
  tree.playerNames = [game.white, game.black].map(playerName);
  tree.result = game.outcome?.result ?? '*';
  tree.playAll(tree.root, game.moves.map((move) => move.text));
  const mainLine = tree.mainLine(), last = mainLine.length - 1;
  reportPanel.side = game.you === 'white' || game.you === 'black' ? game.you : 'both';
  if (game.you === 'black') flip();
  await loadTree(tree, mainLine[ply ? Math.min(Number(ply), last) : last]);
  void reportOnGame(id, Boolean(game.outcome));
  return true;
}

/** Opens a game that is kept in this browser; false if there is none. @param {string} id */
async function openLocalGame(id) {
  const game = await loadGame(id).catch((error) => {
    if (error instanceof OtherAccount) byId('state').textContent = t('play.connection.other_account');
    return null;
  });
  if (!game) return false;
  const { rulebook: bookId, moves, you, level, result } = game;
  state.local = { id, isOver: result !== null };
  const tree = new Tree(bookId);
  const names = /** @type {const} */ (['white', 'black']).map((side) =>
    (level !== null && you !== side ? t('play.player.level', { level }) : t(`board.side.${side}`)));
  [tree.tags.White, tree.tags.Black] = names;
  tree.result = result ?? '*';
  tree.playAll(tree.root, moves);
  if (you !== 'both') reportPanel.side = you;
  if (you === 'black') flip();
  const mainLine = tree.mainLine();
  await loadTree(tree, mainLine[mainLine.length - 1]);
  return true;
}

start().catch((error) => { byId('state').textContent = messageOf(error); })
  .finally(() => { document.body.dataset.ready = 'analysis'; });
