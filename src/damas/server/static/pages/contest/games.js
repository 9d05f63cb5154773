/** The games that are over, the newest first; what a program lost by has its receipt beside it. */

import { byId, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @param {string} id @param {any} table @param {(receipt: string) => void} open */
export function showGames(id, table, open) {
  byId('games-card').hidden = !table;
  if (!table) return;
  const all = table.counted === table.games.length;
  byId('games-line').textContent = !table.counted ? t('arena.games_none') : all ? '' : t('arena.games_last', { n: table.games.length, total: table.counted });
  byId('games').replaceChildren(...table.games.map((/** @type {any} */ game) => h('li.contest-game', { dataset: { testid: 'game', game: game.id } },
    h('span.muted.numbers.contest-round', null, game.round),
    h('span.contest-pairing', null, game.white, ' ', h('b.numbers', null, game.result), ' ', game.black,
      h('small', { class: game.offender ? 'is-fault' : 'muted' }, game.reason_text)),
    h('span.contest-game-links', null,
      game.receipt && h('button.button-quiet', { type: 'button', dataset: { testid: 'open-receipt' }, onclick: () => open(game.receipt) }, icon('info'), t('arena.receipt')),
      game.played && h('a', { href: `/api/arena/${id}/games/${game.id}.pdn`, download: '', 'aria-label': `PDN ${game.white} – ${game.black}` }, 'PDN')))));
}
