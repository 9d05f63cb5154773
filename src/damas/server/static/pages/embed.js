/** A game or position in a frame of another site: the board, and the steps through its moves. */

import '../board/damas-board.js';
import { DamasBoard } from '../board/damas-board.js';
import { $, $$ } from '../lib/dom.js';
import { prepareSteps } from '../lib/replay-steps.js';

/** @import { ReplayView } from '../lib/messages.js' */

/** @type {ReplayView} */
const replay = JSON.parse($('#replay').textContent ?? '');
const board = $('#board', DamasBoard);
const onKey = prepareSteps({
  board, replay, buttons: $$('[data-step]', HTMLButtonElement), label: $('#move'),
  comments: document.getElementById('comments'),
  orientation: board.dataset.orientation === 'black' ? 'black' : 'white',
});
document.addEventListener('keydown', onKey);
$('#steps').hidden = replay.frames.length === 1;
document.body.dataset.ready = 'embed';
