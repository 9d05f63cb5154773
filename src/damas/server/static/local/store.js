/** Games that are played in this browser alone, kept in its database. */

/** @import { LocalGameRecord } from './records.js' */

const DATABASE = 'damas', STORE = 'games';

/** The browser keeps nothing: it has no space left, or allows no database in a private window. */
export class StorageError extends Error {
  name = 'StorageError';
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded',
      () => { request.result.createObjectStore(STORE, { keyPath: 'id' }); });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

/**
 * Runs one request in a transaction, which is complete when this resolves.
 * @template Result
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<Result>} ask
 * @returns {Promise<Result>}
 */
async function run(mode, ask) {
  /** @type {IDBDatabase | null} */
  let database = null;
  try {
    const opened = database = await open();
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(STORE, mode, { durability: 'strict' });
      const request = ask(transaction.objectStore(STORE));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () => reject(transaction.error));
    });
  } catch (error) {
    throw new StorageError(String(error));
  } finally {
    database?.close();
  }
}

/** @param {string} id @returns {Promise<LocalGameRecord | undefined>} */
export const loadGame = (id) => run('readonly', (store) => store.get(id));

/** @param {LocalGameRecord} game */
export const storeGame = (game) => run('readwrite', (store) => store.put(game));

/** Every game, the one played last first. @returns {Promise<LocalGameRecord[]>} */
export async function listGames() {
  /** @type {LocalGameRecord[]} */
  const games = await run('readonly', (store) => store.getAll());
  return games.sort((a, b) => b.updated_ms - a.updated_ms);
}
