// @ts-check
// The core of damas for JavaScript: positions, legal moves, laws, refusals and the engine, as the C++ core
// decides them. No rule is written here: texts go in, JSON comes out. Runs in pages, workers and node.

import { Engine } from "./engine.js";
import { FAILURES, instanceOf } from "./instance.js";
import { RULEBOOKS } from "./rulebooks.js";

/** @typedef {import("./types").GameSettings} GameSettings */
/** @typedef {import("./types").GameView} GameView */

const [STACK_POINTER, INITIALIZE] = ["__stack_pointer", "_initialize"];
const [OWN_SIZE, OWN_ALIGNMENT] = ["__tls_size", "__tls_align"];

/** A text that cannot be read (`problems`), or a move that the rules refuse (`refusal`). */
export class CoreError extends Error {
  /**
   * @param {{ply?: number, problems?: import("./types").Problem[],
   *   refusal?: import("./types").Refusal}} why
   */
  constructor(why) {
    const code = why.refusal?.code ?? why.problems?.[0]?.code ?? "ERROR";
    super(`${code}: ${why.refusal?.tried ?? why.problems?.[0]?.token ?? ""}`);
    this.name = "CoreError";
    this.code = code;
    /** Plies that were played before it. */
    this.ply = why.ply ?? 0;
    this.problems = why.problems ?? [];
    this.refusal = why.refusal ?? null;
  }
}

/**
 * Loads the core: from beside this module, or from an address, the bytes or a compiled module.
 * @param {string | URL | BufferSource | WebAssembly.Module} [source]
 * @returns {Promise<Core>}
 */
export async function loadCore(source = new URL("./damas-core.wasm", import.meta.url)) {
  if (source instanceof WebAssembly.Module) return new Core(source);
  const address = typeof source === "string" || source instanceof URL;
  return new Core(await (address ? compiled(new URL(source, import.meta.url)) : WebAssembly.compile(source)));
}

/** @param {URL} url */
async function compiled(url) {
  if (url.protocol === "file:") {
    const files = "node:fs/promises"; // node alone has it
    return WebAssembly.compile(await (await import(files)).readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** One instance of the module. */
export class Core {
  /** @type {Map<string, Rulebook>} */
  #books = new Map();
  /** @type {any} any: the exports of a module have no types */
  #exports;
  /** @type {WebAssembly.Global<'i32'>} */
  #stack;
  /** @type {(() => void) | null} */
  onReport = null;
  /** @type {(() => boolean) | null} */
  interrupted = null;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    const report = () => this.onReport?.();
    const interrupted = () => this.interrupted?.() ?? false;
    const { exports, memory } = instanceOf(module, { report, interrupted });
    this.memory = memory;
    this.#exports = exports;
    this.#stack = exports[STACK_POINTER];
    exports[INITIALIZE]();
  }

  /** The ids of the built-in rulebooks and of their other readings. */
  get ids() {
    return Object.keys(RULEBOOKS);
  }

  /** @param {string} id */
  rulebook(id) {
    const data = Object.hasOwn(RULEBOOKS, id) ? RULEBOOKS[id] : null;
    if (!data) throw new RangeError(`no rulebook ${id}`);
    let book = this.#books.get(id);
    if (!book) this.#books.set(id, (book = new Rulebook(this, id, data)));
    return book;
  }

  /**
   * Calls a function of the module; a text or bytes among the arguments become an address and a size.
   * @param {string} name
   * @param {...(number | string | Uint8Array)} values
   * @returns {number}
   */
  call(name, ...values) {
    const held = [];
    const given = [];
    const stack = this.#stack.value;
    try {
      for (const value of values) {
        if (typeof value === "number") given.push(value);
        else {
          const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
          const at = this.allocate(bytes.length || 1);
          new Uint8Array(this.memory.buffer).set(bytes, at);
          held.push(at);
          given.push(at, bytes.length);
        }
      }
      return this.#exports[name](...given);
    } catch (error) {
      this.#stack.value = stack; // what was thrown has left the module in the middle of it
      throw error;
    } finally {
      for (const at of held) this.#exports.release(at);
    }
  }

  /** The address of so many bytes. @param {number} size */
  allocate(size) {
    const at = this.#exports.alloc(size) >>> 0;
    if (!at) throw new Error(FAILURES[0]);
    return at;
  }

  /** What each thread of a module with threads has for itself, in bytes. */
  get threadStorage() {
    const [size, alignment] = [OWN_SIZE, OWN_ALIGNMENT].map((name) => this.#exports[name].value);
    return { size, alignment: Math.max(alignment, 16) };
  }

  /** The text that the last call has left. */
  get answer() {
    const at = this.#exports.answer_at() >>> 0;
    const bytes = new Uint8Array(this.memory.buffer).slice(at, at + (this.#exports.answer_size() >>> 0));
    return new TextDecoder().decode(bytes); // a copy: it takes no memory that threads share
  }
}

/** One rulebook. */
export class Rulebook {
  /** @param {Core} core @param {string} id @param {import("./types").RulebookData} data */
  constructor(core, id, data) {
    this.core = core;
    this.id = id;
    /** File name of its network; empty where there is none. */
    this.network = data.network;
    /** The most pieces of the endgame tables that are made on demand; 0: none are. */
    this.tablePieces = data.tablePieces;
    const words = data.text.split("\n").map((line) => line.split(" "));
    /** @type {Record<string, string[]>} */
    const lines = Object.fromEntries(words.map(([what, ...rest]) => [what, rest]));
    this.size = Number(lines.board[0]);
    /** The name of each square in FEN, and in moves. */
    this.squareNames = lines.text[0] === "numbers" ? lines.numbers : lines.algebraic;
    this.moveNames = lines.text[1] === "rows-columns" ? lines.rows_columns : this.squareNames;
    /** The name of each square by scheme. @type {Record<string, string[]>} */
    this.names = { algebraic: lines.algebraic, numbers: lines.numbers, "rows-columns": lines.rows_columns };
    /** The scheme of its moves: algebraic, numbers or rows-columns. */
    this.moveScheme = lines.text[1];
    /** Its GameType of PDN by scheme. */
    this.gametypes = data.gametypes;
    /** The side that moves first. @type {import("./types").Color} */
    this.starter = lines.starter[0] === "1" ? "black" : "white";
    /** Ids of its draw rules. */
    this.drawRules = words.filter(([what]) => what === "law" || what === "limit").map(([, rule]) => rule);
    /** Whether a king may have to rest, which its tables do not know. */
    this.hasRests = "rest" in lines;
    this.number = core.call("add_book", data.text);
    if (this.number < 0) throw new Error(`${id} is no rulebook that this core can read`);
  }

  /**
   * A game: from the start of the rulebook or a FEN, with the moves that were played. Throws `CoreError`.
   * @param {GameSettings} [settings]
   */
  game(settings = {}) {
    return new Game(this, settings);
  }

  /** A position as a game that begins there. @param {string} fen */
  position(fen) {
    return this.game({ fen });
  }

  /** The number of lines of play of so many plies. @param {string} fen @param {number} depth */
  perft(fen, depth, routes = false) {
    const { core, number } = this;
    if (!Number.isInteger(depth) || depth < 0) throw new RangeError(`no depth: ${depth}`);
    const fine = core.call("perft", number, describe({ fen }, []), depth, routes ? 1 : 0);
    if (!fine) throw new CoreError(JSON.parse(core.answer));
    return Number(core.answer);
  }

  /** @param {import("./types").EngineSettings} [settings] */
  engine(settings) {
    return new Engine(this, settings);
  }

  /**
   * What the endgame tables say of a game's last position; null with more than `tablePieces`. The tables
   * are made when they are first asked.
   * @param {Game} game
   * @returns {import("./types").Verdict | null}
   */
  probe(game) {
    if (Object.keys(game.pieces).length > this.tablePieces) return null;
    const [free, limited] = [0, 1].map((table) => this.core.call("probe", this.number, game.text, table));
    if (free < 0 || limited < 0) return null;
    return { unlimited: valueOf(free), plies: free ? (free - 1) >> 1 : null, limited: valueOf(limited) };
  }
}

/** Of a code of the tables: 0 is drawn, odd ones are lost, even ones won. @param {number} code */
function valueOf(code) {
  if (code === 0) return "draw";
  return code % 2 ? "loss" : "win";
}

/** A line ends where its text does. @param {string} text */
function asLine(text) {
  return text.replaceAll("\n", " ");
}

/**
 * A game as the core reads it.
 * @param {GameSettings} settings
 * @param {readonly string[]} moves
 */
function describe({ fen = "", calls = [], recorded = true, customs = {} }, moves) {
  const { platformRules = true, claims = false, offers = false } = customs;
  const flags = [platformRules, claims, recorded, offers].map(Number).join("");
  return [flags, fen, calls.flat().join(" "), ...moves].map(asLine).join("\n");
}

/** A value: `play` gives the next game and leaves this one as it is. */
export class Game {
  /** @type {GameView} */
  view;

  /** @param {Rulebook} book @param {GameSettings} settings */
  constructor(book, settings) {
    this.book = book;
    this.settings = settings;
    this.moves = settings.moves ?? [];
    /** The game as the core reads it. */
    this.text = describe(settings, this.moves);
    const fine = book.core.call("view_game", book.number, this.text);
    /** @type {any} any: a view or a refusal, by `fine` */
    const answer = JSON.parse(book.core.answer);
    if (!fine) throw new CoreError(answer);
    this.view = answer;
  }

  get fen() { return this.view.fen; }
  get turn() { return this.view.turn; }
  get ply() { return this.view.ply; }
  get pieces() { return this.view.pieces; }
  get legal() { return this.view.legal; }
  get mustCapture() { return this.view.must_capture; }
  get last() { return this.view.last; }
  get counts() { return this.view.counts; }
  get claimable() { return this.view.claimable; }
  get outcome() { return this.view.outcome; }

  /** One ply further; throws `CoreError` with the refusal. @param {string} move */
  play(move) {
    const next = new Game(this.book, { ...this.settings, moves: [...this.moves, move] });
    next.moves = [...this.moves, /** @type {import("./types").PlayedMove} */ (next.last).text];
    next.settings = { ...this.settings, moves: next.moves };
    next.text = describe(next.settings, next.moves);
    return next;
  }

  /** The game as it stood so many plies ago. */
  takeBack(plies = 1) {
    const left = this.ply - plies;
    if (!(plies >= 0 && left >= 0)) throw new RangeError(`cannot take back ${plies} of ${this.ply} plies`);
    const calls = this.settings.calls?.filter(([ply]) => ply <= left);
    return new Game(this.book, { ...this.settings, calls, moves: this.moves.slice(0, left) });
  }

  /** A player calls attention to a limit. @param {string} rule one of `Rulebook.drawRules` */
  callAttention(rule) {
    if (!this.book.drawRules.includes(rule)) throw new RangeError(`no draw rule ${rule} in ${this.book.id}`);
    const calls = [...(this.settings.calls ?? []), /** @type {[number, string]} */ ([this.ply, rule])];
    return new Game(this.book, { ...this.settings, calls });
  }

  /** What a claim of a draw rule meets now. @param {string} rule @returns {import("./types").ClaimAnswer} */
  claim(rule) {
    const { core, number } = this.book;
    core.call("claim", number, this.text, asLine(rule));
    return JSON.parse(core.answer);
  }

  /**
   * A capture that is stopped early: its route, and the position if it were left there. Null where no
   * capture starts so; throws `CoreError` with `problems` where the text cannot be read.
   * @param {string} move
   * @returns {{route: number[], fen: string} | null}
   */
  unfinished(move) {
    const { core, number } = this.book;
    const fine = core.call("unfinished", number, `${this.text}\n${asLine(move)}`);
    if (!fine) throw new CoreError(JSON.parse(core.answer));
    return JSON.parse(core.answer);
  }

  /**
   * How a move text is read, whether or not it is legal.
   * @param {string} move
   * @returns {import("./types").Reading}
   */
  reading(move) {
    const { core, number } = this.book;
    core.call("reading", number, `${this.text}\n${asLine(move)}`);
    return JSON.parse(core.answer);
  }

  /**
   * Why a move may not be played, or null if it may. Throws `CoreError` with `problems` where it cannot be
   * read.
   * @param {string} move
   * @returns {import("./types").Refusal | null}
   */
  refusal(move) {
    const { core, number } = this.book;
    if (core.call("refusal", number, `${this.text}\n${asLine(move)}`)) return null;
    const why = new CoreError(JSON.parse(core.answer));
    if (!why.refusal) throw why;
    return why.refusal;
  }
}
