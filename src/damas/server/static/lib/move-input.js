/** A text field for moves: red when no legal move starts like the text; it says how it read a move. */

import { pathsThrough, readSquares, startsLegalMove, writtenSquares } from '../board/typed.js';
import { h } from './dom.js';
import { t } from './words.js';

/** @import { DamasBoard } from '../board/damas-board.js' */

/**
 * @param {DamasBoard} board
 * @param {{onInvalid?: () => void, onCommand?: (text: string) => boolean}} [actions] `onInvalid`: the text
 *   has become impossible; `onCommand` returns whether a text was a command instead of a move
 * @returns {HTMLFormElement}
 */
export function moveInput(board, { onInvalid = () => {}, onCommand = () => false } = {}) {
  const id = `typed-${Math.random().toString(36).slice(2, 8)}`;
  const note = h('p.typed-note.small.muted',
    { id: `${id}-note`, role: 'status', testid: 'move-note' }, t('board.typed_help'));
  const field = h('input', {
    type: 'text', id, autocomplete: 'off', autocapitalize: 'off', spellcheck: false, enterKeyHint: 'go',
    maxLength: 60,
    'aria-describedby': `${id}-note`, placeholder: t('board.typed_label'), testid: 'move-input',
  });
  let isInvalid = false;

  /** What Enter does: where every attempt counts, it explains nothing. */
  function help() {
    const { attemptsCount, illegalLoseAt } = board.state;
    if (!attemptsCount && illegalLoseAt) return t('board.typed_counted', { limit: illegalLoseAt });
    return t(attemptsCount ? 'board.typed_counts' : 'board.typed_help');
  }

  function validate() {
    // Without hints the colour must not tell which moves are legal.
    const isMove = board.awaitsMove && board.hints && /^\d|^[a-l]\d/i.test(field.value.trim());
    const invalid = isMove && board.book !== null && !startsLegalMove(board.book, board.legal, field.value);
    if (invalid && !isInvalid) onInvalid();
    isInvalid = invalid;
    field.setAttribute('aria-invalid', String(invalid));
    note.textContent = invalid ? t('board.typed_impossible') : help();
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    const text = field.value.trim();
    if (!text || !board.book) return;
    if (!onCommand(text)) {
      const read = readSquares(board.book, text);
      const paths = read ? pathsThrough(board.legal, read.squares) : [];
      const outcome = board.entry.playTyped(text);
      if (outcome === 'illegal') return field.select();
      clear();
      if (!read || !paths.length || outcome === 'premove') return;
      const move = paths.every((path) => path.move === paths[0].move) ? paths[0].move.text
        : writtenSquares(board.book, read.squares, paths[0].move);
      note.textContent = t(`board.read_as.${read.scheme}`, { text, move });
    } else clear();
  }

  function clear() {
    field.value = '';
    validate();
  }

  board.addEventListener('damas-terms', validate);
  field.addEventListener('input', validate);
  field.addEventListener('focus', () => {
    if (!isInvalid) note.textContent = help();
    field.placeholder = board.awaitsMove && board.hints ? board.legal[0].text : t('board.typed_label');
  });
  return h('form.typed', { onsubmit: submit }, h('label.label', { htmlFor: id }, t('board.typed_label')),
    field, note);
}
