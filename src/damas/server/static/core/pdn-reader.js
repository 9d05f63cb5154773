// @ts-check
// Reads the games of a PDN as Python's reader does: tolerant, a mistake spoils only its own game. The core
// decides whether a move may be played.

import { CoreError } from "./core.js";
import { playOn, startOf } from "./lines.js";
import { cleanComment } from "./pdn-commands.js";
import { bookOf, cuts, Mistake, OpenLine } from "./pdn-lines.js";
import { FORCED_NAG, LOOSE_TAG, MEANINGS, NAGS, SPACED, TAG_LINE, TOKEN } from "./pdn-tokens.js";
import { ownTags } from "./pdn-writer.js";

/** @typedef {import("./core.js").Core} Core */
/** @typedef {import("./core.js").Game} Game */
/** @typedef {import("./types").PdnGame} PdnGame */
/** @typedef {import("./types").BadPdnGame} BadPdnGame */
/** @typedef {import("./pdn-lines.js").Place} Place */

const MAX_NESTED = 64;
const MAX_SHOWN_CHARS = 120;

/**
 * The games of a text, and those that could not be read; `more` where there are more than `maxGames`.
 * @param {Core} core
 * @param {string} text
 * @param {{rulebook?: string, maxGames?: number, maxMoves?: number}} [settings] the rulebook is for games
 *   that name none
 */
export function readPdn(core, text, { rulebook = "", maxGames = 200, maxMoves = 20_000 } = {}) {
  const reader = new Reader(core, rulebook);
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  for (const line of lines) {
    reader.feed(line);
    const { games, bad, moves } = reader;
    if (games.length + bad.length >= maxGames || moves >= maxMoves) return { games, bad, more: true };
  }
  reader.end();
  return { games: reader.games, bad: reader.bad, more: false };
}

/** Takes lines by `feed` and collects the games. */
class Reader {
  /** @type {PdnGame[]} */
  games = [];
  /** @type {BadPdnGame[]} */
  bad = [];
  /** Moves of all games. */
  moves = 0;
  #lineNumber = 0;
  /** @type {Record<string, string>} */
  tags = {};
  /** @type {Record<string, Place>} */
  tagPlaces = {};
  /** Where the game begins. */
  place = { line: 0, column: 1 };
  /** Whether there was a blank line after the last tag. */
  isBlank = false;
  /** Comments before the moves. @type {string[]} */
  leading = [];
  /** The first position. @type {Game | null} */
  start = null;
  /** @type {OpenLine | null} */
  line = null;
  /** @type {OpenLine[]} */
  outer = [];
  /** What stands after the moves. @type {string | null} */
  result = null;
  /** An unclosed comment. @type {(Place & {text: string}) | null} */
  comment = null;
  #isSkipping = false;
  #hasSkippedMoves = false;

  /** @param {Core} core @param {string} given */
  constructor(core, given) {
    this.core = core;
    this.given = given;
  }

  #begin() {
    this.tags = {};
    this.tagPlaces = {};
    this.place = { line: this.#lineNumber, column: 1 };
    this.isBlank = false;
    this.leading = [];
    this.line = this.start = this.result = this.comment = null;
    this.outer = [];
  }

  /** @param {string} text */
  feed(text) {
    this.#lineNumber += 1;
    if (this.#isSkipping && !this.#resumes(text)) return;
    this.#isSkipping = false;
    try {
      const offset = this.comment ? this.#continueComment(text) : 0;
      if (offset < 0) return;
      if (!text.trim()) this.isBlank = true;
      else this.#read(text, offset);
    } catch (error) {
      this.#report(error);
      this.#isSkipping = true;
      this.#hasSkippedMoves = this.line !== null || !TAG_LINE.test(text);
      this.isBlank = false;
    }
  }

  end() {
    if (this.#isSkipping) return;
    if (this.comment) this.#report(this.#unclosed());
    else this.#close();
  }

  /** Whether a new game begins here after a bad one. @param {string} text */
  #resumes(text) {
    if (!TAG_LINE.test(text)) {
      if (text.trim()) this.#hasSkippedMoves = true;
      else this.isBlank = true;
      return false;
    }
    if (!this.#hasSkippedMoves && !this.isBlank) return false;
    this.#begin();
    return true;
  }

  /** Where the line goes on after the comment; -1 if it does not end here. @param {string} text */
  #continueComment(text) {
    const comment = /** @type {NonNullable<typeof this.comment>} */ (this.comment);
    if (TAG_LINE.test(text)) {
      this.#report(this.#unclosed());
      this.#begin();
      return 0;
    }
    const end = text.indexOf("}");
    comment.text += ` ${end < 0 ? text : text.slice(0, end)}`;
    if (end < 0) return -1;
    this.comment = null;
    this.#addComment(comment.text);
    return end + 1;
  }

  /** @param {string} text @param {number} offset */
  #read(text, offset) {
    let wordEnd = -1;
    TOKEN.lastIndex = offset; // matchAll begins there
    for (const token of text.matchAll(TOKEN)) {
      const { index, groups = {} } = token;
      const column = index + 1;
      if (groups.word !== undefined) {
        this.#word(groups.word, index + token[0].lastIndexOf(groups.word) + 1);
        wordEnd = index + token[0].length;
      } else if (groups.tag !== undefined) this.#tag(groups.tag, groups.value, column);
      else if (groups.comment !== undefined) this.#addComment(groups.comment.slice(1, -1));
      else if (groups.unclosed !== undefined)
        this.comment = { text: groups.unclosed.slice(1), line: this.#lineNumber, column };
      else if (groups.line !== undefined) this.#addComment(groups.line.slice(1));
      else if (groups.star !== undefined) {
        if (index === wordEnd && this.result === null) this.#annotate([FORCED_NAG], token);
        else this.#word("*", column);
      } else if (groups.signs !== undefined)
        this.#annotate(groups.signs.match(/[!?]{1,2}/g)?.map((sign) => NAGS[sign]) ?? [], token);
      else if (groups.nag !== undefined) this.#annotate([Number(groups.nag)], token);
      else if (groups.enter !== undefined) this.#enter(token);
      else if (groups.leave !== undefined) this.#leave(token);
      else if (groups.setup !== undefined) throw this.#problem("PDN_SETUP", token);
      else if (groups.odd !== undefined) {
        const [, name, value] = LOOSE_TAG.exec(text.slice(index)) ?? [];
        if (name === undefined)
          throw this.#problem(groups.odd === "[" ? "PDN_TAG" : "PDN_MISPLACED", token);
        return this.#tag(name, value, column);
      }
    }
  }

  /** @param {string} name @param {string} value @param {number} column */
  #tag(name, value, column) {
    if (this.line || (this.isBlank && name in this.tags)) this.#close();
    const place = { line: this.#lineNumber, column };
    if (!Object.keys(this.tags).length) this.place = place;
    this.isBlank = false;
    this.tags[name] = value.replaceAll(/\\(["\\])/g, "$1");
    this.tagPlaces[name] = place;
  }

  /** @param {string} word @param {number} column */
  #word(word, column) {
    const ends = Object.hasOwn(MEANINGS, word);
    if (this.result !== null) {
      if (ends) return; // "2-0 *": the second result adds nothing
      this.#close();
    }
    const line = this.line ?? this.#open(column);
    if (ends && this.outer.length) line.addComment(word); // the result that a variation would have
    else if (ends) this.result = word;
    else for (const text of SPACED.test(word) ? this.#cut(word, line, column) : [word])
      this.#move(text, line, column);
  }

  /** @param {string} text @param {OpenLine} line @param {number} column */
  #move(text, line, column) {
    try {
      line.game = playOn(line.game, text);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      const { problems, refusal } = error;
      throw new Mistake(this.#lineNumber, column, { text, problems, refusal, ...this.#readSoFar(line) });
    }
    line.addMove(/** @type {import("./types").PlayedMove} */ (line.game.last).text);
    this.moves += 1;
  }

  /** What can be shown of a game up to a bad move of its main line. @param {OpenLine} line */
  #readSoFar({ moves }) {
    if (this.outer.length) return {};
    return { fen: this.start?.fen ?? null, moves: moves.map(({ text }) => ({ text })) };
  }

  /**
   * The moves in squares by rows and columns, where spaces separate squares and moves alike.
   * @param {string} word
   * @param {OpenLine} line
   * @param {number} column
   */
  #cut(word, line, column) {
    const ways = cuts(word.split(/[ \t]+/), line.game);
    const [first, second] = [ways.next().value, ways.next().value];
    if (first && !second) return first;
    const text = word.slice(0, MAX_SHOWN_CHARS);
    throw new Mistake(this.#lineNumber, column,
      { text, problems: [{ code: "PDN_SPACED", token: text, offset: 0 }], ...this.#readSoFar(line) });
  }

  /** @param {string} text */
  #addComment(text) {
    const clean = cleanComment(text);
    if (!clean) return;
    if (this.line) this.line.addComment(clean);
    else this.leading.push(clean);
  }

  /** The line of the move that a token is about. @param {RegExpExecArray} token */
  #noted(token) {
    if (!this.line?.last || this.result !== null) throw this.#problem("PDN_MISPLACED", token);
    return this.line;
  }

  /** @param {number[]} nags @param {RegExpExecArray} token */
  #annotate(nags, token) {
    this.#noted(token).last.nags.push(...nags);
  }

  /** @param {RegExpExecArray} token */
  #enter(token) {
    const line = this.#noted(token);
    if (this.outer.length === MAX_NESTED) throw this.#problem("PDN_NESTED", token);
    this.outer.push(line);
    this.line = new OpenLine(line.game.takeBack(1), { line: this.#lineNumber, column: token.index + 1 });
  }

  /** @param {RegExpExecArray} token */
  #leave(token) {
    const outer = this.outer.pop();
    if (!this.line || !outer) throw this.#problem("PDN_MISPLACED", token);
    outer.addVariation(this.line);
    this.line = outer;
  }

  /** Begins the moves of a game. @param {number} column */
  #open(column) {
    if (!Object.keys(this.tags).length) this.place = { line: this.#lineNumber, column };
    const book = this.core.rulebook(bookOf(this));
    const { FEN: fen = "", SetUp: setUp = this.tags.Setup ?? "1" } = this.tags;
    try {
      this.start = startOf(book, setUp === "0" ? "" : fen);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      const { line, column: at } = this.tagPlaces.FEN;
      throw new Mistake(line, at, { text: fen, problems: error.problems });
    }
    this.line = new OpenLine(this.start, this.place);
    this.line.leading = this.leading;
    return this.line;
  }

  /** Finishes the current game, good or bad, and begins the next. */
  #close() {
    try {
      if (this.line || Object.keys(this.tags).length) this.games.push(this.#finished());
    } catch (error) {
      this.#report(error);
    }
    this.#begin();
  }

  /** @returns {PdnGame} */
  #finished() {
    const line = this.line ?? this.#open(1);
    if (this.outer.length)
      throw new Mistake(line.opened.line, line.opened.column,
        { text: "(", problems: [{ code: "PDN_VARIATION", token: "(", offset: 0 }] });
    line.settle();
    const { book } = line.game;
    // By PDN 3.0 the tag gives the result and the end of the moves repeats it.
    const tag = (this.tags.Result ?? "").trim();
    const result = ["", "?", "*"].includes(tag) ? this.result ?? "*" : tag;
    const other = book.starter === "white" ? "black" : "white";
    const winners = { "1-0": book.starter, "0-1": other };
    const start = /** @type {Game} */ (this.start);
    return {
      rulebook: book.id, fen: start.fen, standard: start.fen === startOf(book, "").fen,
      tags: ownTags(this.tags), result, winner: winners[/** @type {"1-0"} */ (MEANINGS[result])] ?? null,
      comments: line.leading, moves: line.moves,
    };
  }

  /** @param {unknown} error */
  #report(error) {
    if (!(error instanceof Mistake)) throw error;
    let rulebook = null;
    try {
      rulebook = this.line?.game.book.id ?? bookOf(this);
    } catch { /* its tags name none */ }
    this.bad.push({ game: this.games.length + this.bad.length + 1, ...error.place, tags: this.tags, rulebook,
      fen: null, moves: [], problems: [], refusal: null, unknown: null, ...error.what });
  }

  #unclosed() {
    const { text, line, column } = /** @type {NonNullable<typeof this.comment>} */ (this.comment);
    const token = text.trim().slice(0, 40);
    this.#letGo();
    const problems = [{ code: "PDN_COMMENT", token, offset: 0 }];
    return new Mistake(line, column, { text: `{${token}`, problems });
  }

  /** @param {string} code @param {RegExpExecArray} token */
  #problem(code, token) {
    this.#letGo();
    const text = token.input.slice(0, MAX_SHOWN_CHARS).trim();
    const problems = [{ code, token: token[0].slice(0, 40), offset: token.index }];
    return new Mistake(this.#lineNumber, token.index + 1, { text, problems });
  }

  /** What comes behind a result cannot spoil the game any more. */
  #letGo() {
    if (this.result !== null) this.#close();
  }
}
