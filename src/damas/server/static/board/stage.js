/** The SVG drawing of a board: layers from bottom to top, and pieces that are moved, dragged and captured. */

import { s } from '../lib/dom.js';
import { Geometry, FRAME_WIDTH, SQUARE_SIZE } from './geometry.js';
import { drawGround } from './ground.js';
import { drawLabels, isPrintedInside } from './labels.js';
import { DROP_MS, fade, finishAnimations, movePiece, translate } from './motion.js';
import { drawPiece } from './pieces.js';
import { endOf } from './selection.js';

/** @import { Pieces, ShownRulebook, Side } from '../lib/messages.js' */
/** @import { Point } from './geometry.js' */
/** @import { Numbering } from './labels.js' */

const LAYERS = /** @type {const} */ (['under', 'marks', 'outlines', 'pieces', 'over', 'dests', 'paths',
  'held']);
const FADE_OUT_MS = 140;
const MAX_LIFTING_MS = 700;
const CROWN_MS = 260;

/** @typedef {typeof LAYERS[number]} LayerName */

export class Stage {
  /**
   * @param {ShownRulebook} book @param {Side} orientation @param {Numbering} numbering
   * @param {number} unitsPerPixel
   */
  constructor(book, orientation, numbering, unitsPerPixel) {
    this.book = book;
    this.orientation = orientation;
    this.numbering = numbering;
    this.geometry = new Geometry(book.board, orientation);
    const side = this.geometry.side;
    this.svg = s('svg', {
      class: 'drawing', viewBox: `0 0 ${side} ${side}`, 'aria-hidden': 'true', focusable: 'false',
    });
    this.svg.append(drawGround(book, this.geometry));
    this.layers = /** @type {Record<LayerName, SVGGElement>} */ (
      Object.fromEntries(LAYERS.map((name) => [name, s('g', { class: `layer-${name}` })])));
    this.svg.append(...Object.values(this.layers));
    this.labels = drawLabels(book, this.geometry, numbering, orientation, unitsPerPixel);
    this.layers.over.before(this.labels);
    const inside = isPrintedInside(book, numbering);
    this.geometry.pieceOffset = inside ? 5 : 0;
    this.svg.classList.toggle('names-inside', inside);
    /** By square. @type {Map<number, SVGGElement>} */
    this.pieces = new Map();
    /** Squares of captured pieces that somebody lifts by hand: they stand, dimmed. @type {number[]} */
    this.toLift = [];
  }

  /** Draws the labels again for another size on the screen. @param {number} unitsPerPixel */
  scaleLabels(unitsPerPixel) {
    const labels = drawLabels(this.book, this.geometry, this.numbering, this.orientation, unitsPerPixel);
    this.labels.replaceWith(labels);
    this.labels = labels;
  }

  /** Shows a position at once, without animation. @param {Pieces} pieces */
  place(pieces) {
    finishAnimations(this.svg);
    this.layers.held.replaceChildren();
    const placed = new Map();
    for (const [key, code] of Object.entries(pieces)) {
      const square = Number(key);
      let piece = this.pieces.get(square);
      if (piece?.dataset.code !== code) {
        piece?.remove();
        piece = drawPiece(code);
      } else this.pieces.delete(square);
      piece.classList.remove('taken', 'lifted', 'ghost');
      piece.querySelector('.hatch')?.remove();
      piece.style.transform = translate(this.geometry.centre(square));
      if (piece.parentNode !== this.layers.pieces) this.layers.pieces.append(piece);
      placed.set(square, piece);
    }
    this.pieces = placed;
    const wanted = new Set(placed.values());
    for (const node of Array.from(this.layers.pieces.children)) if (!wanted.has(node)) node.remove();
    for (const square of this.toLift) this.dim(square);
  }

  /**
   * Moves the piece on the route's first square; the captured pieces stay, dimmed, until `removeCaptured`.
   * @param {number[]} route @param {number[]} captured @param {number} [durationMs]
   */
  async move(route, captured, durationMs) {
    const piece = this.pieces.get(route[0]);
    if (!piece) return;
    const end = endOf(route);
    if (end !== route[0]) {
      this.pieces.get(end)?.remove(); // captured there a moment ago and not faded out yet
      this.pieces.delete(route[0]);
      this.pieces.set(end, piece);
    }
    this.removeGhosts();
    piece.classList.remove('lifted');
    this.layers.pieces.append(piece); // above the pieces it jumps
    for (const square of captured) this.dim(square);
    await movePiece(piece, route.map((square) => this.geometry.centre(square)), durationMs);
  }

  /** Marks a piece as captured. @param {number} square */
  dim(square) {
    const piece = this.pieces.get(square);
    if (!piece || piece.classList.contains('taken')) return;
    piece.classList.add('taken');
    piece.append(s('use', { class: 'hatch', href: '#damas-hatch' }));
  }

  /**
   * Lifts the captured pieces one by one in the order of the jumps, then shows the position after the move
   * and fades in a new crown. Pieces of `toLift` stay.
   * @param {Pieces} pieces @param {number} crowned square of the new king, or -1
   * @param {number[]} order squares in the order of the jumps
   * @param {() => boolean} isCurrent false when another position has replaced this one meanwhile
   */
  async removeCaptured(pieces, crowned, order, isCurrent) {
    const lifted = [...this.pieces].filter(([square, piece]) =>
      piece.classList.contains('taken') && !this.toLift.includes(square))
      .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const durationMs = Math.min(FADE_OUT_MS, MAX_LIFTING_MS / lifted.length);
    for (const [, piece] of lifted) {
      await fade(piece, [{ opacity: 0.55 }, { opacity: 0 }], durationMs);
      if (!isCurrent()) return;
      piece.remove();
    }
    this.place(pieces);
    const king = this.pieces.get(crowned);
    if (king) await fade(king, [{ opacity: 0.2 }, { opacity: 1 }], CROWN_MS);
  }

  // Dragging

  /** Lifts a piece and leaves a ghost in its place. @param {number} square */
  lift(square) {
    const piece = this.pieces.get(square);
    if (!piece) return;
    finishAnimations(piece);
    const ghost = /** @type {SVGGElement} */ (piece.cloneNode(true));
    ghost.classList.add('ghost');
    this.layers.pieces.append(ghost);
    piece.classList.add('lifted');
    this.layers.held.append(piece);
  }

  /** Moves a lifted piece with the pointer. @param {number} square @param {Point} point in units */
  drag(square, point) {
    const piece = this.pieces.get(square);
    if (piece) piece.style.transform = translate(point);
  }

  /** Returns a lifted piece to its square. @param {number} square */
  async putBack(square) {
    const piece = this.pieces.get(square);
    if (!piece) return;
    const from = positionOf(piece);
    piece.classList.remove('lifted');
    this.layers.pieces.append(piece);
    this.removeGhosts();
    const end = this.geometry.centre(square);
    await movePiece(piece, [from ?? end, end], from ? DROP_MS : 0);
  }

  removeGhosts() {
    for (const ghost of this.layers.pieces.querySelectorAll('.ghost')) ghost.remove();
  }

  /** Replaces the contents of a layer. @param {LayerName} name @param {Node[]} shapes */
  show(name, shapes) {
    this.layers[name].replaceChildren(...shapes);
  }

  /** A point of the window in units of the drawing. @param {{clientX: number, clientY: number}} event */
  pointOf({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.geometry.side / box.width;
    return { x: (clientX - box.left) * scale, y: (clientY - box.top) * scale };
  }

  /**
   * The square at a point of the window, or -1.
   * @param {{clientX: number, clientY: number}} event
   * @param {boolean} [nearest] beside playing squares, the nearest one
   */
  squareAt(event, nearest = false) {
    const { x, y } = this.pointOf(event);
    const [column, row] = [x, y].map((units) => Math.floor((units - FRAME_WIDTH) / SQUARE_SIZE));
    const square = this.geometry.squareAt(column, row);
    if (square >= 0 || !nearest) return square;
    const distance = (/** @type {number} */ near) => {
      const corner = this.geometry.corner(near);
      return Math.hypot(corner.x + SQUARE_SIZE / 2 - x, corner.y + SQUARE_SIZE / 2 - y);
    };
    return [[-1, 0], [1, 0], [0, -1], [0, 1]]
      .map(([dx, dy]) => this.geometry.squareAt(column + dx, row + dy))
      .filter((near) => near >= 0)
      .sort((a, b) => distance(a) - distance(b))[0] ?? -1;
  }
}

/** @param {SVGElement} piece @returns {Point | null} */
function positionOf(piece) {
  const match = /translate\(([-\d.]+)px,\s*([-\d.]+)px\)/.exec(piece.style.transform);
  return match ? { x: Number(match[1]), y: Number(match[2]) } : null;
}
