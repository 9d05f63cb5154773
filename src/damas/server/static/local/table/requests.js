/** What a page asks for, as events of the table; see `damas.arbiter.requests`. */

import { other } from './clock.js';

/** @import { CommandMessage, CommandName } from '../../lib/messages.js' */
/** @import { LocalEvent, Side } from '../records.js' */
/** @import { Table } from './table.js' */

/** @type {Partial<Record<CommandName, LocalEvent['kind']>>} */
const KINDS = {
  resign: 'resigned', offer: 'offered', decline: 'declined', withdraw: 'withdrew',
    take_back: 'take_back_asked',
  grant: 'take_back_granted', refuse: 'take_back_refused', abort: 'aborted', press: 'pressed',
  demand: 'demanded_completion', touch: 'touched', lift: 'lifted', crown: 'crowned', blow: 'blew',
    report: 'reported',
  stop: 'unfinished', claim: 'claimed', attention: 'called_attention',
};

/**
 * The side that can make a request at a table where one person plays both.
 * @param {CommandName} request @param {Table} table
 * @returns {Side}
 */
function actingSide(request, table) {
  const { offer, chain, takeBack, toMove } = table;
  if ((request === 'accept' || request === 'decline') && offer) return other(offer);
  if ((request === 'accept' || request === 'demand') && chain) return other(chain.by);
  if ((request === 'grant' || request === 'refuse') && takeBack) return other(takeBack);
  if (request === 'withdraw' && offer) return offer;
  if (request === 'take_back' && table.game.ply) return other(toMove);
  if (request === 'lift' && table.lifting.length) return other(toMove);
  if (request === 'press' && table.clocks.running) return table.clocks.running;
  return toMove;
}

/**
 * The event that a command asks for; null for one that no table in the browser knows.
 * @param {CommandMessage} command @param {Side | 'both'} you @param {number} at @param {Table} table
 * @returns {LocalEvent | null}
 */
export function eventOf(command, you, at, table) {
  if (command.t === 'intervene') return null;
  const named = /** @type {Side | null | undefined} */ (command.side);
  if (command.t === 'move') {
    return { kind: 'moved', at, by: you === 'both' ? named ?? table.toMove : you, move: command.move };
  }
  const { do: request, square, rule, move, conduct } = command;
  const by = you === 'both' ? named ?? actingSide(request, table) : you;
  const facts = {
    square: typeof square === 'number' ? table.names[square] : square ?? '', rule: rule ?? '',
      move: move ?? '',
    conduct: conduct ?? '',
  };
  const kind = kindOf(request, by, table);
  return kind ? eventFrom(kind, at, by, facts) : null;
}

/**
 * @param {CommandName} request @param {Side} by @param {Table} table
 * @returns {LocalEvent['kind'] | undefined}
 */
function kindOf(request, by, { adjusting, chain, offer }) {
  if (request === 'adjust') return adjusting.includes(by) ? 'adjusted' : 'adjusting';
  if (request === 'accept') return chain && !chain.demanded && offer !== other(by) ? 'accepted_unfinished'
    : 'accepted';
  return KINDS[request];
}

/**
 * @param {LocalEvent['kind']} kind @param {number} at @param {Side} by
 * @param {{square: string, rule: string, move: string, conduct: string}} facts
 * @returns {LocalEvent}
 */
function eventFrom(kind, at, by, { square, rule, move, conduct }) {
  switch (kind) {
    case 'moved':
    case 'unfinished': return { kind, at, by, move };
    case 'touched': return { kind, at, by, square, held_over: '' };
    case 'lifted':
    case 'crowned':
    case 'blew': return { kind, at, by, square };
    case 'claimed':
    case 'called_attention': return { kind, at, by, rule };
    case 'reported': return { kind, at, by, conduct };
    default: return { kind, at, by };
  }
}
