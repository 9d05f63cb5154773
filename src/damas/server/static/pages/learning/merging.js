/**
 * Progress that was made on two devices, as one: nothing that was done on either is lost. The server does the
 * same (`store/merging.py`; `tests/server/progress_cases.json` has cases for both).
 */

import { loadValue, storeValue } from '../../lib/storage.js';
import { randomId } from '../../lib/random.js';

/** Numbers that go down as well: of two values, that of the later `updated_ms` counts. */
const LATEST = ['streak'];
const DEVICE_KEY = 'damas.device';

/**
 * Both lists, the greater numbers, objects field by field, and otherwise ours.
 * @param {unknown} ours @param {unknown} theirs @returns {unknown}
 */
export function mergeProgress(ours, theirs) {
  if (ours === undefined || ours === null) return theirs ?? ours;
  if (isRecord(ours) && isRecord(theirs)) return mergeRecords(ours, theirs);
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const isPlain = [...ours, ...theirs].every((each) => ['string', 'number'].includes(typeof each));
    return isPlain ? [...new Set([...theirs, ...ours])] : ours;
  }
  if (typeof ours === 'number' && typeof theirs === 'number') return Math.max(ours, theirs);
  return ours;
}

/** @param {Record<string, unknown>} ours @param {Record<string, unknown>} theirs */
function mergeRecords(ours, theirs) {
  const merged = { ...theirs, ...ours };
  for (const name of Object.keys(merged)) {
    if (name in ours && name in theirs) merged[name] = mergeProgress(ours[name], theirs[name]);
  }
  const later = updatedMs(ours) >= updatedMs(theirs) ? ours : theirs;
  for (const name of LATEST) if (name in later) merged[name] = later[name];
  return merged;
}

/** @param {Record<string, unknown>} value */
function updatedMs({ updated_ms: ms }) {
  return typeof ms === 'number' ? ms : 0;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Counts: each device has its own number, so that those of several add up.

/** @typedef {{done?: number, wins?: Record<string, number>}} Count `done`: before devices had their own */

/** How often it was done, on all devices. @param {Count} count */
export function countOf({ done = 0, wins = {} }) {
  return Object.values(wins).reduce((sum, each) => sum + each, done);
}

/** The count after one more. @param {Count} count @returns {Count} */
export function oneMore(count) {
  const device = loadValue(DEVICE_KEY) ?? randomId();
  storeValue(DEVICE_KEY, device);
  return { ...count, wins: { ...count.wins, [device]: (count.wins?.[device] ?? 0) + 1 } };
}
