/** Outcomes that a table gives. */

import { other } from './clock.js';

/** @import { Side } from '../records.js' */
/** @import { Cited } from './refused.js' */
/** @import { Outcome } from './types.js' */

const WINS = /** @type {const} */ ({ white: '1-0', black: '0-1' });

/** What cites a setting of the regulation. @param {string} name */
export const setting = (name) => `regulation.${name}`;

/**
 * How the game ends.
 * @param {Side | null} winner @param {string} reason @param {Cited} article @param {Partial<Outcome>} [more]
 * @returns {Outcome}
 */
export function ending(winner, reason, article, more = {}) {
  const result = winner ? WINS[winner] : '1/2-1/2';
  return { result, winner, reason, article, rule: '', platform: false, void: false, facts: {}, ...more };
}

/**
 * The outcome of a game that a side has lost.
 * @param {Side} loser @param {string} reason @param {Cited} article
 * @param {Record<string, string | number>} [facts]
 */
export function loss(loser, reason, article, facts = {}) {
  return ending(other(loser), reason, article, { facts: { loser, ...facts } });
}
