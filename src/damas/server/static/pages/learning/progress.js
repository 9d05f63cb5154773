/**
 * What a visitor has learnt: kept in the browser, and by the server for whoever has its cookie. No account is needed.
 * The two are joined when a page opens, so that nothing done on either is lost.
 */

import { api } from '../../lib/api.js';

const KEY = 'damas.progress';

/** @returns {Record<string, any>} */
function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return {}; // a browser that keeps nothing still learns
  }
}

let all = stored();
/** @type {Record<string, any>} */
let unsent = {};
let timer = 0;

/** @template T @param {string} key @param {T} fallback @returns {T} */
export function progress(key, fallback) {
  return all[key] ?? fallback;
}

/** @param {string} key @param {any} value */
export function keep(key, value) {
  all = { ...stored(), [key]: value };
  write();
  unsent[key] = value;
  clearTimeout(timer);
  timer = window.setTimeout(send, 400);
}

function write() {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch { /* kept for this page, and by the server */ }
}

async function send() {
  const sent = unsent;
  unsent = {};
  await api.post('/api/progress', { progress: sent }).catch(() => { unsent = { ...sent, ...unsent }; });
}

window.addEventListener('pagehide', () => {
  if (!Object.keys(unsent).length) return;
  const body = JSON.stringify({ progress: unsent });
  fetch('/api/progress', { method: 'POST', keepalive: true, body, headers: { 'Content-Type': 'application/json', 'X-Damas': '1' } }).catch(() => {});
});

/** Joins what the server knows. Resolves even when there is no network. */
export async function join() {
  const answer = await api.get('/api/progress').catch(() => null);
  if (!answer) return;
  for (const [key, theirs] of Object.entries(answer.progress)) all[key] = united(all[key], theirs);
  write();
}

/** Of two notes about the same, what either of them has. @param {any} ours @param {any} theirs */
function united(ours, theirs) {
  if (!ours || typeof ours !== 'object') return theirs ?? ours;
  if (!theirs || typeof theirs !== 'object') return ours;
  const both = { ...theirs, ...ours };
  for (const name of Object.keys(both)) {
    if (Array.isArray(ours[name]) && Array.isArray(theirs[name])) both[name] = [...new Set([...theirs[name], ...ours[name]])];
    else if (typeof ours[name] === 'number' && typeof theirs[name] === 'number') both[name] = Math.max(ours[name], theirs[name]);
  }
  return both;
}
