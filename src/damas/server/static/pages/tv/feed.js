/** A tournament and its hall as the server has them, for ever: a lost connection is tried again. */

import { api, ApiError, isTemporary } from '../../lib/api.js';
import { eventStream } from '../../lib/event-stream.js';
import { lang } from '../../lib/words.js';
import { isLeague } from '../tournament/seats.js';

/** @import { TableRowView, TournamentReply, TournamentView } from '../tournament/messages.js' */
/** @import { HallScreenView } from './messages.js' */

const RETRY_MS = 2000;
/** The server says something every few seconds: a stream that is silent for longer is dead. */
const MAX_SILENCE_MS = 30_000;

/**
 * @param {string} id of the tournament
 * @param {(tournament: TournamentView, screen: HallScreenView, players: TableRowView[]) => void} show
 * @param {(trouble: ApiError | null) => void} onTrouble null when the server answers again
 */
export async function followHall(id, show, onTrouble) {
  const address = `/api/club/${id}`;
  for (;;) {
    try {
      await followOnce(address, show, onTrouble);
      onTrouble(null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onTrouble(error);
      if (!isTemporary(error)) await wait(RETRY_MS * 5);
    }
    await wait(RETRY_MS);
  }
}

/**
 * @param {string} address @param {Parameters<typeof followHall>[1]} show
 * @param {Parameters<typeof followHall>[2]} onTrouble
 */
async function followOnce(address, show, onTrouble) {
  /** @type {TournamentView | null} */
  let tournament = null;
  /** Of a league, by their own table. @type {TableRowView[]} */
  let players = [];
  const abort = new AbortController();
  const path = `${address}/screen/stream?lang=${lang}`;
  for await (const message of eventStream(path, abort.signal, undefined, MAX_SILENCE_MS)) {
    const screen = /** @type {HallScreenView} */ (message);
    if (tournament?.version !== screen.version) {
      /** @type {TournamentReply} */
      const reply = await api.get(`${address}?lang=${lang}`);
      tournament = reply.tournament;
      players = isLeague(tournament) ? (await api.get(`${address}/tables/players?lang=${lang}`)).rows : [];
    }
    onTrouble(null);
    show(tournament, screen, players);
  }
}

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
