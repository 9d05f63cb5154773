/** New PINs, of which the server has only hashes: this page keeps them until it is closed, for the cards. */

import { api } from '../../lib/api.js';
import { $, $$, byId, fill, h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { PinView } from '../../lib/messages.js' */

/** By pupil. @type {Map<string, PinView>} */
const known = new Map();

/** @param {PinView[]} pins */
export function showPins(pins) {
  for (const pin of pins) known.set(pin.id, pin);
  if (!known.size) return;
  $('#new-pins').hidden = false;
  const sorted = [...known.values()].sort((a, b) => a.number - b.number);
  fill($('#pin-list'), sorted.map(({ number, name, pin }) => h('li', { testid: `pin-of-${number}` },
    h('span', `${number}. ${name}`), h('strong', pin))));
  const text = JSON.stringify(Object.fromEntries(sorted.map(({ id, pin }) => [id, pin])));
  for (const input of $$('#new-pins input[name="pins"]', HTMLInputElement)) input.value = text;
}

/**
 * @param {string} path of the class @param {(action: () => Promise<unknown>) => Promise<boolean>} attempt
 * @param {(question: string, action: () => Promise<unknown>) => void} ask
 */
export function preparePins(path, attempt, ask) {
  byId('all-pins').addEventListener('click', () => ask(t('school.teacher.all_pins_sure'), () => attempt(
    async () => {
      /** @type {{pins: PinView[]}} */
      const { pins } = await api.post(`${path}/pins`, {});
      showPins(pins);
    })));
}
