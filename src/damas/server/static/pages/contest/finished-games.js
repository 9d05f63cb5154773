/** The finished games, newest first, with receipts for games that a program lost by a fault. */

import { byId, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { StandingsView } from './messages.js' */

/** @param {string} contest @param {StandingsView | null} table @param {(id: string) => void} openReceipt */
export function showFinishedGames(contest, table, openReceipt) {
  byId('games-card').hidden = !table;
  if (!table) return;
  const { games, counted } = table;
  const line = byId('games-line');
  if (!counted) line.textContent = t('arena.games_none');
  else line.textContent = counted === games.length
    ? '' : t('arena.games_last', { n: games.length, total: counted });
  byId('games').replaceChildren(...games
    .map(({ id, round, white, black, result, offender, reason_text, receipt, played }) =>
    h('li.contest-game', { dataset: { testid: 'game', game: id } },
      h('span.muted.numbers.contest-round', round),
      h('span.contest-pairing', white, ' ', h('b.numbers', result), ' ', black,
        h('small', { class: offender ? 'is-fault' : 'muted' }, reason_text)),
      h('span.contest-game-links',
        receipt && h('button.button-quiet', {
          testid: 'open-receipt', onclick: () => openReceipt(receipt),
        }, icon('info'), t('arena.receipt')),
        played && h('a', {
          href: `/api/arena/${contest}/games/${id}.pdn`, download: '',
          'aria-label': `PDN ${white} – ${black}`,
        }, 'PDN')))));
}
