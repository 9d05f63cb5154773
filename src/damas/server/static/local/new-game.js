/** Starts a game that is played in this browser alone. */

import { storeGame } from './store.js';

/** @import { LocalGameRecord, Side } from './records.js' */

/** Whether the service worker has kept all that a game needs without a network. */
export async function canPlayLocally() {
  return 'caches' in window && Boolean(await caches.match('/words/local-files.json').catch(() => null));
}

/**
 * Stores a new game and returns its address.
 * @param {{rulebook: string, color: string, time: string, preset: string, fen?: string}} terms
 * @param {number | null} level
 * @param {boolean} isByLot whether a lot decides the colours
 */
export async function startLocalGame({ rulebook, color, time, preset, fen }, level, isByLot) {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  const id = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_');
  const lot = isByLot ? crypto.getRandomValues(new Uint32Array(1))[0] : null;
  const drawn = bytes[0] % 2 ? 'white' : 'black';
  const chosen = /** @type {Side} */ (color === 'random' ? drawn : color);
  const own = lot === null ? chosen : await drawLots(lot);
  /** @type {LocalGameRecord} */
  const game = {
    version: 2, id, rulebook, hash: await rulebookHash(rulebook), preset, time, level,
    you: level === null ? 'both' : own, lot, events: [], ...(fen && { start: fen }),
    moves: [], result: null, reason: null, fen: '', created_ms: Date.now(), updated_ms: Date.now(),
  };
  await storeGame(game);
  return localAddress(game);
}

/**
 * The colour of the player named first: White if the SHA-256 of the seed in digits is even.
 * @param {number} seed
 * @returns {Promise<Side>}
 */
export async function drawLots(seed) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256',
    new TextEncoder().encode(String(seed))));
  return digest[digest.length - 1] % 2 ? 'black' : 'white';
}

/** The hash of the rules that this version of damas plays. @param {string} id */
async function rulebookHash(id) {
  const response = await fetch(`/words/local/${document.documentElement.lang}.json`);
  return (await response.json()).rulebooks[id].hash;
}

/** @param {{id: string}} game */
export function localAddress({ id }) {
  return `/local?id=${encodeURIComponent(id)}`;
}
