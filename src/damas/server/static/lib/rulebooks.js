/** Rulebooks as the server lists and describes them, each requested once per page. */

import { api } from './api.js';
import { h } from './dom.js';

/** @import { BoardView, RulebookEntry, RulebookView } from './messages.js' */

/** @type {Map<string, Promise<RulebookView>>} */
const rulebooks = new Map();
/** Names by id. @type {Map<string, string>} */
const names = new Map();

/** A rulebook with its board. @param {string} id @returns {Promise<RulebookView>} */
export function rulebook(id) {
  const cached = rulebooks.get(id);
  if (cached) return cached;
  const requested = api.get(`/api/rulebook/${encodeURIComponent(id)}`);
  requested.catch(() => rulebooks.delete(id));
  rulebooks.set(id, requested);
  return requested;
}

/** All rulebooks, the most important first. @returns {Promise<RulebookEntry[]>} */
export async function listRulebooks() {
  const inPage = document.querySelector('script#rulebooks')?.textContent;
  /** @type {{rulebooks: RulebookEntry[]}} */
  const { rulebooks: entries } = inPage ? JSON.parse(inPage) : await api.get('/api/rulebooks');
  for (const { id, name, other_readings: readings } of entries) {
    for (const listed of [{ id, name }, ...readings]) names.set(listed.id, listed.name);
  }
  return entries;
}

/** The name of a rulebook once `listRulebooks` has it, or else its id. @param {string} id */
export function rulebookName(id) {
  return names.get(id) ?? id;
}

/** Whether a position fits both boards. @param {BoardView | undefined} a @param {BoardView} b */
export function isSameBoard(a, b) {
  return a?.size === b.size && a.all_squares === b.all_squares;
}

/** An option for every listed rulebook and for the other readings of its text. */
export function rulebookOptions() {
  return [...names].map(([id, name]) => h('option', { value: id }, name));
}
