/** A tournament as the server has it: fetched again whenever a stream says that it has changed. */

import { ApiError, api, isTemporary } from '../../lib/api.js';
import { eventStream } from '../../lib/event-stream.js';
import { randomId } from '../../lib/random.js';

/** @import { TournamentReply } from './messages.js' */

const RETRY_MS = 2000;

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/**
 * Calls `show` with the tournament now and after each change, for ever; a page heals when the server is back.
 * `onRefused` is called, and nothing more happens, where this visitor may not look at it.
 * @param {string} id @param {(reply: TournamentReply) => unknown} show
 * @param {{onOffline: (isOffline: boolean) => void, onRefused: (error: ApiError) => void}} handlers
 */
export async function followTournament(id, show, { onOffline, onRefused }) {
  const address = `/api/club/${id}`;
  for (;;) {
    try {
      let reply = await fetchTournament(address, show, onOffline);
      for await (const { version } of eventStream(`${address}/stream`, new AbortController().signal)) {
        if (version !== reply.tournament.version) reply = await fetchTournament(address, show, onOffline);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isTemporary(error)) return onRefused(error);
      onOffline(true);
    }
    await wait(RETRY_MS);
  }
}

/**
 * @param {string} address @param {(reply: TournamentReply) => unknown} show
 * @param {(is: boolean) => void} onOffline
 */
async function fetchTournament(address, show, onOffline) {
  /** @type {TournamentReply} */
  const reply = await api.get(address);
  onOffline(false);
  show(reply);
  return reply;
}

/**
 * Does something to the tournament. Without an answer the same request is sent again until there is one:
 * by its id the server counts it once.
 * @param {string} id @param {string} action @param {Record<string, unknown>} [fields]
 * @param {() => void} [onRetry]
 * @returns {Promise<{version: string, game?: string | null}>}
 */
export async function act(id, action, fields = {}, onRetry = () => {}) {
  const body = { do: action, id: randomId(), ...fields };
  for (;;) {
    try {
      return await api.post(`/api/club/${id}/actions`, body);
    } catch (error) {
      if (!(error instanceof ApiError) || !isTemporary(error)) throw error;
      onRetry();
      await wait(RETRY_MS);
    }
  }
}
