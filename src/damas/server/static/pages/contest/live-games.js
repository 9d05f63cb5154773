/** The games in progress: one of them is shown until it ends or another is chosen. */

import { DamasBoard } from '../../board/damas-board.js';
import { rulebook } from '../../lib/api.js';
import { byId, h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { ContestGame, ContestStatus } from './messages.js' */

export class LiveGames {
  #board = byId('live-board', DamasBoard);
  #chosenId = '';
  /** @type {ContestGame[]} */
  #games = [];

  /** @param {string} id */
  async useRulebook(id) {
    this.#board.book = await rulebook(id);
    // Programs move several times a second: too fast to be announced.
    this.#board.querySelector('[aria-live]')?.setAttribute('aria-live', 'off');
  }

  /** @param {ContestGame[]} games @param {ContestStatus} status */
  show(games, status) {
    this.#games = games;
    const isPlaying = ['running', 'queued', 'paused'].includes(status);
    byId('live-card').hidden = !isPlaying;
    const isBetweenGames = status === 'running' && !games.length && this.#chosenId;
    if (!isPlaying || isBetweenGames) return; // the last game stays until the next one starts
    if (!games.some((game) => game.id === this.#chosenId)) this.#chosenId = games[0]?.id ?? '';
    this.#draw();
  }

  /** @param {string} id */
  #choose(id) {
    this.#chosenId = id;
    this.#draw();
  }

  #draw() {
    const games = this.#games, game = games.find(({ id }) => id === this.#chosenId);
    byId('live-games').replaceChildren(...(games.length > 1 ? games : []).map((each) => h('button.chip', {
      type: 'button', 'aria-pressed': String(each === game), onclick: () => this.#choose(each.id),
    }, t('arena.live_game', { ...each }))));
    byId('live-white').textContent = game?.white ?? '';
    byId('live-black').textContent = game?.black ?? '';
    byId('live-line').textContent = game
      ? t('arena.live_ply', { round: game.round, move: Math.ceil((game.ply ?? 0) / 2) })
        : t('arena.live_none');
    if (game?.view) this.#board.position = game.view;
  }
}
