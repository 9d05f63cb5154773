// @ts-check
// Lines of play of a PDN while they are read, the rulebook that its tags name, and mistakes.

import { playOn } from "./lines.js";
import { cleanComment, commandsText, squaresOf, takeCommands } from "./pdn-commands.js";
import { GAMETYPES, RULEBOOKS } from "./rulebooks.js";

/** @typedef {import("./core.js").Core} Core */
/** @typedef {import("./core.js").Game} Game */
/** @typedef {import("./types").BadPdnGame} BadPdnGame */
/** @typedef {import("./types").PdnMove} PdnMove */
/** @typedef {{line: number, column: number}} Place */

/** A mistake in a game. */
export class Mistake extends Error {
  /** @param {number} line @param {number} column @param {Partial<BadPdnGame> & {text: string}} what */
  constructor(line, column, what) {
    super(what.text);
    this.place = { line, column };
    this.what = what;
  }
}

/** A line of play while it is read; notes on a move follow it. */
export class OpenLine {
  /** @type {Required<PdnMove>[]} */
  moves = [];
  /** Comments before the first move. @type {string[]} */
  leading = [];
  /** Of the last move. @type {import("./pdn-commands.js").Clock} */
  clock = {};
  /** @type {import("./pdn-commands.js").Mark[]} */
  marks = [];
  /** Comments of variations without moves. @type {string[]} */
  remarks = [];

  /** @param {Game} game @param {Place} opened */
  constructor(game, opened) {
    this.game = game;
    this.opened = opened;
    this.squares = squaresOf(game.book);
  }

  get last() {
    return this.moves[this.moves.length - 1];
  }

  /** @param {string} text */
  addMove(text) {
    this.settle();
    this.moves.push({ text, nags: [], comments: [], variations: [], commands: "", before: [] });
    this.clock = {};
    this.marks = [];
  }

  /** @param {string} text */
  addComment(text) {
    if (!this.last) return void this.leading.push(text);
    const rest = cleanComment(takeCommands(text, this.squares, this.clock, this.marks));
    this.last.commands = commandsText(this.clock, this.marks, this.game.book.names.algebraic);
    if (rest) this.last.comments.push(rest);
  }

  /** @param {OpenLine} line */
  addVariation(line) {
    line.settle();
    if (line.moves.length) {
      line.moves[0].before = line.leading;
      this.last.variations.push(line.moves);
    } else {
      this.remarks.push(...line.leading);
    }
  }

  /** The last move gets no further notes: comments of variations without moves come last. */
  settle() {
    this.last?.comments.push(...this.remarks);
    this.remarks = [];
  }
}

/** The number of a GameType; empty where there is none. @param {string} gametype */
function numberOf(gametype) {
  return /^\s*([0-9]{1,3})\s*(?:,|$)/.exec(gametype)?.[1] ?? "";
}

/**
 * The id of the rulebook that a game names by its tag, else by its GameType, else the one given.
 * @param {{core: Core, given: string, tags: Record<string, string>, tagPlaces: Record<string, Place>,
 *   place: Place}} game
 */
export function bookOf({ core, given, tags, tagPlaces, place }) {
  const { Rulebook: named = "", GameType: type = "" } = tags;
  const wrong = (/** @type {string} */ tag, /** @type {Partial<BadPdnGame>} */ what) => {
    const { line, column } = tagPlaces[tag] ?? place;
    return new Mistake(line, column, { text: named || type || "PDN", ...what });
  };
  const name = named.trim().toLowerCase();
  if (name) {
    const id = Object.keys(RULEBOOKS).find((each) => each === name || RULEBOOKS[each].aliases.includes(name));
    if (id) return id;
    throw wrong("Rulebook", { unknown: named.trim() });
  }
  if (type) {
    const number = numberOf(type);
    if (given && number && numberOf(core.rulebook(given).gametypes.algebraic) === number) return given;
    const first = GAMETYPES[Number(number)];
    if (first) return first;
    throw wrong("GameType", { unknown: `GameType ${type}` });
  }
  if (given) return given;
  throw wrong("", { problems: [{ code: "PDN_RULEBOOK", token: "", offset: 0 }] });
}

/**
 * Every way to split squares into legal moves.
 * @param {readonly string[]} squares
 * @param {Game} game
 * @returns {Generator<string[], undefined>}
 */
export function* cuts(squares, game) {
  if (!squares.length) yield [];
  for (let end = 2; end <= squares.length; end += 1) {
    const text = squares.slice(0, end).join(" ");
    let next;
    try {
      next = playOn(game, text);
    } catch { /* no move */ }
    if (next) for (const rest of cuts(squares.slice(end), next)) yield [text, ...rest];
  }
  return undefined;
}
