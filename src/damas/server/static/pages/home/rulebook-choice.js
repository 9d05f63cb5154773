/** Choosing the rulebook of a new game: chips, the choice of a first visit, and the readings of a text. */

import { $, fill, h } from '../../lib/dom.js';

/** @import { RulebookEntry, RulebookView } from '../../lib/messages.js' */

/** How many rulebooks are shown at once; the others are behind "more". */
const MAIN_RULEBOOKS = 6;

/**
 * The listed rulebook with this id, or the one whose text is read otherwise under this id.
 * @param {RulebookEntry[]} rulebooks @param {string} id
 */
export function baseOf(rulebooks, id) {
  return rulebooks.find((book) => book.id === id || book.other_readings.some((other) => other.id === id));
}

/**
 * Shows the rulebooks, those of the visitor's language first; where it has several, a first visit shows them
 * with what each is about. Returns the id that is chosen, which is another one if nobody knows the given id.
 * @param {RulebookEntry[]} rulebooks @param {string} chosen @param {boolean} isFirstVisit
 */
export function showRulebooks(rulebooks, chosen, isFirstVisit) {
  const container = $('#first-choice');
  const home = (container.dataset.rulebooks ?? '').split(' ');
  const rank = (/** @type {RulebookEntry} */ { id }) => (home.includes(id) ? home.indexOf(id) : home.length);
  const ordered = [...rulebooks].sort((a, b) => rank(a) - rank(b));
  const base = baseOf(rulebooks, chosen);
  const isChosen = (/** @type {RulebookEntry} */ { id }) => id === (base ?? ordered[0]).id;
  const chip = (/** @type {RulebookEntry} */ book) => rulebookChip(book, isChosen(book));
  const choice = isFirstVisit && home.length > 1 ? home.length : 0;
  container.hidden = !choice;
  container.append(...ordered.slice(0, choice).map((book) =>
    h('div.first-choice-rulebook', chip(book), h('span.small.muted', book.summary))));
  const main = ordered.slice(0, MAIN_RULEBOOKS);
  $('#rulebook-chips').replaceChildren(...main.slice(choice).map(chip));
  $('#other-chips').replaceChildren(...ordered.slice(MAIN_RULEBOOKS).map(chip));
  $('#more-rulebooks', HTMLDetailsElement).open = !main.some(isChosen);
  return base ? chosen : ordered[0].id;
}

/** @param {RulebookEntry} book @param {boolean} checked */
function rulebookChip({ id, name, summary }, checked) {
  return h('label.chip', { testid: `rulebook-chip-${id}`, title: summary },
    h('input', { type: 'radio', name: 'rulebook', value: id, checked }), name);
}

/** Shows the readings of a text that leaves a question open, with the reason. @param {RulebookView} book */
export function showReadings(book) {
  const others = book.other_readings;
  $('#reading-field').hidden = !others.length;
  if (!others.length) return;
  const [{ usual, reading }] = others;
  const option = (/** @type {string} */ id, /** @type {string} */ words) =>
    h('label', h('input', { type: 'radio', name: 'reading', value: id, checked: id === book.id,
      testid: `reading-${id}` }), words);
  const focused = document.activeElement;
  const hadFocus = focused instanceof HTMLInputElement && focused.name === 'reading';
  fill($('#reading-choices'), option(book.reading_of, usual),
    others.map(({ id, answer }) => option(id, answer)));
  if (hadFocus) $('#reading-choices input:checked').focus();
  $('#reading-line').textContent = book.readings.find(({ id }) => id === reading)?.text ?? '';
  $('#reading-link', HTMLAnchorElement).href = `/rules/${book.reading_of}#${reading}`;
}
