/**
 * Puzzles from the server, one by one. After the first, all puzzles of the rulebook are loaded in the
 * background and cached by the service worker, for use offline.
 */

import { api, ApiError } from '../../lib/api.js';

/** @import { PuzzleEntry, PuzzleView } from './messages.js' */

/** @typedef {Map<string, PuzzleView>} PuzzleSet all puzzles of a rulebook, by id */

/** By rulebook. @type {Map<string, PuzzleSet>} */
const loaded = new Map();

/** @param {string} book @returns {Promise<PuzzleEntry[]>} */
export function listPuzzles(book) {
  return orCached(book, async () => (await api.get(`/api/puzzles/${book}`)).puzzles,
    (puzzles) => [...puzzles.values()]);
}

/** @param {string} book @param {string} id @returns {Promise<PuzzleView>} */
export async function getPuzzle(book, id) {
  return loaded.get(book)?.get(id)
    ?? orCached(book, () => api.get(`/api/puzzles/${book}/${id}`), (puzzles) => puzzles.get(id));
}

/**
 * The server's answer; without a connection, what the cached puzzles have.
 * @template T
 * @param {string} book @param {() => Promise<T>} load @param {(puzzles: PuzzleSet) => T | undefined} find
 * @returns {Promise<T>}
 */
async function orCached(book, load, find) {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status) throw error;
    const cached = find(await loadAll(book));
    if (cached) return cached;
    throw error;
  }
}

/** @param {string} book @returns {Promise<PuzzleSet>} */
async function loadAll(book) {
  const cached = loaded.get(book);
  if (cached) return cached;
  /** @type {{puzzles: PuzzleView[]}} */
  const { puzzles } = await api.get(`/api/puzzles/${book}/all`);
  const all = new Map(puzzles.map((puzzle) => [puzzle.id, puzzle]));
  loaded.set(book, all);
  return all;
}

/** Caches all puzzles of a rulebook, where there is a service worker. @param {string} book */
export async function cachePuzzles(book) {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  if (!workers.controller) {
    await new Promise((resolve) => { workers.addEventListener('controllerchange', resolve,
      { once: true }); });
  }
  await loadAll(book).catch(() => {}); // the next page tries again
}
