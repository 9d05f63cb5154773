/** The field for typed or pasted moves; it says which notation was read. */

import { api, messageOf } from '../../lib/api.js';
import { $, h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { ExplanationView } from '../../lib/messages.js' */

/**
 * @typedef {object} TypedMoveActions
 * @property {() => Promise<{rulebook: string, fen: string}>} position
 * @property {(text: string) => Promise<void>} play
 * @property {(text: string) => Promise<void>} refuse
 * @property {(route: number[]) => string} nameRoute
 * @property {() => string} firstNumber where the rulebook's square 1 is
 * @property {(text: string) => void} openPdn
 */

/** @param {HTMLFormElement} form @param {TypedMoveActions} actions */
export function listenToTypedMoves(form, actions) {
  const field = $('input', HTMLInputElement, form);
  const status = h('p.small', { dataset: { testid: 'read-as' }, role: 'status' });
  form.after(status);

  /** @param {string} text */
  async function read(text) {
    status.textContent = '';
    if (/^\s*(\[|1\s*\.)/.test(text) || /^[wb]:/i.test(text)) return actions.openPdn(text);
    try {
      /** @type {ExplanationView} */
      const explanation = await api.post('/api/explain', { ...await actions.position(), move: text });
      if (explanation.scheme) status.textContent = readAsWords(text, explanation);
      if (!explanation.legal || !explanation.move) return await actions.refuse(text);
      field.value = '';
      await actions.play(explanation.move.text);
    } catch (error) {
      status.textContent = messageOf(error);
    }
  }

  /**
   * Which notation was read, and the move it means.
   * @param {string} text @param {ExplanationView} explanation
   */
  function readAsWords(text, { scheme, move, route = [] }) {
    const kind = scheme === 'numbers' ? actions.firstNumber() : scheme;
    return t(`analysis.read.${kind}`, { tried: text, move: move?.text ?? actions.nameRoute(route) });
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text) void read(text);
  });
}
