/** Small questions of the desk: a reason before something that needs one, and errors of what was done. */

import { messageOf } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { h, toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { act } from '../tournament/live.js';

/** What has been asked for and not been answered yet: a second click on the same asks for nothing more. */
const asked = new Set();

/**
 * Does something at the desk and says whether it was done; a refusal is shown as a message.
 * @param {string} id @param {string} action @param {Record<string, unknown>} [fields]
 */
export async function doAtDesk(id, action, fields) {
  const same = JSON.stringify([action, fields]);
  if (asked.has(same)) return false;
  asked.add(same);
  try {
    await act(id, action, fields, () => toast(t('club.unsaved')));
    return true;
  } catch (error) {
    toast(messageOf(error), 6000);
    return false;
  } finally {
    asked.delete(same);
  }
}

/**
 * Asks for a reason, and calls `go` with it; the dialog stays until that is done.
 * @param {string} title @param {(why: string) => Promise<boolean>} go
 * @param {...import('../../lib/dom.js').Child} more
 */
export function askWhy(title, go, ...more) {
  const input = h('input', { type: 'text', required: true, maxLength: 200, id: 'why', testid: 'why',
    autocomplete: 'off' });
  const form = h('form.stack', ...more,
    h('div.field', h('label', { htmlFor: 'why' }, t('club.why_needed')), input),
    h('div.toolbar', h('button.button', { type: 'submit', testid: 'why-do' }, title)));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await go(input.value.trim())) dialog.close();
  });
  const dialog = openDialog('why', title, form);
  (form.querySelector('select') ?? input).focus();
}
