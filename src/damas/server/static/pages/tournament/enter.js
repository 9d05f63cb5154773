/** How a browser becomes somebody in a tournament: by the key in a link, or by a PIN. */

import { api, tryAction } from '../../lib/api.js';
import { $, byId, showText, toast } from '../../lib/dom.js';

const KEY = /^#key=(.+)$/;

/** Opens the link of this page, and any other that is opened on it. @param {string} id */
export async function followLinks(id) {
  window.addEventListener('hashchange', async () => { if (await openLink(id)) location.reload(); });
  await openLink(id);
}

/** Becomes what the key in the address says, if it has one and it opens something. @param {string} id */
async function openLink(id) {
  const key = KEY.exec(location.hash)?.[1];
  if (!key) return false;
  history.replaceState(null, '', location.pathname + location.search); // the key is in the cookie from now on
  return tryAction(() => api.post(`/api/club/${id}/enter`, { key }), ({ message }) => toast(message, 6000));
}

/** The form for a name and a PIN. @param {string} id */
export function prepareEnterForm(id) {
  const form = byId('enter-form', HTMLFormElement), problem = byId('enter-problem');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    showText(problem, '');
    const body = {
      name: $('[name=name]', HTMLInputElement, form).value.trim(), pin: $('[name=pin]', HTMLInputElement,
        form).value,
    };
    const isIn = await tryAction(() => api.post(`/api/club/${id}/enter`, body),
      ({ message }) => showText(problem, message));
    if (isIn) location.reload();
  });
  return form;
}
