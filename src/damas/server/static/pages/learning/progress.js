/**
 * A visitor's progress, stored in the browser and by the server; no account is needed. Both are merged when a
 * page opens, so that nothing done on either is lost.
 */

import { api, WRITE_HEADERS } from '../../lib/api.js';
import { loadValue, storeValue } from '../../lib/storage.js';

const STORAGE_KEY = 'damas.progress';
const ADDRESS = '/api/progress';
const SEND_DELAY_MS = 400;

/** @typedef {Record<string, unknown>} Progress by key; each value is an object of lists and numbers */

/** @returns {Progress} */
function load() {
  const stored = loadValue(STORAGE_KEY);
  return isRecord(stored) ? stored : {};
}

let current = load();
/** @type {Progress} */
let unsent = {};
let sendTimer = 0;

/** @template T @param {string} key @param {T} fallback @returns {T} */
export function getProgress(key, fallback) {
  return /** @type {T} */ (current[key]) ?? fallback;
}

/** @param {string} key @param {object} value */
export function setProgress(key, value) {
  current = { ...load(), [key]: value };
  storeValue(STORAGE_KEY, current);
  unsent[key] = value;
  clearTimeout(sendTimer);
  sendTimer = window.setTimeout(send, SEND_DELAY_MS);
}

async function send() {
  const sent = unsent;
  if (!Object.keys(sent).length) return;
  unsent = {};
  await api.post(ADDRESS, { progress: sent }).catch(() => { unsent = { ...sent, ...unsent }; });
}

window.addEventListener('online', send);

window.addEventListener('pagehide', () => {
  if (!Object.keys(unsent).length) return;
  const headers = { 'Content-Type': 'application/json', ...WRITE_HEADERS };
  const body = JSON.stringify({ progress: unsent });
  fetch(ADDRESS, { method: 'POST', keepalive: true, body, headers }).catch(() => {});
});

/** Merges the server's progress; resolves even without a connection. */
export async function syncProgress() {
  /** @type {{progress: Progress} | null} */
  const response = await api.get(ADDRESS).catch(() => null);
  if (!response) return;
  for (const [key, theirs] of Object.entries(response.progress)) {
    current[key] = mergeProgress(current[key], theirs);
  }
  storeValue(STORAGE_KEY, current);
}

/** Both lists, the greater numbers, and otherwise ours. @param {unknown} ours @param {unknown} theirs */
export function mergeProgress(ours, theirs) {
  if (!isRecord(ours)) return theirs ?? ours;
  if (!isRecord(theirs)) return ours;
  const merged = { ...theirs, ...ours };
  for (const name of Object.keys(merged)) {
    const a = ours[name], b = theirs[name];
    if (Array.isArray(a) && Array.isArray(b)) merged[name] = [...new Set([...b, ...a])];
    else if (typeof a === 'number' && typeof b === 'number') merged[name] = Math.max(a, b);
  }
  return merged;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isRecord(value) {
  return typeof value === 'object' && value !== null;
}
