/** How a browser becomes somebody in a tournament: by the key in a link, or by a PIN. */

import { api, tryAction } from '../../lib/api.js';
import { $, byId, showText, toast } from '../../lib/dom.js';

const KEY = /^#key=(.+)$/;

/** Opens the link by which this page was reached, if it has a key. @param {string} id */
export async function openLink(id) {
  const key = KEY.exec(location.hash)?.[1];
  if (!key) return;
  history.replaceState(null, '', location.pathname + location.search); // the key is in the cookie from now on
  await tryAction(() => api.post(`/api/club/${id}/enter`, { key }), ({ message }) => toast(message, 6000));
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
