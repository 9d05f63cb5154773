/** Arrows and marked squares of a node, kept as commands of PDN: `[%csl Gc3]` and `[%cal Gc3d4]`. */

import { commandsText, takeCommands } from '../../core/pdn-commands.js';

/** @import { Mark } from '../../core/pdn-commands.js' */
/** @import { Drawing } from '../../board/state.js' */
/** @import { Brush } from '../../board/overlay.js' */
/** @import { RulebookView } from '../../lib/messages.js' */
/** @import { Node } from './tree.js' */

/** @type {Record<string, Brush>} */
const BRUSHES = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' };
/** @type {Record<Brush, string>} */
const LETTERS = { green: 'G', red: 'R', yellow: 'Y', blue: 'B' };

/** @param {Node} node @param {RulebookView} book */
function readCommands({ commands }, { board }) {
  const squares = new Map(board.squares.flatMap(({ alg, numbers }, square) =>
    /** @type {[string, number][]} */ ([[alg, square], [numbers, square]])));
  const clock = {};
  /** @type {Mark[]} */
  const marks = [];
  const rest = takeCommands(commands, squares, clock, marks).trim();
  return { rest, clock, marks };
}

/** What is drawn at a node. @param {Node} node @param {RulebookView} book @returns {Drawing[]} */
export function drawingsOf(node, book) {
  if (!node.commands.includes('[%c')) return [];
  return readCommands(node, book).marks
    .map(([letter, from, to = from]) => ({ from, to, brush: BRUSHES[letter] }));
}

/**
 * Adds a drawing to a node; the same one again is erased, one of another colour changes its colour.
 * @param {Node} node @param {RulebookView} book @param {Drawing} drawing
 */
export function toggleDrawing(node, book, { from, to, brush }) {
  const { rest, clock, marks } = readCommands(node, book);
  const isHere = (/** @type {Mark} */ [, start, end = start]) => start === from && end === to;
  const isSame = marks.some((mark) => isHere(mark) && mark[0] === LETTERS[brush]);
  const others = marks.filter((mark) => !isHere(mark));
  /** @type {Mark} */
  const added = from === to ? [LETTERS[brush], from] : [LETTERS[brush], from, to];
  write(node, book, rest, clock, isSame ? others : [...others, added]);
}

/** @param {Node} node @param {RulebookView} book */
export function clearDrawings(node, book) {
  const { rest, clock } = readCommands(node, book);
  write(node, book, rest, clock, []);
}

/**
 * @param {Node} node @param {RulebookView} book @param {string} rest @param {object} clock
 * @param {Mark[]} marks
 */
function write(node, { board }, rest, clock, marks) {
  const names = board.squares.map(({ alg }) => alg);
  const sorted = [...marks.filter((mark) => mark.length === 2), ...marks.filter((mark) => mark.length === 3)];
  node.commands = [commandsText(clock, sorted, names), rest].filter(Boolean).join(' ');
}
