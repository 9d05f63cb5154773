/**
 * Puzzles, one by one while the server answers. Whoever has opened some gets all of the rulebook in the background, and
 * the service worker keeps them: without network they come from there.
 */

import { api, ApiError } from '../../lib/api.js';

/** @type {Map<string, Map<string, any>>} what has come, by rulebook and id */
const arrived = new Map();

/** Each in a few words. @param {string} book @returns {Promise<any[]>} */
export function puzzlesOf(book) {
  return orKept(book, async () => (await api.get(`/api/puzzles/${book}`)).puzzles, (sheet) => [...sheet.values()]);
}

/** One with its solution. @param {string} book @param {string} id @returns {Promise<any>} */
export async function puzzleOf(book, id) {
  return arrived.get(book)?.get(id) ?? orKept(book, () => api.get(`/api/puzzles/${book}/${id}`), (sheet) => sheet.get(id));
}

/** What the server says; where it cannot be reached, what was kept, if it has it. @param {string} book @param {() => Promise<any>} ask @param {(sheet: Map<string, any>) => any} find */
async function orKept(book, ask, find) {
  try {
    return await ask();
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.status) throw problem;
    const found = find(await wholeSheet(book));
    if (found) return found;
    throw problem;
  }
}

/** @param {string} book @returns {Promise<Map<string, any>>} */
async function wholeSheet(book) {
  let sheet = arrived.get(book);
  if (!sheet) {
    const { puzzles } = await api.get(`/api/puzzles/${book}/all`);
    sheet = new Map(puzzles.map((/** @type {any} */ puzzle) => [puzzle.id, puzzle]));
    arrived.set(book, sheet);
  }
  return sheet;
}

/** Only where a worker is there to keep it; nobody waits for this. @param {string} book */
export async function keepSheet(book) {
  const workers = navigator.serviceWorker;
  if (!workers) return; // a page on a LAN has none
  if (!workers.controller) await new Promise((resolve) => { workers.addEventListener('controllerchange', resolve, { once: true }); });
  await wholeSheet(book).catch(() => {}); // then with the next page
}
