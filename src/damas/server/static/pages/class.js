/** A class for its teacher: live boards, pupils, pairing, attention, homework, report. */

import { api, tryAction } from '../lib/api.js';
import { openDialog } from '../lib/dialog.js';
import { $, byId, h, showText } from '../lib/dom.js';
import { eventStream } from '../lib/event-stream.js';
import { listRulebooks } from '../lib/rulebooks.js';
import { t } from '../lib/words.js';
import { showBoards, tickClocks } from './class/boards.js';
import { prepareHomework } from './class/homework.js';
import { prepareOptions } from './class/options.js';
import { preparePins, showPins } from './class/pins.js';
import { preparePupils, showPupils } from './class/pupils.js';
import { showReport } from './class/report.js';

/** @import { ClassReportView, ClassView, PairedView, PastedView } from '../lib/messages.js' */

const RETRY_MS = 3000;
const CLOCK_MS = 250;
const id = $('#class').dataset.id ?? '';
const path = `/api/classes/${id}`;
const problem = byId('problem'), state = byId('state');
/** @type {ClassView | null} */
let view = null;
/** What pairing left to say. */
let remark = '';

/** Runs an action and shows why it is refused. @param {() => Promise<unknown>} action */
async function attempt(action) {
  showText(problem, '');
  const isDone = await tryAction(action, (error) => {
    showText(problem, error.message);
    problem.scrollIntoView({ block: 'nearest' });
  });
  return isDone;
}

/** @param {ClassView} shown */
function show(shown) {
  view = shown;
  $('#class-title').textContent = view.title;
  const playing = view.boards.filter(({ status }) => status === 'playing').length;
  const here = view.pupils.filter((pupil) => pupil.here).length;
  const words = view.held ? t('school.teacher.state_held')
    : t('school.teacher.state_on', { playing, here, n: view.pupils.length });
  state.textContent = [words, remark].filter(Boolean).join(' ');
  state.classList.toggle('notice-bad', view.held);
  byId('start').hidden = !view.held;
  byId('eyes').hidden = Boolean(view.notice);
  $('#start-words').textContent = t(`school.teacher.${view.notice ? 'resume' : 'start'}`);
  byId('stop', HTMLButtonElement).disabled = playing === 0;
  showBoards(view.boards);
  showPupils(view);
}

async function follow() {
  for (;;) {
    await tryAction(async () => {
      for await (const shown of eventStream(`${path}/stream`, new AbortController().signal)) {
        show(shown);
        document.body.dataset.ready = 'class';
      }
    }, (error) => {
      if (error.status === 403) location.assign('/class');
      else showText(problem, error.message);
    });
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
}

async function refreshReport() {
  await attempt(async () => {
    /** @type {ClassReportView} */
    const report = await api.get(`${path}/report`);
    showReport(report);
    homework.show(report);
  });
}

/** Asks before what cannot be undone. @param {string} question @param {() => Promise<unknown>} action */
function ask(question, action) {
  const yes = h('button.button.button-bad', {
    testid: 'sure-yes',
    onclick: () => {
      dialog.close();
      void attempt(action);
    },
  }, t('school.teacher.yes'));
  const no = h('button.button.button-quiet', { onclick: () => dialog.close() }, t('school.teacher.no'));
  const dialog = openDialog('sure', question, h('div.toolbar', yes, no));
}

/** Whether pupils are being paired: a second tap pairs nobody. */
let isPairing = false;

/** @param {object} wanted */
async function pair(wanted) {
  if (isPairing) return;
  [isPairing, remark] = [true, ''];
  await attempt(async () => {
    /** @type {PairedView} */
    const paired = await api.post(`${path}/games`, wanted);
    remark = paired.left ? t('school.teacher.left', { name: paired.left }) : '';
    if (view) show(view);
  });
  isPairing = false;
}

byId('shuffle').addEventListener('click', () => pair({ shuffle: true }));
byId('start').addEventListener('click', () => attempt(() => api.post(`${path}/start`)));
byId('stop').addEventListener('click', () => ask(t('school.teacher.stop_sure'),
  () => api.post(`${path}/stop`)));
byId('eyes').addEventListener('click', () => {
  const input = h('input', { type: 'text', maxLength: 200, autocomplete: 'off', testid: 'eyes-message',
    'aria-label': t('school.teacher.message'), placeholder: t('school.teacher.message') });
  const form = h('form.stack', h('p', t('school.teacher.eyes_line')), input,
    h('button.button', { type: 'submit', testid: 'eyes-do' }, t('school.teacher.eyes')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close();
    void attempt(() => api.post(`${path}/hold`, { notice: input.value }));
  });
  const dialog = openDialog('eyes', t('school.teacher.eyes'), form);
});

const pasteForm = byId('paste-form', HTMLFormElement);
pasteForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt(async () => {
    /** @type {PastedView} */
    const { added, twice, unreadable } = await api.post(`${path}/pupils`,
      { text: byId('paste', HTMLTextAreaElement).value });
    showText(byId('pasted'), [
      t('school.teacher.added', { n: added.length }),
      twice.length && t('school.teacher.twice', { names: twice.join(', ') }),
      unreadable.length && t('school.teacher.unreadable', { lines: unreadable.join(', ') }),
    ].filter(Boolean).join(' '));
    if (added.length) pasteForm.reset();
    showPins(added);
    await refreshReport();
  });
});

preparePins(path, attempt, ask);
preparePupils(path, { attempt, ask, pair: (first, second) => pair({ pairs: [[first, second]] }) });
prepareOptions(path, attempt, ask);
const homework = prepareHomework(path, attempt, refreshReport);
byId('refresh').addEventListener('click', refreshReport);
setInterval(tickClocks, CLOCK_MS);
await listRulebooks();
void follow();
void refreshReport();
