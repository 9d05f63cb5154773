/** The position editor. It knows where pieces are put, not where they may stand: the server decides that. */

import { h, icon, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { Pieces, RulebookView, Side } from '../../lib/messages.js' */

/** Piece codes and the keys of their names; an empty code removes. */
const TOOLS = [['w', 'white_man'], ['W', 'white_king'], ['b', 'black_man'], ['B', 'black_king'],
  ['', 'empty']];

/**
 * @typedef {object} EditorActions
 * @property {(pieces: Pieces, turn: Side) => void} onChange
 * @property {() => void} onDone
 * @property {() => void} onStartPosition
 * @property {() => void} [onCancel] where there is something to go back to
 */

export class Editor {
  /** @type {Pieces} */
  #pieces = {};
  /** @type {Side} */
  #turn = 'white';
  #tool = 'w';
  #turns = h('div.segmented', { role: 'radiogroup', 'aria-label': t('analysis.to_move') },
    ...(/** @type {const} */ (['white', 'black'])).map((side) => this.#turnChoice(side)));

  isOpen = false;
  problem = h('p.notice.notice-bad', { hidden: true, role: 'alert', dataset: { testid: 'editor-problem' } });

  /** @param {HTMLElement} element @param {EditorActions} actions */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    element.replaceChildren(
      h('h2.card-title', null, icon('edit'), t('analysis.editor')),
      h('p.small.muted', null, t('analysis.editor_help')),
      h('div.field-choices', { role: 'radiogroup', 'aria-label': t('analysis.editor_pieces') },
        ...TOOLS.map(([code, name]) => this.#toolChoice(code, name))),
      h('div.field', null, h('span.label', null, t('analysis.to_move')), this.#turns),
      h('div.toolbar', null,
        iconButton('editor-clear', 'trash', t('analysis.clear'), () => this.set({}, this.#turn)),
        iconButton('editor-start', 'board', t('analysis.start_position'), actions.onStartPosition),
        iconButton('editor-done', 'check', t('analysis.editor_done'), actions.onDone, 'button'),
        actions.onCancel && iconButton('editor-cancel', 'close', t('board.cancel'), actions.onCancel)),
      this.problem);
    element.hidden = true;
  }

  /** @param {string} code @param {string} name */
  #toolChoice(code, name) {
    const isKing = code !== '' && code === code.toUpperCase();
    const label = t(`analysis.${name}`);
    return h('label.chip.tool', { title: label },
      h('input', {
        type: 'radio', name: 'editor-tool', value: code, checked: code === this.#tool,
        dataset: { testid: `tool-${name}` },
        onchange: () => { this.#tool = code; },
      }),
      h(`span.tool-piece.tool-${name}`, { 'aria-hidden': 'true' }, code === '' && icon('trash'), isKing
        && icon('crown')),
      h('span.tool-name', null, label));
  }

  /** @param {Side} side */
  #turnChoice(side) {
    const onchange = () => {
      this.#turn = side;
      this.#reportChange();
    };
    return h('label', null, h('input', {
      type: 'radio', name: 'editor-turn', value: side, checked: side === this.#turn,
      dataset: { testid: `turn-${side}` }, onchange,
    }), t(`analysis.side_${side}`));
  }

  /** @param {Pieces} pieces @param {Side} turn */
  show(pieces, turn) {
    this.isOpen = true;
    this.element.hidden = false;
    this.set(pieces, turn);
  }

  hide() {
    this.isOpen = false;
    this.element.hidden = true;
    this.showProblem('');
  }

  /** @param {Pieces} pieces @param {Side} turn */
  set(pieces, turn) {
    this.#pieces = { ...pieces };
    this.#turn = turn;
    for (const input of this.#turns.querySelectorAll('input')) input.checked = input.value === turn;
    this.#reportChange();
  }

  /** Puts the chosen piece on a square, or removes it if it is there already. @param {number} square */
  put(square) {
    if (this.#tool === '' || this.#pieces[square] === this.#tool) delete this.#pieces[square];
    else this.#pieces[square] = this.#tool;
    this.#reportChange();
  }

  /** Shows why the position is illegal; empty if it is legal. @param {string} message */
  showProblem(message) {
    this.problem.hidden = !message;
    this.problem.textContent = message;
  }

  #reportChange() {
    this.actions.onChange(this.#pieces, this.#turn);
  }
}

/**
 * The FEN of a position, in algebraic notation, which every rulebook reads.
 * @param {RulebookView} book @param {Pieces} pieces @param {Side} turn
 */
export function fenOf(book, pieces, turn) {
  const squaresOf = (/** @type {string} */ king) => Object.entries(pieces)
    .filter(([, code]) => code.toUpperCase() === king)
    .map(([square, code]) => (code === king ? 'K' : '') + book.board.squares[Number(square)].alg).join(',');
  return `${turn === 'black' ? 'B' : 'W'}:W${squaresOf('W')}:B${squaresOf('B')}`;
}
