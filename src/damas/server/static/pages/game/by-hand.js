/** What is done by hand over the board: captured pieces lifted, men crowned, pieces touched; and conduct. */

import { openDialog } from '../../lib/dialog.js';
import { h, iconButton, segmented } from '../../lib/dom.js';
import { capital, t } from '../../lib/words.js';
import { colourOf } from '../../board/pieces.js';
import { bottomSide, isMine, state } from './state.js';

/** @import { Side } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */

/** @param {Side} side */
const sideName = (side) => t(`table.side.${side}`);

/** @param {Side} side @returns {Side} */
const otherSide = (side) => (side === 'white' ? 'black' : 'white');

/** Says what is being done, and to whoever has to do it, what. @param {GameSocket} socket */
export function showHands(socket) {
  const { book, view } = state;
  const { lifting, crowning, adjusting, touched_square: touchedSquare, to_move: toMove } = view;
  const touched = book && touchedSquare !== null ? book.board.squares[touchedSquare][book.board.scheme] : '';
  const notices = [
    ...adjusting.map((side) => t('table.hand.adjusting', { side: sideName(side) })),
    touched && !isMine(toMove) && t('table.hand.touched', { side: sideName(toMove), square: touched }),
    lifting && !isMine(lifting.by) && t('table.hand.lift_theirs', { side: sideName(lifting.by) }),
    crowning && !isMine(crowning.by)
      && t('table.hand.crown_theirs', { side: sideName(crowning.by), square: crowning.name }),
    lifting && isMine(lifting.by) && t('table.hand.lift_mine'),
  ];
  const shown = notices
    .flatMap((words) => (words ? [h('p.ask.small', { role: 'status' }, capital(words))] : []));
  if (!crowning || !isMine(crowning.by)) return shown;
  const { square, name } = crowning;
  return [...shown, h('div.ask', { role: 'status' }, h('p', t('table.hand.crown_mine', { square: name })),
    h('div.toolbar', iconButton('crown', 'crown', t('table.hand.crown'),
      () => socket.act('crown', { square }), 'button')))];
}

/** The dialog in which a player reports the opponent or tries to blow a piece. @param {GameSocket} socket */
export function openConduct(socket) {
  const { view, you } = state;
  /** Whose irregularity is reported, and who tries to blow: at one device it may be either. @type {Side} */
  let offender = you === 'both' ? otherSide(bottomSide()) : bottomSideOf();
  const send = (/** @type {() => void} */ action) => () => { action(); dialog.close(); };
  const squares = h('select', { 'aria-label': t('table.conduct.blow_square'), testid: 'blow-square' });
  const listSquares = () => squares.replaceChildren(...squaresOf(otherSide(offender))
    .map(({ square, name }) => h('option', { value: square }, name)));
  const blower = h('h3');
  const showBlower = () => {
    listSquares();
    blower.textContent = you === 'both'
      ? t('table.conduct.blow_by', { side: t(`table.side.${offender}`) }) : t('table.conduct.blow');
  };
  showBlower();
  const by = (/** @type {Side} */ side) => (you === 'both' ? { side } : {});
  const dialog = openDialog('conduct', t('table.conduct.title'),
    h('p.small.muted', t('table.conduct.line')),
    you === 'both' && h('span.label', t('table.conduct.of')),
    you === 'both' && segmented('conduct-of', t('table.conduct.of'),
      [['white', t('board.side.white')], ['black', t('board.side.black')]], offender,
      (side) => { offender = side; showBlower(); }),
    you !== 'both' && view.can.includes('report') && h('h3', t('table.conduct.report')),
    h('div.conduct-list', view.conduct.map(({ conduct, message, article }) =>
      iconButton(`report-${conduct}`, 'claim', `${capital(message)} (${article})`,
        send(() => socket.act('report', { conduct, ...by(otherSide(offender)) }))))),
    view.can.includes('blow') && [
      blower, h('p.small.muted', t('table.conduct.blow_line')),
      h('div.toolbar', squares, iconButton('blow', 'hand', t('table.conduct.blow_do'),
        send(() => socket.act('blow', { square: Number(squares.value), ...by(offender) }))))]);
}

/** @returns {Side} the side of a player who has one seat */
function bottomSideOf() {
  return state.you === 'black' ? 'black' : 'white';
}

/** The squares of a side's pieces. @param {Side} side */
function squaresOf(side) {
  const { book, view: { pieces } } = state;
  const squares = book?.board.squares ?? [], scheme = book?.board.scheme ?? 'alg';
  return Object.entries(pieces).filter(([, code]) => colourOf(code) === side)
    .map(([square]) => ({ square: Number(square), name: squares[Number(square)][scheme] }));
}
