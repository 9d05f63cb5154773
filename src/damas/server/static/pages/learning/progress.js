/**
 * A visitor's progress, stored in the browser and by the server; no account is needed. Both are merged when a
 * page opens, and what the server lacks is sent, so that nothing done on either is lost.
 */

import { currentAccount } from '../../lib/account.js';
import { api, ApiError, isTemporary, WRITE_HEADERS } from '../../lib/api.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { clearUnsent, noteUnsent, sendSoon } from '../../lib/unsent.js';
import { isRecord, mergeProgress } from './merging.js';

const STORAGE_KEY = 'damas.progress';
const ADDRESS = '/api/progress';
const SEND_DELAY_MS = 400;

/** @typedef {Record<string, unknown>} Progress by key; each value is an object of lists and numbers */

/** Of this page: who logs in or out in another tab has another progress. */
const account = currentAccount();
const storageKey = account ? `${STORAGE_KEY}.${account}` : STORAGE_KEY;

/** Each account has its own; whoever logs in takes along what was done before without an account. */
function load() {
  const anonymous = read(STORAGE_KEY);
  if (!account) return anonymous;
  const own = read(storageKey);
  if (!Object.keys(anonymous).length) return own;
  const both = merge(own, anonymous);
  storeValue(storageKey, both);
  storeValue(STORAGE_KEY, null);
  noteUnsent('progress');
  return both;
}

/** @param {string} key @returns {Progress} */
function read(key) {
  const stored = loadValue(key);
  return isRecord(stored) ? stored : {};
}

/** @param {Progress} ours @param {Progress} theirs @returns {Progress} */
function merge(ours, theirs) {
  return /** @type {Progress} */ (mergeProgress(ours, theirs));
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
  current = merge({ ...current, [key]: { ...value, updated_ms: Date.now() } }, load());
  storeValue(storageKey, current);
  noteUnsent('progress');
  unsent[key] = current[key];
  clearTimeout(sendTimer);
  sendTimer = window.setTimeout(async () => { if (!await send()) sendSoon('progress'); }, SEND_DELAY_MS);
}

// Another tab has gone on.
window.addEventListener('storage', ({ key }) => {
  if (key === storageKey) current = merge(current, load());
});

/** @param {Progress} progress */
const post = (progress) => api.post(ADDRESS, { progress, account });

/** Sends what the server lacks, and whether it has answered. */
async function send() {
  const sent = unsent;
  if (!Object.keys(sent).length) return true;
  unsent = {};
  try {
    await post(sent).catch((error) => onePerRequest(sent, error));
  } catch {
    unsent = { ...sent, ...unsent };
    noteUnsent('progress');
    return false;
  }
  if (!Object.keys(unsent).length) clearUnsent('progress');
  return true;
}

/**
 * The server takes all or nothing, and may have a lesson no more: what it does not take stays here.
 * @param {Progress} progress @param {unknown} error
 */
async function onePerRequest(progress, error) {
  if (!(error instanceof ApiError) || isTemporary(error) || error.code === 'OTHER_ACCOUNT') throw error;
  const entries = Object.entries(progress);
  if (entries.length === 1) return;
  for (const [key, value] of entries) {
    await post({ [key]: value }).catch((each) => { if (isTemporary(each)) throw each; });
  }
}

window.addEventListener('pagehide', () => {
  if (!Object.keys(unsent).length) return;
  const headers = { 'Content-Type': 'application/json', ...WRITE_HEADERS };
  const body = JSON.stringify({ progress: unsent, account });
  fetch(ADDRESS, { method: 'POST', keepalive: true, body, headers }).catch(() => {});
});

/**
 * Merges the server's progress and begins to send what it lacks; resolves even without a connection, then to
 * nothing.
 */
export async function syncProgress() {
  /** @type {{progress: Progress} | null} */
  const response = await api.get(ADDRESS).catch(() => null);
  if (!response) return null;
  current = merge(load(), response.progress);
  storeValue(storageKey, current);
  for (const [key, value] of Object.entries(current)) {
    if (JSON.stringify(value) !== JSON.stringify(response.progress[key])) unsent[key] = value;
  }
  if (!Object.keys(unsent).length) clearUnsent('progress');
  return { sent: send() };
}
