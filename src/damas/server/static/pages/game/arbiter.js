/** The arbiter's table: one form for every intervention, each with its reason. */

import { $, fill, h, icon, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { Editor, fenOf } from '../analysis/editor.js';
import { board, showBoard } from './board.js';
import { timeLeft } from './players.js';
import { askToConfirm } from './requests.js';
import { isOver, state } from './state.js';

/** @import { Remedy, Side } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */
/** @import { Intervene } from '../../lib/types.js' */

/** @type {Remedy[]} */
const REMEDIES = ['release', 'time', 'clock', 'say', 'restore', 'position', 'note', 'resume', 'result'];
const RESULTS = [['white', '1-0'], ['black', '0-1'], ['draw', '1/2-1/2'], ['none', '*']];
/** Conduct that only the arbiter writes down. */
const OTHER_CONDUCT = ['illegal', 'other'];
/** Interventions that change the game for good are asked about once more. @type {Remedy[]} */
const SERIOUS = ['restore', 'position', 'result'];

const section = $('#arbiter');
const form = $('#arbiter-form', HTMLFormElement);
const editor = new Editor($('#arbiter-editor'), {
  onChange: (pieces, turn) => {
    if (!state.book) return;
    fen = fenOf(state.book, pieces, turn);
    const nothing = { legal: [], last: null, lifting: null, crowning: null };
    board.position = { ...state.view, ...nothing, fen, turn, pieces };
  },
  onDone: closeEditor,
  onCancel: forgetPosition,
  onStartPosition: () => {
    if (state.book) editor.set(state.book.start.pieces, state.book.start.turn);
  },
});
/** The position that the arbiter has set up; empty until then. */
let fen = '';
/** What the fields were made for: they are not made anew while somebody fills them in. */
let madeFor = '';

board.addEventListener('damas-edit', ({ detail }) => editor.put(detail.square));

/** @param {GameSocket} socket */
export function showArbiter(socket) {
  section.hidden = state.you !== 'arbiter';
  if (section.hidden) return;
  if (!form.dataset.ready) prepare(socket);
  showFields();
}

/** @param {GameSocket} socket */
function prepare(socket) {
  form.dataset.ready = 'true';
  const select = $('#arbiter-what', HTMLSelectElement);
  fill(select, REMEDIES.map((remedy) => h('option', { value: remedy }, t(`table.remedy.${remedy}`))));
  select.addEventListener('change', () => showFields());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const remedy = remedyNow(), reason = $('#arbiter-reason', HTMLInputElement);
    const apply = () => {
      socket.intervene(remedy, reason.value.trim(), factsOf(remedy));
      reason.value = '';
      closeEditor();
    };
    if (!SERIOUS.includes(remedy)) return apply();
    askToConfirm($('[data-testid="arbiter-apply"]'),
      t('table.arbiter.sure', { what: t(`table.remedy.${remedy}`) }), apply);
  });
}

/** @returns {Remedy} */
function remedyNow() {
  return /** @type {Remedy} */ ($('#arbiter-what', HTMLSelectElement).value);
}

/** @param {string} name */
function valueOf(name) {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLSelectElement || field instanceof HTMLInputElement ? field.value : '';
}

/** @param {Remedy} remedy @returns {Partial<Intervene>} */
function factsOf(remedy) {
  const side = /** @type {Side} */ (valueOf('side'));
  switch (remedy) {
    case 'time': return { side, seconds: Number(valueOf('seconds')) };
    case 'clock': return { side, seconds: Number(valueOf('minutes')) * 60 + Number(valueOf('seconds')) };
    case 'restore': return { ply: Number(valueOf('ply')) };
    case 'position': return { fen: fen || state.view.fen };
    case 'note': return { side, conduct: valueOf('conduct') };
    case 'result': return { result: /** @type {Intervene['result']} */ (valueOf('result')) };
    default: return {};
  }
}

/** Shows the fields of the chosen intervention. */
function showFields() {
  const remedy = remedyNow(), { view } = state;
  const needed = remedy === 'restore' ? `${remedy} ${view.moves.length}` : remedy;
  const link = $('#arbiter-certificate', HTMLAnchorElement);
  link.hidden = !isOver();
  if (needed === madeFor) return;
  madeFor = needed;
  if (remedy !== 'position') forgetPosition();
  fill($('#arbiter-fields'), fieldsOf(remedy));
}

/** @param {Remedy} remedy */
function fieldsOf(remedy) {
  const sides = () => choice('side', t('table.arbiter.side'),
    [['white', t('board.side.white')], ['black', t('board.side.black')]]);
  switch (remedy) {
    case 'time': return [sides(), amount('seconds', t('table.arbiter.seconds'), 1, 86_400, 60)];
    case 'clock': return clockFields(sides());
    case 'restore': return [choice('ply', t('table.arbiter.ply'), plies())];
    case 'position': return [h('p.small.muted', t('table.arbiter.position_line')),
      iconButton('arbiter-edit', 'edit', t('table.arbiter.edit'), openEditor)];
    case 'note': return [sides(), choice('conduct', t('table.arbiter.conduct'), conducts())];
    case 'result': return [choice('result', t('table.arbiter.result'),
      RESULTS.map(([name, result]) => [result, t(`table.results.${name}`)]))];
    default: return [];
  }
}

/** The present time of the player to move, or of the side that is chosen. @param {HTMLElement} sides */
function clockFields(sides) {
  const select = $('select', HTMLSelectElement, sides);
  select.value = state.view.to_move;
  const fields = [amount('minutes', t('table.arbiter.minutes'), 0, 1440, 0),
    amount('seconds', t('table.arbiter.seconds_of'), 0, 59, 0)];
  const [minutes, seconds] = fields.map((field) => $('input', HTMLInputElement, field));
  const showTime = () => {
    const left = Math.round((timeLeft(/** @type {Side} */ (select.value)) ?? 0) / 1000);
    minutes.value = String(Math.floor(left / 60));
    seconds.value = String(left % 60);
  };
  select.addEventListener('change', showTime);
  showTime();
  return [sides, ...fields];
}

/** @returns {[string, string][]} every position of the game, the latest first */
function plies() {
  const { moves } = state.view;
  const after = moves.map(({ text, by }, index) => {
    const number = `${Math.floor(index / 2) + 1}${by === moves[0].by ? '.' : '...'}`;
    return /** @type {[string, string]} */ (
      [String(index + 1), t('table.arbiter.ply_after', { number, move: text })]);
  });
  return [...after.toReversed(), ['0', t('table.arbiter.ply_start')]];
}

/** @returns {[string, string][]} */
function conducts() {
  return [
    ...state.view.conduct.map(({ conduct, message, article }) =>
      /** @type {[string, string]} */ ([conduct, `${message} (${article})`])),
    ...OTHER_CONDUCT.map((conduct) =>
      /** @type {[string, string]} */ ([conduct, t(`table.irregularity.${conduct}`)])),
  ];
}

/** @param {string} name @param {string} label @param {HTMLElement} control */
function labelled(name, label, control) {
  return h('div.field', h('label', { htmlFor: `arbiter-${name}` }, label), control);
}

/** A field for a whole number. @param {string} name @param {string} label @param {number} min
 * @param {number} max @param {number} value */
function amount(name, label, min, max, value) {
  return labelled(name, label, h('input', { type: 'number', name, id: `arbiter-${name}`, min, max, value,
    required: true, testid: `arbiter-${name}` }));
}

/** @param {string} name @param {string} label @param {string[][]} options value and words */
function choice(name, label, options) {
  return labelled(name, label, h('select', { name, id: `arbiter-${name}`, testid: `arbiter-${name}` },
    options.map(([value, words]) => h('option', { value }, words))));
}

function openEditor() {
  state.isEditing = true;
  board.set({ editable: true, movable: 'none' });
  editor.show(board.position.pieces, board.position.turn);
  board.scrollIntoView({ block: 'nearest' });
}

/** Closes the editor; the board goes on showing what was set up. */
function closeEditor() {
  editor.hide();
  board.set({ editable: false });
}

/** Shows the game again: what was set up is out of date, or not wanted. */
export function forgetPosition() {
  if (!state.isEditing) return;
  state.isEditing = false;
  fen = '';
  closeEditor();
  showBoard();
}

/** A link to the certificate of a finished game. @param {string} game */
export function prepareCertificate(game) {
  const link = $('#arbiter-certificate', HTMLAnchorElement);
  link.href = `/api/games/${game}/certificate`;
  fill(link, icon('download'), h('span', t('table.arbiter.certificate')));
}
