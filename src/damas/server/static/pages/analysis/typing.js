/** Moves that are typed or pasted, in any way of writing them; the page says which one it read, and guesses at none. */

import { api } from '../../lib/api.js';
import { h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

export class TypedMoves {
  /**
   * @param {HTMLFormElement} form
   * @param {{place: () => Promise<{rulebook: string, fen: string}>, onMove: (text: string) => Promise<void>, onRefused: (text: string) => Promise<void>, named: (route: number[]) => string, firstNumber: () => string, onPdn: (text: string) => void}} parts
   */
  constructor(form, parts) {
    this.parts = parts;
    this.field = form.querySelector('input');
    this.said = h('p.small', { dataset: { testid: 'read-as' }, role: 'status' });
    form.after(this.said);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.read(this.field?.value ?? '');
    });
  }

  /** @param {string} text */
  async read(text) {
    const tried = text.trim();
    if (!tried) return;
    this.said.textContent = '';
    if (/^\s*(\[|1\s*\.)/.test(tried) || /^[wb]:/i.test(tried)) return this.parts.onPdn(tried);
    try {
      const { rulebook, fen } = await this.parts.place();
      const told = await api.post('/api/explain', { rulebook, fen, move: tried });
      if (told.scheme) this.said.textContent = this.#readAs(tried, told);
      if (told.legal) {
        if (this.field) this.field.value = '';
        await this.parts.onMove(told.move.text);
        return;
      }
      await this.parts.onRefused(tried); // and if another numbering gives a move, that is offered, never played
    } catch (trouble) {
      this.said.textContent = /** @type {Error} */ (trouble).message;
    }
  }

  /** Which way of writing it was, and what it means. @param {string} tried @param {any} told */
  #readAs(tried, told) {
    const move = told.move?.text ?? this.parts.named(told.route ?? []);
    const kind = told.scheme === 'numbers' ? this.parts.firstNumber() : told.scheme;
    return t(`analysis.read.${kind}`, { tried, move });
  }
}
