/** The games in progress: one of them is shown until it ends or another is chosen. */

import { DamasBoard } from '../../board/damas-board.js';
import { byId, h } from '../../lib/dom.js';
import { rulebook } from '../../lib/rulebooks.js';
import { t } from '../../lib/words.js';

/** @import { ContestGame, ContestStatus } from './messages.js' */

const board = byId('live-board', DamasBoard);
let chosenId = '';

/** @param {string} id */
export async function prepareLiveBoard(id) {
  board.set({ book: await rulebook(id) });
  // Programs move several times a second: too fast to be announced.
  board.querySelector('[aria-live]')?.setAttribute('aria-live', 'off');
}

/** @param {ContestGame[]} games @param {ContestStatus} status */
export function showLiveGames(games, status) {
  const isPlaying = ['running', 'queued', 'paused'].includes(status);
  byId('live-card').hidden = !isPlaying;
  const isBetweenGames = status === 'running' && !games.length && chosenId;
  if (!isPlaying || isBetweenGames) return; // the last game stays until the next one starts
  if (!games.some((game) => game.id === chosenId)) chosenId = games[0]?.id ?? '';
  draw(games);
}

/** @param {ContestGame[]} games */
function draw(games) {
  const game = games.find(({ id }) => id === chosenId);
  byId('live-games').replaceChildren(...(games.length > 1 ? games : []).map((each) => h('button.chip', {
    'aria-pressed': String(each === game),
    onclick: () => {
      chosenId = each.id;
      draw(games);
    },
  }, t('arena.live_game', { ...each }))));
  byId('live-white').textContent = game?.white ?? '';
  byId('live-black').textContent = game?.black ?? '';
  byId('live-line').textContent = game
    ? t('arena.live_ply', { round: game.round, move: Math.ceil((game.ply ?? 0) / 2) }) : t('arena.live_none');
  if (game?.view) board.position = game.view;
}
