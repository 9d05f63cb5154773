/** The position editor. It knows where pieces are put, not where they may stand: the server decides that. */

import { api, messageOf } from '../../lib/api.js';
import { h, icon, iconButton, segmented, showText } from '../../lib/dom.js';
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
 * @property {() => void} onCancel
 */

export class Editor {
  /** @type {Pieces} */
  #pieces = {};
  /** @type {Side} */
  #turn = 'white';
  #tool = 'w';
  #turns = segmented('turn', t('analysis.to_move'),
    [['white', t('analysis.side_white')], ['black', t('analysis.side_black')]], this.#turn,
    (side) => this.set(this.#pieces, side));

  isOpen = false;
  /** Why the position is illegal; hidden if it is legal. */
  problem = h('p.notice.notice-bad', { hidden: true, role: 'alert', testid: 'editor-problem' });

  /** @param {HTMLElement} element @param {EditorActions} actions */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    element.replaceChildren(
      h('h2.card-title', icon('edit'), t('analysis.editor')),
      h('p.small.muted', t('analysis.editor_help')),
      h('div.field-choices', { role: 'radiogroup', 'aria-label': t('analysis.editor_pieces') },
        ...TOOLS.map(([code, name]) => this.#toolChoice(code, name))),
      h('div.field', h('span.label', t('analysis.to_move')), this.#turns),
      h('div.toolbar',
        iconButton('editor-clear', 'trash', t('analysis.clear'), () => this.set({}, this.#turn)),
        iconButton('editor-start', 'board', t('analysis.start_position'), actions.onStartPosition),
        iconButton('editor-done', 'check', t('analysis.editor_done'), actions.onDone, 'button'),
        iconButton('editor-cancel', 'close', t('board.cancel'), actions.onCancel)),
      this.problem);
    element.hidden = true;
  }

  /** @param {string} code @param {string} name */
  #toolChoice(code, name) {
    const isKing = code !== '' && code === code.toUpperCase();
    const label = t(`analysis.${name}`);
    return h('label.chip.tool', { title: label },
      h('input', {
        type: 'radio', name: 'editor-tool', value: code, checked: code === this.#tool, testid: `tool-${name}`,
        onchange: () => { this.#tool = code; },
      }),
      h(`span.tool-piece.tool-${name}`, { 'aria-hidden': 'true' },
        code === '' && icon('trash'), isKing && icon('crown')),
      h('span.tool-name', label));
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
    showText(this.problem, '');
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

  #reportChange() {
    this.actions.onChange(this.#pieces, this.#turn);
  }
}

/** @typedef {{fits: boolean, message?: string, fen?: string, standard?: boolean}} SetupCheck of a position */

/**
 * Whether the pieces may stand so, and why not.
 * @param {string} book @param {string} fen @returns {Promise<SetupCheck>}
 */
export function checkSetup(book, fen) {
  return api.post('/api/analysis/setup', { rulebook: book, fen })
    .catch((error) => ({ fits: false, message: messageOf(error) }));
}

/** A position's FEN, in letters. @param {RulebookView} book @param {Pieces} pieces @param {Side} turn */
export function fenOf(book, pieces, turn) {
  const squaresOf = (/** @type {string} */ king) => Object.entries(pieces)
    .filter(([, code]) => code.toUpperCase() === king)
    .map(([square, code]) => (code === king ? 'K' : '') + book.board.squares[Number(square)].alg).join(',');
  return `${turn === 'black' ? 'B' : 'W'}:W${squaresOf('W')}:B${squaresOf('B')}`;
}
