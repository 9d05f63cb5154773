/** The options of a class: terms of its games, chat, the teachers' link, and the end of it. */

import { api } from '../../lib/api.js';
import { $, byId, fill, toast } from '../../lib/dom.js';
import { linkRow, publicUrl } from '../../lib/share.js';
import { t } from '../../lib/words.js';

/**
 * @param {string} path of the class @param {(action: () => Promise<unknown>) => Promise<boolean>} attempt
 * @param {(question: string, action: () => Promise<unknown>) => void} ask
 */
export function prepareOptions(path, attempt, ask) {
  const form = byId('options-form', HTMLFormElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const terms = Object.fromEntries(['title', 'rulebook', 'preset', 'time'].map((name) =>
      [name, data.get(name)]));
    void attempt(async () => {
      await api.post(path, { ...terms, chat: data.has('chat') });
      toast(t('school.options.saved'));
    });
  });

  const showLink = () => attempt(async () => {
    /** @type {{path: string}} */
    const link = await api.post(`${path}/link`);
    fill($('#link-place'), linkRow('arbiter', publicUrl(link.path), t('school.options.link'),
      t('school.options.copy'), t('school.options.copied')));
  });
  byId('show-link').addEventListener('click', showLink);
  byId('renew-link').addEventListener('click', () => ask(t('school.options.renew'), async () => {
    await api.delete(`${path}/link`);
    await showLink();
  }));
  byId('delete-all').addEventListener('click', () => ask(t('school.options.delete_line'), async () => {
    await api.delete(path);
    location.assign('/class');
  }));
}
