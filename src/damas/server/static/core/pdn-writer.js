// @ts-check
// Writes a game with its variations and comments as PDN 3.0, letter for letter as Python's writer does.

import { legalHere, playOn, startOf } from "./lines.js";
import { cleanComment, commandsText, squaresOf, takeCommands } from "./pdn-commands.js";

/** @typedef {import("./core.js").Core} Core */
/** @typedef {import("./core.js").Game} Game */
/** @typedef {import("./types").PdnTree} PdnTree */
/** @typedef {import("./types").PdnMove} PdnMove */

/** Tags that every game has, with the value for "unknown". */
export const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?" };
const DERIVED = ["Result", "GameType", "Rulebook", "Notation", "FEN", "SetUp", "Setup"];
const SIGNS = ["", "!", "?", "!!", "??", "!?", "?!"];
const RESULTS = ["1-0", "2-0", "0-1", "0-2", "1/2-1/2", "1-1", "0-0", "*"];
/** GameTypes whose results are 2-0, 1-1 and 0-2. */
const TWO_POINTS = ["20", "27"];
const WIDTH = 80;

/**
 * The tags without those that follow from the game, and without unknown values.
 * @param {Record<string, string>} tags
 */
export function ownTags(tags) {
  const roster = /** @type {Record<string, string>} */ (ROSTER);
  return Object.fromEntries(Object.entries(tags)
    .filter(([name]) => !DERIVED.includes(name))
    .filter(([name, value]) => !(name in roster) || (value !== "" && value !== roster[name]))
    .map(([name, value]) => [name, value.replaceAll(/[\r\n]+/g, " ")]));
}

/**
 * A game as text. Throws `CoreError` for a move that cannot be played.
 * @param {Core} core
 * @param {PdnTree} tree
 */
export function writePdn(core, tree) {
  const book = core.rulebook(tree.rulebook);
  const start = startOf(book, tree.fen ?? "");
  // No other program reads rows and columns.
  const own = book.moveScheme === "rows-columns" ? "algebraic" : book.moveScheme;
  const scheme = tree.numbering || own;
  const marked = scheme === "numbers" ? "numbers" : "algebraic";
  const isStandard = start.fen === startOf(book, "").fen;
  const tags = ownTags(tree.tags ?? {});
  const { result = resultOf(book, tree.winner) } = tree;
  const others = Object.entries(tags).filter(([name]) => !(name in ROSTER));
  const header = [
    ...Object.entries(ROSTER).map(([name, unknown]) => [name, tags[name] ?? unknown]),
    ["Result", result], ...(book.gametypes[scheme] ? [["GameType", book.gametypes[scheme]]] : []),
    ["Rulebook", book.id], ["Notation", scheme],
    ...(isStandard ? [] : [["SetUp", "1"], ["FEN", fenIn(start, book.names[marked])]]),
    ...others,
  ];
  const first = /^[1-9][0-9]{0,3}$/.test(tags.FirstMoveNumber ?? "") ? Number(tags.FirstMoveNumber) : 1;
  const names = { moves: book.names[scheme], marks: book.names[marked] };
  const words = [
    ...commentWords([...(tree.comments ?? []), ...(tree.moves?.[0]?.before ?? [])]),
    ...lineWords(start, tree.moves ?? [], first, names), RESULTS.includes(result) ? result : "*",
  ];
  const lines = header.map(([name, value]) =>
    `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`);
  return `${lines.join("\n")}\n\n${wrapped(words)}\n`;
}

/**
 * A result in the spelling of the rulebook's GameType: the first figure belongs to the side that begins.
 * @param {import("./core.js").Rulebook} book
 * @param {import("./types").Color | null} [winner] null for a draw, nothing for a game that goes on
 */
function resultOf({ starter, gametypes }, winner) {
  if (winner === undefined) return "*";
  const isTwoPoints = TWO_POINTS.includes(gametypes.algebraic.split(",")[0]);
  if (winner === null) return isTwoPoints ? "1-1" : "1/2-1/2";
  const points = isTwoPoints ? 2 : 1;
  return winner === starter ? `${points}-0` : `0-${points}`;
}

/** @param {Game} game @param {readonly string[]} names */
function fenIn(game, names) {
  const side = (/** @type {string} */ king) => Object.entries(game.pieces)
    .filter(([, letter]) => letter.toUpperCase() === king)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([square, letter]) => (letter === king ? "K" : "") + names[Number(square)]).join(",");
  return `${game.turn === "white" ? "W" : "B"}:W${side("W")}:B${side("B")}`;
}

/**
 * The words of a line of play, between which a text may be broken.
 * @param {Game} start
 * @param {readonly PdnMove[]} moves
 * @param {number} first number of the first move
 * @param {{moves: readonly string[], marks: readonly string[]}} names of the squares
 * @returns {string[]}
 */
function lineWords(start, moves, first, names) {
  const { book } = start;
  const squares = squaresOf(book);
  const words = [];
  let game = start, number = first, isNumbered = false;
  for (const [index, move] of moves.entries()) {
    const before = index + 1 < moves.length ? moves[index + 1].before ?? [] : [];
    const following = playOn(game, move.text);
    const begins = game.turn === book.starter;
    const { sign, rest } = signs(move.nags ?? []);
    const numbering = isNumbered && !begins ? "" : `${number}${begins ? "." : "..."} `;
    words.push(numbering + moveText(game, following, names.moves) + sign, ...rest);
    const clock = {}, marks = /** @type {[string, number, number?][]} */ ([]);
    const left = takeCommands(move.commands ?? "", squares, clock, marks);
    const comments = [commandsText(clock, marks, names.marks), ...(move.comments ?? []), left, ...before]
      .map(cleanComment).filter(Boolean);
    words.push(...commentWords(comments));
    const variations = (move.variations ?? []).filter((line) => line.length);
    for (const line of variations) {
      words.push("(", ...commentWords(line[0].before ?? []), ...lineWords(game, line, number, names), ")");
    }
    isNumbered = !comments.length && !variations.length;
    number += begins ? 0 : 1;
    game = following;
  }
  return words;
}

/**
 * The ends of a move, or its whole route where another has the same.
 * @param {Game} game
 * @param {Game} following
 * @param {readonly string[]} names
 */
function moveText(game, following, names) {
  const { route, captured } = /** @type {import("./types").PlayedMove} */ (following.last);
  const ends = [route[0], route[route.length - 1]];
  const alike = () => legalHere(game)
    .filter(({ routes: [own] }) => own[0] === ends[0] && own[own.length - 1] === ends[1]);
  const squares = captured.length && alike().length > 1 ? route : ends;
  return squares.map((square) => names[square]).join(captured.length ? "x" : "-");
}

/** The sign after the move, and what follows as numbers. @param {readonly number[]} nags */
function signs(nags) {
  const known = nags.filter((nag) => nag >= 0 && nag <= 255);
  const sign = SIGNS[known[0]] ?? "";
  return { sign, rest: known.slice(sign ? 1 : 0).map((nag) => `$${nag}`) };
}

/** No line may begin with [ or %, a tag or an escape. @param {readonly string[]} comments */
function commentWords(comments) {
  return comments.map(cleanComment).filter(Boolean).flatMap((text) => `{${text}}`.split(/ (?![[%])/));
}

/** @param {readonly string[]} words */
function wrapped(words) {
  /** @type {string[]} */
  const lines = [];
  let width = 0;
  for (const word of words) {
    const size = [...word].length;
    if (lines.length && width + 1 + size <= WIDTH) {
      lines[lines.length - 1] += ` ${word}`;
      width += 1 + size;
    } else {
      lines.push(word);
      width = size;
    }
  }
  return lines.join("\n");
}
