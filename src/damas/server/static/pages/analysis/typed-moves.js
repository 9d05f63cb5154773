/** The field for typed or pasted moves; it says which notation was read. */

import { api, messageOf } from '../../lib/api.js';
import { $, byId, h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { board, explainRefusal, play } from './navigation.js';
import { viewOf } from './positions.js';
import { importText } from './position-setup.js';
import { state } from './state.js';

/** @import { ExplanationView } from '../../lib/messages.js' */

const form = byId('typed', HTMLFormElement);
const field = $('input', HTMLInputElement, form);
const status = h('p.small', { testid: 'read-as', role: 'status' });
form.after(status);

/** @param {string} text */
async function read(text) {
  status.textContent = '';
  if (/^\s*(\[|1\s*\.)/.test(text) || /^[wb]:/i.test(text)) return importText(text);
  try {
    // A move typed right after another belongs to the position after that one, even before it is shown.
    const { fen } = await viewOf(state.node);
    /** @type {ExplanationView} */
    const explanation = await api.post('/api/explain', { rulebook: state.book.id, fen, move: text });
    if (explanation.scheme) status.textContent = readAsWords(text, explanation);
    if (!explanation.legal || !explanation.move) return await explainRefusal({ text });
    field.value = '';
    await play(explanation.move.text);
  } catch (error) {
    status.textContent = messageOf(error);
  }
}

/** Which notation was read and which move. @param {string} text @param {ExplanationView} explanation */
function readAsWords(text, { scheme, move, route = [] }) {
  const kind = scheme === 'numbers' ? state.book.board.first_number : scheme;
  const meant = move?.text ?? route.map((square) => board.names[square]).join('-');
  return t(`analysis.read.${kind}`, { tried: text, move: meant });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (text) void read(text);
});
