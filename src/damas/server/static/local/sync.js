/**
 * Sends what was done without the server: games that are over, attempts at puzzles, progress. Each is sent
 * until it is answered, and the server stores it once. Pages import this bundle when there is something.
 */

import { currentAccount } from '../lib/account.js';
import { api, ApiError, isTemporary } from '../lib/api.js';
import { toast } from '../lib/dom.js';
import { ANSWERED, clearUnsent, hasUnsent, unsentToken } from '../lib/unsent.js';
import { t } from '../lib/words.js';
import { syncProgress } from '../pages/learning/progress.js';
import { sentGame } from './sent-game.js';
import { deleteAttempt, listAttempts, listGames, markGame, storeAttempt } from './store.js';

/** @import { Kind } from '../lib/unsent.js' */
/** @import { KeptAttempt, KeptGame } from './kept.js' */

/** One tab sends at a time. */
const LOCK = 'damas-sync';
const FIRST_WAIT_MS = 3000, MAX_WAIT_MS = 300_000;

let waitMs = FIRST_WAIT_MS;
let timer = 0;

/** Sends everything; what does not arrive is sent again after a while, as long as the page is looked at. */
export async function sync() {
  clearTimeout(timer);
  const isDone = await (navigator.locks ? navigator.locks.request(LOCK, sendAll) : sendAll());
  if (!isDone) timer = window.setTimeout(() => { if (!document.hidden) void sync(); }, waitMs);
  waitMs = isDone ? FIRST_WAIT_MS : Math.min(2 * waitMs, MAX_WAIT_MS);
}

/** Whether nothing is left that could be sent now. */
async function sendAll() {
  try {
    await sendKind('games', unsentGames, sendGame);
    await sendKind('attempts', listAttempts, sendAttempt);
    if (unsentToken('progress')) await (await syncProgress())?.sent;
  } catch (error) {
    console.warn(error); // the browser allows no database now
  }
  return !hasUnsent();
}

/**
 * Sends all of a kind, if there is any. What is stored meanwhile is left for the next time.
 * @template {{id: string}} Item
 * @param {Kind} kind @param {() => Promise<Item[]>} list @param {(item: Item) => Promise<void>} send
 */
async function sendKind(kind, list, send) {
  const token = unsentToken(kind);
  if (token && await sendEach(await list(), send)) clearUnsent(kind, token);
}

/**
 * Sends one after the other, and whether the server has answered for all.
 * @template {{id: string}} Item
 * @param {Item[]} items @param {(item: Item) => Promise<void>} send
 */
async function sendEach(items, send) {
  let isAnswered = true;
  for (const item of items) {
    try {
      await send(item);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      isAnswered = false;
      if (isTemporary(error)) break;
    }
  }
  return isAnswered;
}

/** Whether the server will never take what it was sent. @param {unknown} error */
function isRefusal(error) {
  return error instanceof ApiError && [400, 404, 413, 422].includes(error.status);
}

async function unsentGames() {
  return (await listGames()).filter(({ result, stored, refused }) => result && !stored && !refused);
}

/** @param {KeptGame} game */
async function sendGame(game) {
  // What was done here without an account belongs to whoever logs in, as on the server.
  const account = game.account || currentAccount();
  if (account !== game.account) await markGame(game.id, { account });
  try {
    const stored = await api.put(`/api/local-games/${game.id}`, sentGame({ ...game, account }));
    await markGame(game.id, { stored });
    announce(game.id, stored.url);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message } = /** @type {ApiError} */ (error);
    await markGame(game.id, { refused: { code, message } });
    announce(game.id, '');
    toast(t('play.local.refused'));
  }
}

/** @param {string} local @param {string} url */
function announce(local, url) {
  window.dispatchEvent(new CustomEvent(ANSWERED, { detail: { local, url } }));
}

/** @param {KeptAttempt} attempt */
async function sendAttempt(attempt) {
  const account = attempt.account || currentAccount();
  if (account !== attempt.account) await storeAttempt({ ...attempt, account });
  const { rulebook, puzzle, ...body } = { ...attempt, account };
  try {
    await api.post(`/api/puzzles/${rulebook}/${puzzle}`, body);
  } catch (error) {
    if (!isRefusal(error)) throw error; // a puzzle that is gone
  }
  await deleteAttempt(attempt.id);
}
