/** Where the server has stored a game of this browser. */

import { ANSWERED } from '../../lib/unsent.js';
import { loadGame } from '../../local/store.js';
import { state } from './state.js';

/** @import { Answered } from '../../lib/unsent.js' */

/**
 * Notes the server's address of a game, now or when it is stored.
 * @param {string} id @param {() => void} show
 */
export async function followStoring(id, show) {
  const note = (/** @type {string | undefined} */ url) => {
    state.storedAt ||= url ?? '';
    show();
  };
  window.addEventListener(ANSWERED, (event) => {
    /** @type {Answered} */
    const { local, url } = /** @type {CustomEvent} */ (event).detail;
    if (local === id) note(url);
  });
  note((await loadGame(id).catch(() => undefined))?.stored?.url);
}
