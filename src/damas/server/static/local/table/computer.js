/**
 * The computer at the table: a level of the engine, and what a player owes besides moves; see
 * `damas.engine.opponent`.
 */

import { ahead } from '../../core/levels.js';
import { LEVELS } from '../../core/rulebooks.js';
import { other } from './clock.js';

/** @import { LevelPlayer } from '../../core/levels.js' */
/** @import { LocalEvent, Side } from '../records.js' */
/** @import { Table } from './table.js' */

/** Seconds that the strongest level thinks about a move where there is no clock. */
const MOVETIME_S = 2;
/** With a clock, no more than this part of what is left. */
const PARTS_OF_CLOCK = 30;

/**
 * What it does now, or null if it waits for the opponent.
 * @param {Table} table @param {Side} side @param {LevelPlayer} level @param {number} at
 * @returns {LocalEvent | null}
 */
export function computerActs(table, side, level, at) {
  const by = side, { offer, takeBack, chain } = table;
  if (table.outcome) return null;
  if (offer === other(side)) return { kind: likesDraw(table, side, level) ? 'accepted' : 'declined', at, by };
  if (takeBack === other(side)) return { kind: 'take_back_granted', at, by };
  if (chain && !chain.demanded && chain.by !== side) return { kind: 'demanded_completion', at, by };
  if (table.awaited !== side) return null;
  return claim(table, side, at) ?? move(table, side, level, at);
}

/** Whether the computer has something to do. @param {Table} table @param {Side} side */
export function isComputerAwaited({ outcome, offer, takeBack, chain, awaited }, side) {
  const answers = offer === other(side) || takeBack === other(side)
    || (chain !== null && !chain.demanded && chain.by !== side);
  return !outcome && (answers || awaited === side);
}

/**
 * Behind, or even when little is left, or ahead in an ending that cannot be won.
 * @param {Table} table @param {Side} side @param {LevelPlayer} level
 */
function likesDraw({ game }, side, level) {
  const lead = ahead(game, side);
  if (lead > 0) return level.seesNoWin(game, side);
  return lead < 0 || Object.keys(game.pieces).length <= LEVELS.drawPieces;
}

/**
 * Draws are for the side that is not winning. What the platform offers is left to people.
 * @param {Table} table @param {Side} by @param {number} at
 * @returns {LocalEvent | null}
 */
function claim({ game }, by, at) {
  if (ahead(game, by) > 0) return null;
  const complete = game.claimable.find(({ platform }) => !platform);
  if (complete) return { kind: 'claimed', at, by, rule: complete.rule };
  const uncalled = game.view.attention.find(({ platform }) => !platform);
  return uncalled ? { kind: 'called_attention', at, by, rule: uncalled.rule } : null;
}

/**
 * @param {Table} table @param {Side} by @param {LevelPlayer} level @param {number} at
 * @returns {LocalEvent | null}
 */
function move(table, by, level, at) {
  const { game, playable } = table;
  const only = playable.length < game.legal.length ? playable.map(({ text }) => text) : undefined;
  const left = table.clocks.remaining(by, at);
  const movetime = left === null ? MOVETIME_S : Math.min(MOVETIME_S, left / 1000 / PARTS_OF_CLOCK);
  const chosen = level.choose(game, { only, movetime });
  return chosen ? { kind: 'moved', at, by, move: chosen } : null;
}
