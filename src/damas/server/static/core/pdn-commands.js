// @ts-check
// Commands in comments of PDN: clocks, [%clk 0:09:58], and marks, [%csl Gc3] and [%cal Gc3d4].

/**
 * @typedef {{left?: number, white?: number, black?: number, running?: string, spent?: number}} Clock in
 *   milliseconds
 */
/** @typedef {[string, number, number?]} Mark a letter for the colour, a square, and for an arrow another */

const CLOCK_COMMAND = /\[%(clk|clock|emt)\s+([^[\]]{1,80}?)\s*\]/g;
const MARK_COMMAND = /\[%(csl|cal)\s+([^[\]]{1,4000}?)\s*\]/g;
const TIME = /^([wWbB]?)([0-9]{1,4}):([0-5]?[0-9]):([0-5]?[0-9])(?:\.([0-9]{1,3}))?$/;
const ONE = /^([GRYB])([a-z][0-9]{1,2}|[0-9]{1,2})$/;
const TWO = /^([GRYB])(?:([a-z][0-9]{1,2})([a-z][0-9]{1,2})|([0-9]{2})([0-9]{2}))$/;
/** @type {Record<string, string>} */
const SIDES = { w: "white", b: "black" };
const MAX_MARKS = 200;

/** White space as Python splits a text by it. */
// oxlint-disable-next-line no-control-regex -- information separators are white space there
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** A comment on one line, without the brace that would end it. @param {string} text */
export function cleanComment(text) {
  return text.replaceAll("}", ")").split(SPACE).filter(Boolean).join(" ");
}

/** The squares of a board by their names. @param {import("./core.js").Rulebook} book */
export function squaresOf({ names }) {
  return new Map([...names.algebraic, ...names.numbers].map((name, index) =>
    [name, index % names.numbers.length]));
}

/**
 * Splits a comment into its text and its commands; commands that are unknown or malformed, and times that
 * were given before, stay in the text.
 * @param {string} text
 * @param {Map<string, number>} squares of every name
 * @param {Clock} clock gets the times
 * @param {Mark[]} marks gets the marks
 */
export function takeCommands(text, squares, clock, marks) {
  let rest = text;
  for (let before = ""; rest !== before && rest.includes("[%");) {
    before = rest;
    rest = rest.replace(CLOCK_COMMAND, (whole, name, value) => (addTimes(name, value, clock) ? " " : whole));
    rest = rest.replace(MARK_COMMAND, (whole, name, value) => {
      const found = marksOf(name, value, squares);
      if (found) marks.push(...found);
      return found ? " " : whole;
    });
  }
  return rest;
}

/** @param {string} command @param {string} value @param {Clock} clock */
function addTimes(command, value, clock) {
  /** @type {Clock} */
  const news = {};
  const words = value.split(/\s+/).map((word) => TIME.exec(word));
  for (const time of words) {
    if (!time) return false;
    const [, letter, hours, minutes, seconds, fraction = ""] = time;
    const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    const all = ms + Number(fraction.padEnd(3, "0"));
    if (!letter && words.length > 1) return false;
    if (letter && command === "emt") return false;
    const own = command === "emt" ? "spent" : "left";
    const name = /** @type {"left"} */ (SIDES[letter.toLowerCase()] ?? own);
    const runs = letter && letter === letter.toUpperCase();
    if (name in news || (runs && news.running)) return false;
    news[name] = all;
    if (runs) news.running = name;
  }
  if (Object.keys(news).some((name) => name in clock)) return false;
  Object.assign(clock, news);
  return true;
}

/**
 * @param {string} command @param {string} value @param {Map<string, number>} squares
 * @returns {Mark[] | null}
 */
function marksOf(command, value, squares) {
  /** @type {Mark[]} */
  const marks = [];
  for (const word of value.split(/[,\s]+/)) {
    const match = (command === "csl" ? ONE : TWO).exec(word);
    const [, color, ...names] = match?.filter(Boolean) ?? [];
    const places = names.map((name) => squares.get(name.replace(/^0+/, "")));
    if (!match || places.includes(undefined)) return null;
    marks.push(/** @type {Mark} */ ([color, ...places]));
  }
  return marks;
}

/**
 * The commands of a clock and marks, for a comment.
 * @param {Clock} clock
 * @param {readonly Mark[]} marks
 * @param {readonly string[]} names of the squares
 */
export function commandsText(clock, marks, names) {
  const { left, white, black, running, spent } = clock;
  const sides = /** @type {[string, string, number | undefined][]} */ (
    [["w", "white", white], ["b", "black", black]]).filter(([, , ms]) => ms !== undefined)
    .map(([letter, side, ms]) => (running === side ? letter.toUpperCase() : letter) + timeText(ms ?? 0));
  const commands = [
    ...(sides.length ? [`[%clock ${sides.join(" ")}]`] : []),
    ...(left === undefined ? [] : [`[%clk ${timeText(left)}]`]),
    ...(spent === undefined ? [] : [`[%emt ${timeText(spent)}]`]),
  ];
  for (let first = 0; first < marks.length;) {
    const size = marks[first].length;
    let end = first;
    while (end < marks.length && end - first < MAX_MARKS && marks[end].length === size) end += 1;
    const words = marks.slice(first, end).map(([color, ...squares]) =>
      color + squares.map((square) => names[square ?? 0].padStart(2, "0")).join(""));
    commands.push(`[%${size === 2 ? "csl" : "cal"} ${words.join(",")}]`);
    first = end;
  }
  return commands.join(" ");
}

/** @param {number} ms */
function timeText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (/** @type {number} */ value) => String(value % 60).padStart(2, "0");
  const text = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60))}:${two(seconds)}`;
  return ms % 1000 ? `${text}.${String(ms % 1000).padStart(3, "0")}`.replace(/0+$/, "") : text;
}
