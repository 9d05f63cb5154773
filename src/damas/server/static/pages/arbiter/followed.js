/** The boards that an arbiter follows: the links are kept in this browser and nowhere else. */

import { loadValue, storeValue } from '../../lib/storage.js';

/**
 * @typedef {{id: string, key: string}} BoardKey a game and the key of its arbiter's link
 * @typedef {BoardKey & {number: number}} FollowedTable with the number of its table in the hall
 */

export const BOARDS_KEY = 'damas.arbiter.boards';
/** As many as the server follows at once. */
const MAX_BOARDS = 64;
const LINK = /\/game\/([\w-]+)#arbiter=([\w-]+)/g;

/** The boards in the order in which they were added. @returns {FollowedTable[]} */
export function followedBoards() {
  const kept = loadValue(BOARDS_KEY);
  return Array.isArray(kept) ? kept.map((board, i) => ({ number: i + 1, ...board })) : [];
}

/** @param {FollowedTable[]} boards the newest last; the oldest go where there are too many */
function keep(boards) {
  storeValue(BOARDS_KEY, boards.slice(-MAX_BOARDS));
}

/**
 * Follows a board, at the table of the game before it where it is a rematch, else at the next one.
 * @param {string} id @param {string} key @param {string | null} [previous] the game before it
 * @returns {boolean} whether it was new
 */
export function followBoard(id, key, previous = null) {
  const boards = followedBoards();
  if (boards.some((board) => board.id === id && board.key === key)) return false;
  const known = boards.find((board) => board.id === id) ?? boards.find((board) => board.id === previous);
  const number = known?.number ?? Math.max(0, ...boards.map((board) => board.number)) + 1;
  keep([...boards.filter((board) => board.id !== id), { id, key, number }]);
  return true;
}

/** @param {string} id @param {number} number */
export function renumberBoard(id, number) {
  keep(followedBoards().map((board) => (board.id === id ? { ...board, number } : board)));
}

/** @param {string} id */
export function forgetBoard(id) {
  keep(followedBoards().filter((board) => board.id !== id));
}

/** The boards whose links stand in a text, each once. @param {string} text @returns {BoardKey[]} */
export function linksIn(text) {
  const boards = [...text.matchAll(LINK)].map(([, id, key]) => ({ id, key }));
  return boards.filter(({ id }, at) => boards.findIndex((other) => other.id === id) === at);
}
