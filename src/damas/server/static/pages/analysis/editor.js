/** Setting a position up by hand. It knows where pieces are put, not where they may stand: the server says that. */

import { h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

const TOOLS = ['w', 'W', 'b', 'B', ''];
const NAMES = { w: 'white_man', W: 'white_king', b: 'black_man', B: 'black_king', '': 'empty' };

export class Editor {
  /**
   * @param {HTMLElement} panel
   * @param {{onChange: (pieces: Record<string, string>, turn: string) => void, onDone: () => void, onStart: () => void, onCancel?: () => void}} parts `onCancel` where there is something to go back to
   */
  constructor(panel, parts) {
    this.panel = panel;
    this.parts = parts;
    /** @type {Record<string, string>} */
    this.pieces = {};
    this.turn = 'white';
    this.tool = 'w';
    this.open = false;
    this.problem = h('p.notice.notice-bad', { hidden: true, role: 'alert', dataset: { testid: 'editor-problem' } });
    this.tools = h('div.field-choices', { role: 'radiogroup', 'aria-label': t('analysis.editor_pieces') }, ...TOOLS.map((tool) => this.#tool(tool)));
    this.turns = h('div.segmented', { role: 'radiogroup', 'aria-label': t('analysis.to_move') }, ...['white', 'black'].map((side) => this.#side(side)));
    panel.replaceChildren(
      h('h2.card-title', null, icon('edit'), t('analysis.editor')),
      h('p.small.muted', null, t('analysis.editor_help')),
      this.tools,
      h('div.field', null, h('span.label', null, t('analysis.to_move')), this.turns),
      h('div.toolbar', null,
        h('button.button-quiet', { type: 'button', dataset: { testid: 'editor-clear' }, onclick: () => this.set({}, this.turn) }, icon('trash'), t('analysis.clear')),
        h('button.button-quiet', { type: 'button', dataset: { testid: 'editor-start' }, onclick: () => parts.onStart() }, icon('board'), t('analysis.start_position')),
        h('button.button', { type: 'button', dataset: { testid: 'editor-done' }, onclick: () => parts.onDone() }, icon('check'), t('analysis.editor_done')),
        ...(parts.onCancel ? [h('button.button-quiet', { type: 'button', dataset: { testid: 'editor-cancel' }, onclick: parts.onCancel }, icon('close'), t('board.cancel'))] : [])),
      this.problem,
    );
    panel.hidden = true;
  }

  /** @param {string} tool */
  #tool(tool) {
    const name = NAMES[/** @type {keyof typeof NAMES} */ (tool)];
    return h('label.chip.tool', { title: t(`analysis.${name}`) },
      h('input', { type: 'radio', name: 'editor-tool', value: tool, checked: tool === this.tool, dataset: { testid: `tool-${name}` }, onchange: () => { this.tool = tool; } }),
      h(`span.tool-piece.tool-${name}`, { 'aria-hidden': 'true' }, tool === '' ? icon('trash') : tool === tool.toUpperCase() && icon('crown')),
      h('span.tool-name', null, t(`analysis.${name}`)));
  }

  /** @param {string} side */
  #side(side) {
    return h('label', null, h('input', { type: 'radio', name: 'editor-turn', value: side, checked: side === this.turn, dataset: { testid: `turn-${side}` }, onchange: () => { this.turn = side; this.#tell(); } }), t(`analysis.side_${side}`));
  }

  /** @param {Record<string, string>} pieces @param {string} turn */
  show(pieces, turn) {
    this.open = true;
    this.panel.hidden = false;
    this.set(pieces, turn);
  }

  hide() {
    this.open = false;
    this.panel.hidden = true;
    this.refuse('');
  }

  /** @param {Record<string, string>} pieces @param {string} turn */
  set(pieces, turn) {
    this.pieces = { ...pieces };
    this.turn = turn;
    for (const input of this.turns.querySelectorAll('input')) input.checked = input.value === turn;
    this.#tell();
  }

  /** The chosen piece on a square; the same piece again takes it off. @param {number} square */
  put(square) {
    const key = String(square);
    if (this.tool === '' || this.pieces[key] === this.tool) delete this.pieces[key];
    else this.pieces[key] = this.tool;
    this.#tell();
  }

  /** What the rules say against the position; nothing where they accept it. @param {string} message */
  refuse(message) {
    this.problem.hidden = !message;
    this.problem.textContent = message;
  }

  #tell() {
    this.parts.onChange(this.pieces, this.turn);
  }
}

/** Pieces as a FEN, in letters, which every board reads. @param {any} book @param {Record<string, string>} pieces @param {string} turn */
export function fenOf(book, pieces, turn) {
  const side = (/** @type {string} */ letter) => Object.entries(pieces)
    .filter(([, piece]) => piece.toUpperCase() === letter)
    .map(([square, piece]) => (piece === letter ? 'K' : '') + book.board.squares[Number(square)].alg).join(',');
  return `${turn === 'black' ? 'B' : 'W'}:W${side('W')}:B${side('B')}`;
}
