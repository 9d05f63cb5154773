/** Forms of studies in dialogs: their title and readers, and what is asked before something is deleted. */

import { api, messageOf } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { errorNotice, h, iconButton, segmented } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { StudyView } from '../../lib/messages.js' */

const VISIBILITIES = /** @type {const} */ (['private', 'link', 'public']);
const MAX_TITLE = 100;

/** A field for a title. @param {string} label @param {string} value @param {string} testid */
export function titleField(label, value, testid) {
  const input = h('input', { type: 'text', value, maxLength: MAX_TITLE, testid, autocomplete: 'off' });
  return { input, field: h('label.field', h('span.label', label), input) };
}

/** A group of fields under a label. @param {string} label @param {HTMLElement} content */
export const labelled = (label, content) => h('div.field', h('span.label', label), content);

/**
 * A dialog with a button that does something; an error is shown in it.
 * @param {string} name @param {string} title @param {string} button @param {HTMLElement[]} content
 * @param {() => Promise<unknown>} action
 */
export function openForm(name, title, button, content, action) {
  const problem = h('div', { testid: `${name}-problem` });
  const form = h('form.stack', {
    onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      problem.replaceChildren();
      try {
        await action();
        dialog.close();
      } catch (error) {
        problem.replaceChildren(errorNotice(messageOf(error)));
      }
    },
  }, ...content, problem,
  h('div.toolbar', h('button.button', { type: 'submit', testid: `${name}-go` }, button)));
  const dialog = openDialog(name, title, form);
  return dialog;
}

/** Title and readers of a study. @param {StudyView} view @param {() => Promise<unknown>} onDone */
export function openProperties({ id, title, visibility, version }, onDone) {
  const name = titleField(t('study.name'), title, 'study-name');
  let chosen = VISIBILITIES.find((each) => each === visibility) ?? 'private';
  const readers = segmented('visibility', t('study.visibility'),
    VISIBILITIES.map((each) => [each, t(`study.visibility_${each}`)]), chosen, (each) => { chosen = each; });
  readers.classList.add('study-choice');
  openForm('properties', t('study.properties'), t('study.save'),
    [name.field, labelled(t('study.visibility'), readers)], async () => {
      const change = { version, title: name.input.value, visibility: chosen };
      await api.post(`/api/studies/${id}`, change);
      await onDone();
    });
}

/** Asks before something is deleted. @param {string} question @param {() => Promise<unknown>} action */
export function confirmDelete(question, action) {
  const problem = h('div');
  const dialog = openDialog('confirm-delete', t('study.delete'), h('p', question), problem, h('div.toolbar',
    iconButton('delete-confirm', 'trash', t('study.delete_yes'), async () => {
      try {
        await action();
        dialog.close();
      } catch (error) {
        problem.replaceChildren(errorNotice(messageOf(error)));
      }
    }, 'button-bad'),
    h('button.button-quiet', { onclick: () => dialog.close() }, t('study.cancel'))));
}
