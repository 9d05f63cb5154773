/** A game with its variations: plain data, no page. The first child of a node goes on with its line. */

/**
 * @typedef {Object} Node
 * @property {number} id
 * @property {Node|null} parent
 * @property {string} text the move that led here, as the rulebook writes it; empty at the start
 * @property {number} ply
 * @property {Node[]} children
 * @property {number[]} nags
 * @property {string[]} comments
 * @property {string} [note] what the rules say of the move, such as a man that was not crowned
 */

/** What PDN means by its numbers. */
export const SIGNS = /** @type {Record<number, string>} */ ({ 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' });

export class Tree {
  /** @param {string} rulebook @param {string} fen of the start; empty for the opening */
  constructor(rulebook, fen = '') {
    this.rulebook = rulebook;
    this.fen = fen;
    /** @type {Record<string, string>} */
    this.tags = {};
    /** What people call the players, where the tags say it otherwise. @type {string[] | null} */
    this.named = null;
    this.result = '*';
    this.ids = 0;
    this.root = this.#node(null, '');
  }

  /** @param {Node|null} parent @param {string} text @returns {Node} */
  #node(parent, text) {
    return { id: this.ids++, parent, text, ply: parent ? parent.ply + 1 : 0, children: [], nags: [], comments: [] };
  }

  /** The node of a move played at another: the one there is, or a new one behind its brothers. @param {Node} at @param {string} text */
  play(at, text) {
    const known = at.children.find((child) => child.text === text);
    if (known) return known;
    const made = this.#node(at, text);
    at.children.push(made);
    return made;
  }

  /** Several moves in a row; gives the nodes. @param {Node} at @param {string[]} texts */
  playAll(at, texts) {
    const made = [];
    for (const text of texts) made.push(at = this.play(at, text));
    return made;
  }

  /** The moves from the start to a node. @param {Node} node @returns {string[]} */
  moves(node) {
    return this.path(node).slice(1).map((step) => step.text);
  }

  /** @param {Node} node @returns {Node[]} the start first */
  path(node) {
    const path = [];
    for (let at = /** @type {Node|null} */ (node); at; at = at.parent) path.unshift(at);
    return path;
  }

  /** Whether a node is one of this tree, and was not taken away. @param {Node} node */
  has(node) {
    const path = this.path(node);
    return path[0] === this.root && path.every((step, place) => !place || path[place - 1].children.includes(step));
  }

  /** The main line, the start first. @returns {Node[]} */
  main() {
    const line = [this.root];
    for (let at = this.root; at.children.length; ) line.push(at = at.children[0]);
    return line;
  }

  /** The last node of the line a node stands in. @param {Node} node */
  end(node) {
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** Where a node's line left another: the move before it. @param {Node} node */
  branching(node) {
    while (node.parent && node.parent.children[0] === node) node = node.parent;
    return node.parent ?? node;
  }

  /** The next of the moves that could be played instead, in a ring. @param {Node} node */
  brother(node) {
    const brothers = node.parent?.children ?? [node];
    return brothers[(brothers.indexOf(node) + 1) % brothers.length];
  }

  /** Makes a node's line the main one, all the way up. @param {Node} node */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const brothers = at.parent.children;
      brothers.unshift(...brothers.splice(brothers.indexOf(at), 1));
    }
  }

  /** Takes a node and everything behind it away; gives the node to stand on then. @param {Node} node */
  remove(node) {
    if (!node.parent) return node;
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    return node.parent;
  }

  /** "Ana – Rui", or nothing where nobody is named. */
  get players() {
    const names = this.named ?? [this.tags.White, this.tags.Black];
    return names.some((name) => name && name !== '?') ? names.map((name) => name || '?').join(' – ') : '';
  }

  /** As the server's PDN writer wants it. */
  written() {
    return {
      rulebook: this.rulebook, fen: this.fen, tags: this.tags, result: this.result,
      comments: this.root.comments, moves: branches(this.root),
    };
  }

  /** @param {any} game as the server's PDN reader gives it @returns {Tree} */
  static read(game) {
    const tree = new Tree(game.rulebook, game.standard ? '' : game.fen ?? '');
    tree.tags = game.tags ?? {};
    tree.result = game.result ?? '*';
    tree.root.comments = game.comments ?? [];
    tree.#graft(tree.root, game.moves ?? []);
    return tree;
  }

  /** @param {Node} at @param {any[]} moves */
  #graft(at, moves) {
    for (const move of moves) {
      const next = this.play(at, move.text);
      next.nags = move.nags ?? [];
      next.comments = move.comments ?? [];
      for (const variation of move.variations ?? []) this.#graft(at, variation);
      at = next;
    }
  }
}

/** @param {Node} at @returns {any[]} */
function branches(at) {
  const line = [];
  for (; at.children.length; at = at.children[0]) {
    const [next, ...others] = at.children;
    line.push({
      text: next.text, nags: next.nags, comments: next.comments,
      variations: others.map((other) => [
        { text: other.text, nags: other.nags, comments: other.comments, variations: [] }, ...branches(other),
      ]),
    });
  }
  return line;
}
