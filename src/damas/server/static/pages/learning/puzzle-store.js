/**
 * Puzzles from the server, one by one. After the first, a sample of the rulebook's puzzles is loaded in the
 * background and cached by the service worker, for use offline.
 */

import { api, ApiError } from '../../lib/api.js';

/** @import { PuzzleList, PuzzleSample, PuzzleView } from './messages.js' */

/**
 * Which puzzles are wanted: of a motif, between two ratings, nearest to a rating first.
 * @typedef {{motif?: string, min?: number, max?: number, near?: number, page?: number}} Criteria
 */

/** By rulebook. @type {Map<string, PuzzleSample>} */
const samples = new Map();

/** A page of puzzles. @param {string} book @param {Criteria} criteria @returns {Promise<PuzzleList>} */
export function findPuzzles(book, criteria) {
  const given = Object.entries(criteria).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return orSampled(book, () => api.get(`/api/puzzles/${book}?${query}`),
    (sample) => ({ ...sample, ...pageOf(sample, criteria) }));
}

/** The whole sample is one page. @param {PuzzleSample} sample @param {Criteria} criteria */
function pageOf(sample, { motif, min = 0, max = Infinity, near = 0, page = 0 }) {
  const puzzles = sample.puzzles
    .filter(({ rating, motifs }) => rating >= min && rating <= max && (!motif || motifs.includes(motif)))
    .sort((a, b) => Math.abs(a.rating - near) - Math.abs(b.rating - near));
  return { matching: puzzles.length, puzzles: page ? [] : puzzles };
}

/** @param {string} book @param {string} id @returns {Promise<PuzzleView>} */
export function getPuzzle(book, id) {
  return orSampled(book, () => api.get(`/api/puzzles/${book}/${id}`),
    ({ puzzles }) => puzzles.find((puzzle) => puzzle.id === id));
}

/**
 * The server's answer; without a connection, what the cached sample has.
 * @template T
 * @param {string} book @param {() => Promise<T>} load @param {(sample: PuzzleSample) => T | undefined} find
 * @returns {Promise<T>}
 */
async function orSampled(book, load, find) {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status) throw error;
    const cached = find(await loadSample(book));
    if (cached) return cached;
    throw error;
  }
}

/** @param {string} book @returns {Promise<PuzzleSample>} */
async function loadSample(book) {
  const cached = samples.get(book);
  if (cached) return cached;
  /** @type {PuzzleSample} */
  const sample = await api.get(`/api/puzzles/${book}/sample`);
  samples.set(book, sample);
  return sample;
}

/** Caches the sample of a rulebook, where there is a service worker. @param {string} book */
export async function cachePuzzles(book) {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  if (!workers.controller) {
    await new Promise((resolve) => { workers.addEventListener('controllerchange', resolve,
      { once: true }); });
  }
  await loadSample(book).catch(() => {}); // the next page tries again
}
