/**
 * Moves at a table, as `damas.arbiter.moves` has them: what obligations leave, and the games after events.
 */

import { other } from './clock.js';
import { begins, newGame } from './table.js';

/** @import { Game } from '../../core/core.js' */
/** @import { LocalEvent, Side } from '../records.js' */
/** @import { Table } from './table.js' */
/** @import { TableEvent } from './types.js' */

/** @typedef {LocalEvent & {kind: 'moved'}} Moved */

/**
 * The game after a move that is in turn and legal on the board, else null.
 * @param {Moved} event @param {Table} table
 */
export function legal(event, table) {
  return event.by === table.toMove ? table.reading(event).next : null;
}

/** @param {Game} next @param {Table} table */
export function keepsTouched(next, table) {
  return table.touched === null || table.touched === table.names[next.last?.route[0] ?? -1];
}

/** @param {Game} next @param {Table} table */
export function continuesCapture(next, { chain }) {
  return !chain || (chain.demanded && begins(next.last?.route ?? [], chain.route));
}

/**
 * The game after a move that is legal, in time and allowed by the player's obligations.
 * @param {Moved} event @param {Table} table
 */
export function allowed(event, table) {
  if (table.clocks.overdue(event.at) || table.lifting.length || table.crowning) return null;
  const next = legal(event, table);
  return next && keepsTouched(next, table) && continuesCapture(next, table) ? next : null;
}

/** How many plies a take-back removes. @param {Table} table @param {Side} asker */
export const takeBackPlies = (table, asker) => (table.toMove === asker ? 2 : 1);

/**
 * The game after an event; null if the event does not or may not change it.
 * @param {TableEvent} event @param {Table} table @returns {Game | null}
 */
export function following(event, table) {
  const { game, chain } = table;
  switch (event.kind) {
    case 'moved': return allowed(/** @type {Moved} */ (event), table);
    case 'called_attention':
      return game.book.drawRules.includes(event.rule) ? game.callAttention(event.rule) : null;
    case 'take_back_granted':
      return table.takeBack === other(event.by) ? game.takeBack(takeBackPlies(table, table.takeBack)) : null;
    case 'accepted_unfinished': {
      const isOpen = chain && table.awaited === event.by && !table.clocks.overdue(event.at);
      return isOpen ? newGame(table.terms, game.unfinished(chain.move)?.fen) : null;
    }
    default: return null;
  }
}
