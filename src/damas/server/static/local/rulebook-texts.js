/** Rulebooks as the core reads them, with some lines of their texts changed. For the worker. */

import { Rulebook } from '../core/core.js';
import { RULEBOOKS } from '../core/rulebooks.js';

/** @import { Core } from '../core/core.js' */

/** Lines about draws and endgame tables. */
const LAWS = /^(?:law|limit|rest|table) /;

/** By text. @type {Map<string, Rulebook>} */
const changed = new Map();

/** @param {string} id */
export function rulebookText(id) {
  return RULEBOOKS[id].text;
}

/**
 * A rulebook with another text.
 * @param {Core} core @param {string} id @param {string} text
 */
export function withText(core, id, text) {
  let book = changed.get(text);
  if (!book) changed.set(text, (book = new Rulebook(core, id, { ...RULEBOOKS[id], text })));
  return book;
}

/**
 * A rulebook with some of its lines.
 * @param {Core} core @param {string} id @param {(line: string) => boolean} isWanted
 */
export function withLines(core, id, isWanted) {
  return withText(core, id, rulebookText(id).split('\n').filter(isWanted).join('\n'));
}

/**
 * A rulebook for positions alone: no law ends a game while there are moves.
 * @param {Core} core @param {string} id
 */
export function withoutLaws(core, id) {
  return withLines(core, id, (line) => !LAWS.test(line));
}
