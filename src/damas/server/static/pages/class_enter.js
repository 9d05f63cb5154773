/** The login of pupils. The QR code of a card carries everything behind the #, which no server is sent. */

import { api, tryAction } from '../lib/api.js';
import { byId, showText } from '../lib/dom.js';

const form = byId('enter', HTMLFormElement);
const problem = byId('problem');
const FIELDS = ['code', 'name', 'pin'];

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

async function enter() {
  showText(problem, '');
  await tryAction(async () => {
    await api.post('/api/class/login', Object.fromEntries(FIELDS.map((name) => [name, field(name).value])));
    // What the pupil before had open here is not shown to the next one.
    for (const name of ('caches' in window ? await caches.keys() : [])) await caches.delete(name);
    location.assign('/class');
  }, (error) => {
    showText(problem, error.message);
    field('pin').select();
  });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void enter();
});

/** Logs in by the card whose link was opened, at first or on this page. */
function readCard() {
  const onCard = location.hash.slice(1).split('.');
  if (onCard.length !== FIELDS.length) return;
  history.replaceState(null, '', location.pathname);
  FIELDS.forEach((name, place) => { field(name).value = decodeURIComponent(onCard[place]); });
  void enter();
}

window.addEventListener('hashchange', readCard);
readCard();
document.body.dataset.ready = 'class_enter';
