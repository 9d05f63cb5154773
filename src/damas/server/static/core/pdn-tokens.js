// @ts-check
// The tokens of PDN, as expressions that take linear time on any text.

const NAME = "[A-Za-z][A-Za-z0-9_-]*";
const PLACE = "[0-9]{1,2},[0-9]{1,2}";
const WORD = '[^\\s{}()\\[\\];$!?*%"]*';
/** A line that begins or continues the tags of a game. */
export const TAG_LINE = new RegExp(`^\\s*\\[\\s*${NAME}\\s*"`);
/** A tag whose value has quotes; it ends with the line. */
export const LOOSE_TAG = new RegExp(`^\\[\\s*(${NAME})\\s*"(.*)"\\s*\\]\\s*$`, "s");
/** Several squares by rows and columns: a move, or more. */
export const SPACED = new RegExp(`^${PLACE}(?:[ \\t]+${PLACE}){2,}$`);
/** Everything but white space belongs to some token; those without a name are passed over. */
export const TOKEN = new RegExp([
  `(?:[0-9]+\\.[.\\s]*)?(?<word>${PLACE}(?:[ \\t]{1,8}${PLACE}){1,40}(?![0-9,x:-])`
    + `|(?![0-9]+\\.)[0-9A-Za-z\\u00d7\\u2013]${WORD}(?:(?<=[-x:])\\s+[0-9]${WORD})*)`,
  "[0-9]+\\.[.\\s]*|\\.{2,}",
  "(?<comment>\\{[^}]*\\})", "(?<unclosed>\\{.*)", "(?<line>;.*)", "^\\s*%.*",
  "(?<signs>\\([!?]+\\)|[!?]+)", "\\$(?<nag>[0-9]{1,3})(?![0-9])",
  "(?<enter>\\()", "(?<leave>\\))", "(?<star>\\*)",
  `\\[\\s*(?<tag>${NAME})\\s*"(?<value>(?:[^"\\\\]|\\\\.)*)"\\s*\\]`,
  "(?<setup>/[^/]*/?)", "(?<odd>\\S)",
].join("|"), "gs");
/** What the results mean. @type {Record<string, string>} */
export const MEANINGS = { "1-0": "1-0", "2-0": "1-0", "0-1": "0-1", "0-2": "0-1", "1/2-1/2": "draw",
  "1-1": "draw", "0-0": "0-0", "*": "*" };
/** The numbers of the signs after a move. @type {Record<string, number>} */
export const NAGS = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6 };
/** The only move, a star right after it. */
export const FORCED_NAG = 7;
