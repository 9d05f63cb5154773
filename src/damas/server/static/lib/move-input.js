/** A field for typed moves: red while no move can begin like that, Enter plays or explains, and it says how it read the text. */

import { isPossible, readSquares } from '../board/typed.js';
import { h } from './dom.js';
import { t } from './words.js';

/**
 * @param {any} board @param {{oops?: () => void, command?: (text: string) => boolean}} [options]
 * `oops` is called when a beginning becomes impossible; `command` may take a text that is no move
 * @returns {HTMLElement} the form
 */
export function moveInput(board, { oops = () => {}, command = () => false } = {}) {
  const id = `typed-${Math.random().toString(36).slice(2, 8)}`;
  const note = h('p.typed-note.small.muted', { id: `${id}-note`, role: 'status', dataset: { testid: 'move-note' } }, t('board.typed_help'));
  const field = h('input', {
    type: 'text', id, autocomplete: 'off', autocapitalize: 'off', spellcheck: false, enterKeyHint: 'go', maxLength: 60,
    'aria-describedby': `${id}-note`, placeholder: t('board.typed_label'), dataset: { testid: 'move-input' },
  });
  let wrong = false;
  const judge = () => {
    // Where hints are forbidden it must not tell by its colour what may be played; nor are the opponent's moves one's own.
    const bad = board.asking && board.hints && /^\d|^[a-l]\d/i.test(field.value.trim()) && !isPossible(board.book, board.legal, field.value);
    if (bad && !wrong) oops();
    wrong = bad;
    field.setAttribute('aria-invalid', String(bad));
    note.textContent = bad ? t('board.typed_impossible') : t('board.typed_help');
  };
  field.addEventListener('input', judge);
  field.addEventListener('focus', () => { field.placeholder = example(board); });
  const form = h('form.typed', {
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (!text) return;
      if (command(text)) {
        field.value = '';
        return judge();
      }
      const read = readSquares(board.book, text);
      const done = board.attempt(text);
      if (done === 'illegal') return field.select();
      field.value = '';
      judge();
      if (!read) return;
      const names = read.squares.map((square) => board.book.board.squares[square][board.book.board.scheme]);
      note.textContent = t(`board.read_as.${read.scheme}`, { text, move: names.join(board.book.board.scheme === 'rc' ? ' ' : '-') });
    },
  }, h('label.label', { htmlFor: id }, t('board.typed_label')), field, note);
  return form;
}

/** A move that can be played now; none where that would be a hint, or another's. @param {any} board */
function example(board) {
  return board.asking && board.hints ? board.legal[0].text : t('board.typed_label');
}
