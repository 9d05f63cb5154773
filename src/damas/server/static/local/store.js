/** What this browser alone has, in its database: games that are played in it, and attempts at puzzles. */

import { currentAccount } from '../lib/account.js';
import { sendSoon } from '../lib/unsent.js';
import { upgraded } from './old-records.js';

/** @import { LocalGameRecord, OldLocalGameRecord } from './records.js' */
/** @import { Kept, KeptAttempt, KeptGame } from './kept.js' */

/**
 * Where something is stored. Each kind has a database of its own: a new version of one would keep pages that
 * are open from storing their games.
 * @typedef {{database: string, store: string}} Place
 */
const GAMES = { database: 'damas', store: 'games' };
const ATTEMPTS = { database: 'damas-attempts', store: 'attempts' };

/** The browser keeps nothing: it has no space left, or allows no database in a private window. */
export class StorageError extends Error {
  name = 'StorageError';
}

/** The game belongs to an account that is not logged in. */
export class OtherAccount extends Error {
  name = 'OtherAccount';
}

/** Another page of this browser has stored the game meanwhile: what was to be stored is of an older state. */
export class ChangedElsewhere extends Error {
  name = 'ChangedElsewhere';
}

/** @param {Place} place @returns {Promise<IDBDatabase>} */
function open({ database, store }) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.addEventListener('upgradeneeded',
      () => { request.result.createObjectStore(store, { keyPath: 'id' }); });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

/**
 * Runs one request in a transaction, which is complete when this resolves.
 * @template Result
 * @param {Place} place @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<Result>} ask
 * @returns {Promise<Result>}
 */
async function run(place, mode, ask) {
  /** @type {IDBDatabase | null} */
  let database = null;
  try {
    const opened = database = await open(place);
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(place.store, mode, { durability: 'strict' });
      const request = ask(transaction.objectStore(place.store));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () => reject(transaction.error));
    });
  } catch (error) {
    throw new StorageError(String(error));
  } finally {
    database?.close();
  }
}

/**
 * Stores what becomes of a game as it is stored now, in one transaction.
 * @param {string} id @param {(stored: KeptGame | undefined) => KeptGame | undefined} changed
 */
async function change(id, changed) {
  await run(GAMES, 'readwrite', (store) => {
    const request = store.get(id);
    request.addEventListener('success', () => {
      const game = changed(request.result);
      if (game) store.put(game);
    });
    return request;
  });
}

// Games

/** Throws `OtherAccount`. @param {string} id @returns {Promise<KeptGame | undefined>} */
export async function loadGame(id) {
  /** @type {KeptGame | (OldLocalGameRecord & Kept) | undefined} */
  const game = await run(GAMES, 'readonly', (store) => store.get(id));
  if (game && !isOwn(game)) throw new OtherAccount(id);
  return game && upgraded(game);
}

/**
 * Stores a game; it belongs to whoever was logged in when it began. Throws `ChangedElsewhere`.
 * @param {LocalGameRecord} game @param {LocalGameRecord} [earlier] what it was when the page did this
 */
export async function storeGame(game, earlier) {
  let isOld = false;
  await change(game.id, (stored) => {
    isOld = Boolean(stored && earlier && stored.updated_ms !== earlier.updated_ms);
    if (isOld) return undefined;
    const { account = currentAccount(), stored: at, refused } = stored ?? {};
    return { account, ...(at && { stored: at }), ...(refused && { refused }), ...game };
  });
  if (isOld) throw new ChangedElsewhere(game.id);
  if (game.result) sendSoon('games');
}

/** Notes what has become of a game. @param {string} id @param {Kept} marks */
export function markGame(id, marks) {
  return change(id, (game) => game && { ...game, ...marks });
}

/**
 * Whether a record has what lists and senders read. A damaged one is passed over: it hides no other.
 * @param {KeptGame | (OldLocalGameRecord & Kept)} record
 */
function isWhole(record) {
  const { rulebook, moves, updated_ms: updatedMs } = record;
  const lists = [moves, record.version ? record.events : record.clocks_ms];
  const hasDate = Number.isFinite(updatedMs) && !Number.isNaN(new Date(updatedMs).getTime());
  return typeof rulebook === 'string' && hasDate && lists.every(Array.isArray);
}

/**
 * The games of whoever is logged in, and those that were played without an account; the last one first.
 * @returns {Promise<KeptGame[]>}
 */
export async function listGames() {
  /** @type {(KeptGame | (OldLocalGameRecord & Kept))[]} */
  const games = await run(GAMES, 'readonly', (store) => store.getAll());
  return games.filter((game) => isOwn(game) && isWhole(game)).map(upgraded)
    .sort((a, b) => b.updated_ms - a.updated_ms);
}

/** @param {{account?: string}} kept */
function isOwn({ account }) {
  return !account || account === currentAccount();
}

// Attempts at puzzles

/** Stores an attempt until the server has it. @param {KeptAttempt} attempt */
export async function storeAttempt(attempt) {
  await run(ATTEMPTS, 'readwrite', (store) => store.put(attempt));
  sendSoon('attempts');
}

/** @param {string} id */
export const deleteAttempt = (id) => run(ATTEMPTS, 'readwrite', (store) => store.delete(id));

/** Those of whoever is logged in, and those without an account. @returns {Promise<KeptAttempt[]>} */
export async function listAttempts() {
  /** @type {KeptAttempt[]} */
  const attempts = await run(ATTEMPTS, 'readonly', (store) => store.getAll());
  return attempts.filter(isOwn);
}
