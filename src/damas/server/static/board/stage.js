/** The drawing of one board: layers from the ground up, and the pieces that move upon them. */

import { s } from '../lib/dom.js';
import { Geometry, UNIT } from './geometry.js';
import { drawGround } from './ground.js';
import { drawLabels, inside } from './labels.js';
import { at, fade, finish, hop, SPRING } from './motion.js';
import { drawPiece } from './pieces.js';

const LAYERS = ['under', 'marks', 'outlines', 'pieces', 'over', 'dests', 'paths', 'held'];

export class Stage {
  /** @param {any} book @param {'white'|'black'} orientation @param {string} numbering @param {number} unitsPerPixel */
  constructor(book, orientation, numbering, unitsPerPixel) {
    this.geometry = new Geometry(book.board, orientation);
    const side = this.geometry.side;
    this.svg = s('svg', { class: 'drawing', viewBox: `0 0 ${side} ${side}`, 'aria-hidden': 'true', focusable: 'false' });
    this.svg.append(drawGround(book, this.geometry));
    /** @type {Record<string, SVGGElement>} */
    this.layer = {};
    for (const name of LAYERS) this.svg.append((this.layer[name] = s('g', { class: `layer-${name}` })));
    this.labels = drawLabels(book, this.geometry, numbering, orientation, unitsPerPixel);
    this.layer.over.before(this.labels);
    const within = inside(book, numbering);
    this.geometry.shift = within ? 5 : 0;
    this.svg.classList.toggle('names-inside', within);
    /** @type {Map<number, SVGGElement>} */
    this.pieces = new Map();
  }

  /** Sets every piece where it stands, without movement. @param {Record<string, string>} pieces */
  place(pieces) {
    finish(this.svg);
    this.layer.held.replaceChildren();
    const kept = new Map();
    for (const [key, code] of Object.entries(pieces)) {
      const square = Number(key);
      let piece = this.pieces.get(square);
      if (piece?.dataset.code !== code) {
        piece?.remove();
        piece = drawPiece(code);
      } else this.pieces.delete(square);
      piece.classList.remove('taken', 'lifted', 'ghost');
      piece.querySelector('.hatch')?.remove();
      piece.style.transform = at(this.geometry.centre(square));
      if (piece.parentNode !== this.layer.pieces) this.layer.pieces.append(piece);
      kept.set(square, piece);
    }
    this.pieces = kept;
    const standing = new Set(kept.values());
    for (const node of Array.from(this.layer.pieces.children)) if (!standing.has(/** @type {SVGGElement} */ (node))) node.remove();
  }

  /**
   * Carries a piece along a route, whoever it is; what it jumps stays dimmed until it is told to leave.
   * @param {number[]} route @param {number[]} captured @param {number} [duration]
   */
  async carry(route, captured, duration) {
    const piece = this.pieces.get(route[0]);
    if (!piece) return;
    const end = route[route.length - 1];
    if (end !== route[0]) {
      this.pieces.get(end)?.remove(); // taken there a moment ago, and had not left yet
      this.pieces.delete(route[0]);
      this.pieces.set(end, piece);
    }
    this.clearGhosts();
    piece.classList.remove('lifted');
    this.layer.pieces.append(piece); // above the pieces it jumps
    for (const square of captured) this.dim(square);
    await hop(piece, route.map((square) => this.geometry.centre(square)), duration);
  }

  /** A piece that is being taken: it stays, dimmed and hatched, until the move ends. @param {number} square */
  dim(square) {
    const piece = this.pieces.get(square);
    if (!piece || piece.classList.contains('taken')) return;
    piece.classList.add('taken');
    piece.append(s('use', { class: 'hatch', href: '#damas-hatch' }));
  }

  /**
   * All that were taken leave together; a new crown fades in.
   * @param {Record<string, string>} pieces as they stand after the move @param {number} crowned
   * @param {() => boolean} wanted whether it is still to be done: somebody may have played on meanwhile
   */
  async settle(pieces, crowned, wanted) {
    const leaving = [...this.pieces.values()].filter((piece) => piece.classList.contains('taken'));
    await Promise.all(leaving.map((piece) => fade(piece, [{ opacity: 0.55 }, { opacity: 0 }], 140)));
    if (!wanted()) return;
    this.place(pieces);
    const crown = this.pieces.get(crowned);
    if (crown) await fade(crown, [{ opacity: 0.2 }, { opacity: 1 }], 260);
  }

  // A piece in the hand

  /** Lifts a piece; its ghost stays behind. @param {number} square */
  lift(square) {
    const piece = this.pieces.get(square);
    if (!piece) return;
    finish(piece);
    const ghost = /** @type {SVGGElement} */ (piece.cloneNode(true));
    ghost.classList.add('ghost');
    this.layer.pieces.append(ghost);
    piece.classList.add('lifted');
    this.layer.held.append(piece);
  }

  /** @param {number} square whose piece is held @param {{x: number, y: number}} point in units */
  hold(square, point) {
    const piece = this.pieces.get(square);
    if (piece) piece.style.transform = at(point);
  }

  /** Puts a held piece down on a square, springing there. @param {number} square @param {number} target @param {boolean} springs */
  async drop(square, target, springs) {
    const piece = this.pieces.get(square);
    if (!piece) return;
    const from = position(piece);
    piece.classList.remove('lifted');
    this.layer.pieces.append(piece);
    this.clearGhosts();
    const end = this.geometry.centre(target);
    if (springs && from) await hop(piece, [from, end], SPRING);
    else piece.style.transform = at(end);
  }

  clearGhosts() {
    for (const ghost of this.layer.pieces.querySelectorAll('.ghost')) ghost.remove();
  }

  // What is shown

  /** @param {string} name @param {...Node} shapes */
  show(name, ...shapes) {
    this.layer[name].replaceChildren(...shapes);
  }

  /** Units of the drawing at a place of the window. @param {{clientX: number, clientY: number}} event */
  point({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.geometry.side / box.width;
    return { x: (clientX - box.left) * scale, y: (clientY - box.top) * scale };
  }

  /** The playing square at a place of the window, or -1. @param {{clientX: number, clientY: number}} event @param {boolean} [roughly] the nearest one, beside them */
  squareAt(event, roughly = false) {
    const { x, y } = this.point(event);
    const frame = (this.geometry.side - this.geometry.size * UNIT) / 2;
    const column = Math.floor((x - frame) / UNIT), row = Math.floor((y - frame) / UNIT);
    const exactly = this.geometry.at(column, row);
    if (exactly >= 0 || !roughly) return exactly;
    const beside = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([dx, dy]) => this.geometry.at(column + dx, row + dy)).filter((square) => square >= 0);
    const away = (/** @type {number} */ square) => {
      const corner = this.geometry.corner(square);
      return Math.hypot(corner.x + UNIT / 2 - x, corner.y + UNIT / 2 - y);
    };
    return beside.sort((a, b) => away(a) - away(b))[0] ?? -1;
  }
}

/** @param {SVGElement} piece */
function position(piece) {
  const found = /translate\(([-\d.]+)px,\s*([-\d.]+)px\)/.exec(piece.style.transform);
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

