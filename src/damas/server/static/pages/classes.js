/** The classes of a teacher: a new one, and the teachers' link of one that was made elsewhere. */

import { api, tryAction } from '../lib/api.js';
import { byId, showText } from '../lib/dom.js';

const problem = byId('problem');
const form = byId('new-class', HTMLFormElement);

/** @param {string} path @param {object} body */
function open(path, body) {
  showText(problem, '');
  return tryAction(async () => {
    location.assign((await api.post(path, body)).url);
  }, (error) => showText(problem, error.message));
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void open('/api/classes', Object.fromEntries(new FormData(form)));
});

/** Takes the class whose teachers' link was opened, at first or on this page. */
function claim() {
  const [, id, key] = /^#teacher=([\w-]+)\.([\w-]+)$/.exec(location.hash) ?? [];
  if (!id || !key) return;
  history.replaceState(null, '', location.pathname); // the secret stays in no history
  void open('/api/classes/claim', { id, key });
}

window.addEventListener('hashchange', claim);
claim();
document.body.dataset.ready = 'classes';
