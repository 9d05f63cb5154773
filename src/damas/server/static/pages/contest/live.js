/** The boards of the games in play; one of them is shown, and stays until it ends or another is chosen. */

import '../../board/damas-board.js';
import { rulebook } from '../../lib/api.js';
import { byId, h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

export class Live {
  #chosen = '';
  /** @type {any[]} */
  #games = [];

  /** @param {string} id */
  async prepare(id) {
    const board = byId('live-board');
    board.book = await rulebook(id);
    // Programs move several times a second: whoever listens walks the board instead of hearing all of it.
    board.querySelector('[aria-live]')?.setAttribute('aria-live', 'off');
  }

  /** @param {any[]} games @param {string} status */
  show(games, status) {
    this.#games = games;
    const playing = ['running', 'queued', 'paused'].includes(status);
    byId('live-card').hidden = !playing;
    if (!playing || (status === 'running' && !games.length && this.#chosen)) return; // between two games the last one stays
    if (!games.some((game) => game.id === this.#chosen)) this.#chosen = games[0]?.id ?? '';
    this.#draw();
  }

  #draw() {
    const game = this.#games.find(({ id }) => id === this.#chosen);
    byId('live-games').replaceChildren(...(this.#games.length > 1 ? this.#games.map((one) => h('button.chip', {
      type: 'button', 'aria-pressed': String(one.id === this.#chosen), onclick: () => { this.#chosen = one.id; this.#draw(); },
    }, t('arena.live_game', one))) : []));
    byId('live-white').textContent = game?.white ?? '';
    byId('live-black').textContent = game?.black ?? '';
    byId('live-line').textContent = game ? t('arena.live_ply', { round: game.round, move: Math.ceil((game.ply ?? 0) / 2) }) : t('arena.live_none');
    if (game?.view) byId('live-board').position = game.view;
  }
}
