/** Starts a game that is played in this browser alone. */

import { storeGame } from './store.js';

/** @import { LocalGameRecord } from './records.js' */

/** Whether the service worker has kept all that a game needs without a network. */
export async function canPlayLocally() {
  return 'caches' in window && Boolean(await caches.match('/words/local-files.json').catch(() => null));
}

/**
 * Stores a new game and returns its address.
 * @param {{rulebook: string, color: string, time: string}} terms @param {number | null} level
 */
export async function startLocalGame({ rulebook, color, time }, level) {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  const id = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_');
  const drawn = bytes[0] % 2 ? 'white' : 'black';
  const own = /** @type {'white' | 'black'} */ (color === 'random' ? drawn : color);
  /** @type {LocalGameRecord} */
  const game = {
    id, rulebook, level, time: /^\d+(\+\d+)?$/.test(time) ? time : 'none',
    you: level === null ? 'both' : own,
    moves: [], clocks_ms: [], started_ms: null, ended: null, result: null, fen: '',
    created_ms: Date.now(), updated_ms: Date.now(),
  };
  await storeGame(game);
  return localAddress(game);
}

/** @param {{id: string}} game */
export function localAddress({ id }) {
  return `/local?id=${encodeURIComponent(id)}`;
}
