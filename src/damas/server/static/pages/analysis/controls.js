/** What the board, the keys and the visitor's preferences do on pages with a move tree. */

import { byId, isWriting } from '../../lib/dom.js';
import { openPlayHere } from '../../lib/play-here.js';
import { onPreferences } from '../../lib/preferences.js';
import { openSettings } from '../../lib/settings.js';
import { glyphOfKey, toggleGlyph } from './annotate.js';
import { engine } from './engine.js';
import { explorer } from './explorer.js';
import { steps } from './move-panel.js';
import { board, explainRefusal, notifySettled, play } from './navigation.js';
import { editor } from './position-setup.js';
import { state } from './state.js';

/** @import { MoveEntered } from '../../board/events.js' */

/** Takes a move instead of the tree; false takes it back. @type {((move: MoveEntered) => boolean) | null} */
let takeMove = null;

/**
 * From now on moves on the board are taken by a function; by the tree again where there is none.
 * @param {typeof takeMove} take
 */
export function takeMoves(take) {
  takeMove = take;
}

board.addEventListener('damas-move', (event) => {
  const { detail } = event;
  if (!takeMove) return void play(detail.move.text, detail.passes);
  if (!takeMove(detail)) event.preventDefault();
});
board.addEventListener('damas-illegal', ({ detail }) => {
  if (!editor.isOpen) void explainRefusal({ route: detail.route });
});

export function flip() {
  board.set({ orientation: board.orientation === 'white' ? 'black' : 'white' });
  engine.bar.classList.toggle('flipped', board.orientation === 'black');
}

/** Plays on from the position on the board. */
export function playFromHere() {
  const { tree: { rulebook: id }, view } = state;
  if (view) openPlayHere({ rulebook: id, fen: view.fen, color: view.turn });
}

byId('flip').addEventListener('click', flip);
byId('settings').addEventListener('click', openSettings);
byId('play-from-here').addEventListener('click', playFromHere);
onPreferences(({ numbering }) => { board.set({ numbering }); });

/** Opens the annotations and goes to the comment. */
function writeComment() {
  const field = byId('comment'), tools = field.closest('details');
  if (!tools || tools.hidden) return;
  tools.open = true;
  field.focus();
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: steps.back, ArrowRight: steps.forward, ArrowUp: steps.first, ArrowDown: steps.last,
  'shift+ArrowLeft': steps.branchPoint, 'shift+ArrowRight': steps.variation,
  'shift+ArrowUp': steps.previousSibling, 'shift+ArrowDown': steps.nextSibling, l: () => engine.toggle(),
  a: () => engine.toggleArrows(), ' ': () => (engine.bestMove ? play(engine.bestMove) : engine.toggle(true)),
  f: flip, c: writeComment, o: () => explorer.toggle(),
};

let isEnabled = true;

/** Whether keys do anything; not while moves are guessed. @param {boolean} enabled */
export function enableKeys(enabled) {
  isEnabled = enabled;
}

/** @param {string} name of a key */
function commandOf(name) {
  if (KEYS[name]) return KEYS[name];
  const glyph = /^[1-6]$/.test(name) ? glyphOfKey(Number(name)) : 0;
  return glyph ? () => toggleGlyph(glyph) : null;
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return;
  if (editor.isOpen || !isEnabled) return;
  const command = commandOf((event.shiftKey ? 'shift+' : '') + key);
  if (!command || document.querySelector('dialog[open]') || !(target instanceof Element)) return;
  // Space presses a focused button, arrows move inside a grid or a group of radio buttons.
  if (key === ' ' && target.closest('button, a, summary, [role="gridcell"], [role="tab"]')) return;
  if (key.startsWith('Arrow') && target.closest('input, [role="grid"]')) return;
  event.preventDefault();
  command();
});

document.addEventListener('visibilitychange', () => {
  if (document.hidden) engine.clear(); // the engine pauses while nobody looks
  else if (!editor.isOpen) notifySettled();
});
