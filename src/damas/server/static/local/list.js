/** The games of this browser in lists, in the form of those that the server lists. */

import { sendSoon } from '../lib/unsent.js';
import { t } from '../lib/words.js';
import { listGames } from './store.js';

/** @import { ArchivedGame } from '../lib/messages.js' */
/** @import { KeptGame } from './kept.js' */

/** @typedef {'open' | 'waiting' | 'refused' | 'stored'} Place over and to be sent, or what the server said */

/** @param {KeptGame} game @returns {Place} */
export function placeOf({ result, stored, refused }) {
  if (stored) return 'stored';
  if (refused) return 'refused';
  return result ? 'waiting' : 'open';
}

/** All games of this browser; none where it allows no database. Those that wait are sent. */
export async function localGames() {
  const games = await listGames().catch(() => []);
  if (games.some((game) => placeOf(game) === 'waiting')) sendSoon('games');
  return games;
}

/** Those that the server does not have. */
export async function unstoredGames() {
  return (await localGames()).filter(({ stored }) => !stored);
}

/** A game as the server's list would have it. @param {KeptGame} game @returns {ArchivedGame} */
export function archivedGame(game) {
  const { id, rulebook, you, level, time, result, fen, moves, created_ms, updated_ms } = game;
  const player = (/** @type {'white' | 'black'} */ side) => (level !== null && you !== side
    ? { name: '', kind: `level:${level}` } : { name: t(`board.side.${side}`), kind: 'person' });
  return {
    id, rulebook, you, time, fen, created_ms, updated_ms, result, plies: moves.length,
    status: result ? 'over' : 'playing', white: player('white'), black: player('black'),
    reason: null, article: null,
  };
}

/** Results of the search, and what they are. */
const RESULTS = /** @type {Record<string, string>} */ ({ white: '1-0', black: '0-1', draw: '1/2-1/2' });
const DAY_MS = 86_400_000;

/**
 * Whether a game is what somebody looks for in the own games.
 * @param {ArchivedGame} game @param {URLSearchParams} query
 */
export function isWanted(game, query) {
  const wanted = (/** @type {string} */ name) => query.get(name) ?? '';
  const { result, you, updated_ms: ms } = game;
  const own = you === 'black' ? '0-1' : '1-0', others = you === 'black' ? '1-0' : '0-1';
  const results = you === 'both' ? RESULTS : { ...RESULTS, won: own, lost: others };
  const opponent = game.white.kind.startsWith('level') || game.black.kind.startsWith('level')
    ? 'level' : 'person';
  return (!wanted('rulebook') || wanted('rulebook') === game.rulebook)
    && (!wanted('result') || results[wanted('result')] === result)
    && (!wanted('opponent') || wanted('opponent') === opponent)
    && !wanted('name')
    && (!wanted('since') || ms >= Date.parse(wanted('since')))
    && (!wanted('until') || ms < Date.parse(wanted('until')) + DAY_MS);
}
