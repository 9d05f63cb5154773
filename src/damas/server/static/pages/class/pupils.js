/** The pupils of a class: two taps pair two of them; each can be renamed, get a new PIN, and be removed. */

import { api } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { $, fill, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { showPins } from './pins.js';

/** @import { ClassPupilView, ClassView, PinView } from '../../lib/messages.js' */

/**
 * @typedef {object} Actions
 * @property {(action: () => Promise<unknown>) => Promise<boolean>} attempt
 * @property {(question: string, action: () => Promise<unknown>) => void} ask
 * @property {(first: string, second: string) => Promise<void>} pair
 */

let path = '';
/** @type {Actions} */
let actions;
/** The pupil who was tapped first. */
let chosen = '';
/** @type {ClassView | null} */
let view = null;

/** @param {string} classPath @param {Actions} given */
export function preparePupils(classPath, given) {
  path = classPath;
  actions = given;
}

/** @param {ClassPupilView} pupil */
function choose({ id }) {
  if (chosen && chosen !== id) {
    const first = chosen;
    chosen = '';
    void actions.pair(first, id);
  } else chosen = chosen ? '' : id;
  if (view) showPupils(view);
}

/** @param {ClassPupilView} pupil */
function rename({ id, name }) {
  const input = h('input', { type: 'text', value: name, maxLength: 60, required: true, autocomplete: 'off',
    'aria-label': t('school.teacher.rename', { name }), testid: 'new-name' });
  const form = h('form.toolbar', input,
    h('button.button', { type: 'submit', testid: 'rename-do' }, t('school.teacher.save')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close();
    void actions.attempt(() => api.post(`${path}/pupils/${id}`, { name: input.value }));
  });
  const dialog = openDialog('rename', t('school.teacher.rename', { name }), form);
}

/** @param {ClassPupilView} pupil */
function renewPin({ id }) {
  return actions.attempt(async () => {
    /** @type {{pins: PinView[]}} */
    const { pins } = await api.post(`${path}/pins`, { pupils: [id] });
    showPins(pins);
  });
}

/**
 * @param {string} testid @param {string} name of its icon @param {string} label
 * @param {() => unknown} onclick
 */
function small(testid, name, label, onclick) {
  return h('button.button-quiet.button-icon', { testid, 'aria-label': label, title: label, onclick },
    icon(name));
}

/** @param {ClassPupilView} pupil */
function row(pupil) {
  const { id, number, name, here, game } = pupil;
  const presence = here ? 'here' : 'away', state = game ? 'plays' : presence;
  return h('li', { testid: `pupil-${number}` },
    h('button.button-quiet.school-choose', {
      testid: `choose-${number}`, 'aria-pressed': String(chosen === id), disabled: Boolean(game),
      onclick: () => choose(pupil),
    }, h('span.muted', number), h('span', name),
    h(`span.tag${state === 'away' ? '' : '.tag-blue'}`, { testid: `state-${number}` },
      t(`school.teacher.${state}`))),
    small(`rename-${number}`, 'edit', t('school.teacher.rename', { name }), () => rename(pupil)),
    small(`pin-${number}`, 'pin', t('school.teacher.new_pin', { name }), () => renewPin(pupil)),
    small(`remove-${number}`, 'trash', t('school.teacher.remove', { name }),
      () => actions.ask(t('school.teacher.remove_sure', { name }),
        () => api.delete(`${path}/pupils/${id}`))));
}

/** @param {ClassView} shown */
export function showPupils(shown) {
  view = shown;
  const first = view.pupils.find(({ id }) => id === chosen);
  if (!first || first.game) chosen = '';
  $('#pair-line').textContent = chosen && first ? t('school.teacher.chosen', { name: first.name })
    : t('school.teacher.pair_line');
  fill($('#pupils'), view.pupils.map(row));
}
