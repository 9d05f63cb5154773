/** The boards of a class, small: a tap opens the game, where the teacher is its arbiter. */

import { SIDES } from '../../board/pieces.js';
import { $, fill, h, icon } from '../../lib/dom.js';
import { clockFace } from '../../lib/times.js';
import { t } from '../../lib/words.js';

/** @import { ClassBoardView, Side } from '../../lib/messages.js' */

const SIZE_PX = 220;
/** The clocks on the page, with what they show now. @type {Map<HTMLElement, () => string>} */
const clocks = new Map();

/** @param {ClassBoardView} board */
function stateWords({ status, result, move, awaited, held, white, black }) {
  if (status !== 'playing') {
    const isVoid = status === 'aborted' || !result || result === '*';
    return t('school.teacher.over', { result: isVoid ? t('school.teacher.no_result') : result });
  }
  if (held) return t('play.suspended');
  return `${t('school.teacher.move', { n: move })} · ${awaited === 'white' ? white : black}`;
}

/** @param {ClassBoardView} board @param {number} since when the clocks were sent */
function clockLine(board, since) {
  const { clocks: sent } = board;
  if (!sent || sent.white === null || sent.white === undefined || board.status !== 'playing') return null;
  const line = h('p.school-board-clocks.small');
  const left = (/** @type {Side} */ side) => {
    const ms = sent[side] ?? 0;
    return clockFace(sent.running === side ? ms - (performance.now() - since) : ms);
  };
  clocks.set(line, () => `${left('white')} – ${left('black')}`);
  return line;
}

/** @param {ClassBoardView} board */
function card(board) {
  const { id, key, white, black, rulebook, fen, calls, irregularities } = board;
  const query = new URLSearchParams({ rulebook, fen, size: String(SIZE_PX), numbering: 'none' });
  const names = t('school.teacher.board', { white, black });
  const irregular = irregularities.white + irregularities.black;
  return h(`li.card.school-board${calls.length ? '.school-calls' : ''}`, { testid: `board-${id}` },
    h('a', { href: `/game/${id}#arbiter=${key}`, testid: `open-${id}` },
      h('img', { src: `/position.svg?${query}`, alt: '', width: SIZE_PX, height: SIZE_PX }),
      h('span.school-board-names', names)),
    h('p.small', stateWords(board)), clockLine(board, performance.now()),
    SIDES.filter((side) => calls.includes(side)).map((side) => h('p.small', { role: 'status' }, icon('bell'),
      t('school.teacher.called', { name: side === 'white' ? white : black }))),
    irregular > 0 && h('p', h('span.tag', t('school.teacher.irregular', { n: irregular }))));
}

/** @param {ClassBoardView[]} boards */
export function showBoards(boards) {
  clocks.clear();
  fill($('#boards'), boards.map(card));
  $('#no-boards').hidden = boards.length > 0;
  tickClocks();
}

/** Shows the time that has passed. */
export function tickClocks() {
  for (const [line, text] of clocks) {
    const now = text();
    if (line.textContent !== now) line.textContent = now;
  }
}
