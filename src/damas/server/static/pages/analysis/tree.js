/** A game with its variations. The first child of a node continues its line, the others are variations. */

/** @import { PdnGame, PdnMove } from '../../lib/messages.js' */

/**
 * @typedef {object} Node
 * @property {number} id
 * @property {Node | null} parent
 * @property {string} text the move that leads here; empty at the root
 * @property {number} ply
 * @property {Node[]} children
 * @property {number[]} nags numeric annotation glyphs of PDN
 * @property {string[]} comments
 * @property {string} commands clocks and marks, as comments of PDN have them; at the root all commands
 * @property {string[]} before comments before the move, where it began a variation
 * @property {{message: string, article: string}} [note] what the rules say about the move
 */

/** Signs of PDN's numeric annotation glyphs. @type {Record<number, string>} */
export const NAG_SIGNS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

export class Tree {
  #nextId = 0;
  /** @type {Record<string, string>} */
  tags = {};
  /** Names to show instead of those in the tags. @type {string[] | null} */
  playerNames = null;
  result = '*';

  /** @param {string} rulebook @param {string} [fen] empty for the rulebook's start position */
  constructor(rulebook, fen = '') {
    this.rulebook = rulebook;
    this.fen = fen;
    this.root = this.#createNode(null, '');
  }

  /** @param {Node | null} parent @param {string} text @returns {Node} */
  #createNode(parent, text) {
    return { id: this.#nextId++, parent, text, ply: parent ? parent.ply + 1 : 0, children: [], nags: [],
      comments: [], commands: '', before: [] };
  }

  /** Plays a move and returns its node, also an existing one. @param {Node} from @param {string} text */
  play(from, text) {
    const existing = from.children.find((child) => child.text === text);
    if (existing) return existing;
    const node = this.#createNode(from, text);
    from.children.push(node);
    return node;
  }

  /** Plays moves in a row and returns their nodes. @param {Node} from @param {string[]} texts */
  playAll(from, texts) {
    let node = from;
    return texts.map((text) => (node = this.play(node, text)));
  }

  /** The nodes from the root to a node. @param {Node} node @returns {Node[]} */
  pathTo(node) {
    const path = [];
    for (let step = /** @type {Node | null} */ (node); step; step = step.parent) path.unshift(step);
    return path;
  }

  /** The moves from the root to a node. @param {Node} node */
  movesTo(node) {
    return this.pathTo(node).slice(1).map((step) => step.text);
  }

  /** Whether a node belongs to this tree and was not removed. @param {Node} node */
  contains(node) {
    const path = this.pathTo(node);
    return path[0] === this.root && path.every((step, i) => i === 0 || path[i - 1].children.includes(step));
  }

  /** @returns {Node[]} the root first */
  mainLine() {
    const line = [this.root];
    for (let node = this.root; node.children.length; ) line.push(node = node.children[0]);
    return line;
  }

  /** @param {Node} node */
  isOnMainLine(node) {
    return this.mainLine().includes(node);
  }

  /** The ply at which a node's line leaves the main line. @param {Node} node */
  mainLinePly(node) {
    const mainLine = this.mainLine();
    return this.pathTo(node).filter((step) => mainLine.includes(step)).length - 1;
  }

  /** The last node of the line that continues from a node. @param {Node} node */
  endOfLine(node) {
    let end = node;
    while (end.children.length) end = end.children[0];
    return end;
  }

  /** The node before a node's variation begins. @param {Node} node */
  branchPoint(node) {
    let first = node;
    while (first.parent && first.parent.children[0] === first) first = first.parent;
    return first.parent ?? first;
  }

  /** The next or previous alternative to a move, in a ring. @param {Node} node @param {1 | -1} direction */
  sibling(node, direction) {
    const siblings = node.parent?.children ?? [node];
    return siblings[(siblings.indexOf(node) + direction + siblings.length) % siblings.length];
  }

  /** The node at a line of moves, as far as the tree has it. @param {string[]} moves */
  nodeAt(moves) {
    let node = this.root;
    for (const text of moves) {
      const next = node.children.find((child) => child.text === text);
      if (!next) break;
      node = next;
    }
    return node;
  }

  /** Makes a node's line the main line. @param {Node} node */
  promote(node) {
    for (let step = node; step.parent; step = step.parent) {
      const siblings = step.parent.children;
      siblings.unshift(...siblings.splice(siblings.indexOf(step), 1));
    }
  }

  /** Removes a node and what follows it; returns its parent. @param {Node} node */
  remove(node) {
    if (!node.parent) return node;
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    return node.parent;
  }

  /** "Ana – Rui", or empty if nobody is named. */
  get players() {
    const names = this.playerNames ?? [this.tags.White, this.tags.Black];
    return names.some((name) => name && name !== '?') ? names.map((name) => name || '?').join(' – ') : '';
  }

  /** The form that the server's PDN writer reads. @returns {PdnGame} */
  toGame() {
    return {
      rulebook: this.rulebook, fen: this.fen, tags: this.tags, result: this.result,
      comments: [this.root.commands, ...this.root.comments].filter(Boolean), moves: lineFrom(this.root),
    };
  }

  /**
   * The inverse of `toGame`, also for games of the server's PDN reader. Throws where something else is
   * stored.
   * @param {PdnGame} game
   */
  static fromGame(game) {
    const { rulebook, fen = '', tags = {}, result = '*', comments = [], moves = [] } = game;
    check([rulebook, fen, result, ...Object.values(tags)].every(isText) && rulebook && areTexts(comments));
    const tree = new Tree(rulebook, game.standard ? '' : fen);
    Object.assign(tree, { tags, result });
    const parts = comments.map((text) => /** @type {string[]} */ (LEADING_COMMANDS.exec(text)));
    tree.root.commands = parts.map(([, commands]) => commands.trim()).filter(Boolean).join(' ');
    tree.root.comments = parts.map(([, , text]) => text).filter(Boolean);
    tree.#addLine(tree.root, moves);
    return tree;
  }

  /** @param {Node} from @param {PdnMove[]} moves */
  #addLine(from, moves) {
    let node = from;
    // A variation may repeat a move with annotations of its own: it gets a node of its own.
    check(Array.isArray(moves));
    for (const { text, nags = [], comments = [], variations = [], commands = '', before = [] } of moves) {
      check(isText(text) && text && areTexts(comments) && Array.isArray(variations)
        && Array.isArray(nags) && nags.every(Number.isInteger) && isText(commands) && areTexts(before));
      const next = this.#createNode(node, text);
      node.children.push(next);
      Object.assign(next, { nags: [...nags], comments: [...comments], commands, before: [...before] });
      for (const variation of variations) this.#addLine(node, variation);
      node = next;
    }
  }
}

const isText = (/** @type {unknown} */ value) => typeof value === 'string';

/** Whether a value is a list of texts. @param {unknown} value @returns {value is string[]} */
export const areTexts = (value) => Array.isArray(value) && value.every(isText);

/** The commands with which a comment begins, and its text. */
const LEADING_COMMANDS = /^((?:\s*\[%[^\]]*\])*)\s*([^]*)$/;

/** @param {unknown} holds whether the game has this shape */
function check(holds) {
  if (!holds) throw new TypeError('not a game');
}

/** @param {Node} from @returns {PdnMove[]} */
function lineFrom(from) {
  const line = [];
  for (let node = from; node.children.length; node = node.children[0]) {
    const [next, ...others] = node.children;
    const variations = others.map((other) => [{ ...moveOf(other), variations: [] }, ...lineFrom(other)]);
    line.push({ ...moveOf(next), variations });
  }
  return line;
}

/** A comment without the commands in it, which are for programs. @param {string} comment */
export const shownComment = (comment) => comment.replace(/\[%[^\]]*\]/g, '').trim();

/** What PDN keeps of a move. @param {Node} node */
const moveOf = ({ text, nags, comments, commands, before }) => ({ text, nags, comments, commands, before });
