/** A pupil's own page: the game that the teacher has started, homework, and the call for attention. */

import { api, tryAction } from '../lib/api.js';
import { $, byId, fill, h, icon, showText } from '../lib/dom.js';
import { eventStream } from '../lib/event-stream.js';
import { playSound } from '../lib/sound.js';
import { t } from '../lib/words.js';
import { dayWords, today } from './class/days.js';
import { heldContent } from './class/held.js';

/** @import { PupilView, TaskView } from '../lib/messages.js' */

const RETRY_MS = 3000;
const problem = byId('problem');
/** The game to which this page has led already. */
let openedGame = sessionStorage.getItem('class-game') ?? '';

/** @param {TaskView} task */
function taskAddress({ kind, lesson, rulebook }) {
  if (kind === 'lesson') return `/learn/${lesson}`;
  return kind === 'puzzles' ? `/puzzles?rulebook=${rulebook}` : '';
}

/** Starts the game of a task. @param {TaskView} task */
async function startGame({ rulebook, count }) {
  await tryAction(async () => {
    const opponent = { kind: 'level', level: count };
    location.assign((await api.post('/api/games', { rulebook, opponent, public: false })).url);
  }, (error) => showText(problem, error.message));
}

/** @param {TaskView} task */
function taskRow(task) {
  const isLate = !task.done && task.due < today();
  const due = t(isLate ? 'school.pupil.late' : 'school.pupil.due', { day: dayWords(task.due) });
  const address = taskAddress(task), words = t('school.pupil.open');
  const about = `${words}: ${task.title}`;
  const action = address ? h('a.button', { href: address, 'aria-label': about }, words)
    : h('button.button', { 'aria-label': about, onclick: () => startGame(task) }, words);
  const solved = task.solved && !task.done
    && t('school.pupil.solved', { n: task.solved, count: task.count });
  return h('li', { testid: `task-${task.kind}` }, h('span', task.title, h('br'),
    h('span.small.muted', [due, solved].filter(Boolean).join(' · '))),
  task.done ? h('span.tag.tag-blue', icon('check'), t('school.pupil.done')) : action);
}

/** @param {PupilView} view */
function show(view) {
  $('#hello').textContent = t('school.pupil.hello', { name: view.name });
  $('#class-title').textContent = view.title;
  $('#who').textContent = t('school.pupil.here', { name: view.name });
  showText($('#mates'), view.mates.join(', '));
  fill($('#tasks'), view.tasks.length ? view.tasks.map(taskRow) : h('li.muted', t('school.pupil.no_tasks')));
  const card = $('#game-card');
  if (view.game) {
    const words = t('school.pupil.game', { name: view.opponent || t('play.player.guest') });
    fill(card, h('h2', words), h('a.button.school-game', { href: `/game/${view.game}`, testid: 'to-game' },
      icon('play'), t('school.pupil.play')));
  } else fill(card, h('p', t('school.pupil.wait')));
  const isCalled = view.held && Boolean(view.notice);
  const held = $('#held');
  if (isCalled && held.hidden) playSound('refused');
  held.hidden = !isCalled;
  fill(held, isCalled ? heldContent(view.notice) : []);
  if (view.game && view.game !== openedGame) {
    openedGame = view.game;
    sessionStorage.setItem('class-game', view.game);
    location.assign(`/game/${view.game}`);
  }
}

async function follow() {
  for (;;) {
    await tryAction(async () => {
      for await (const view of eventStream('/api/class/stream', new AbortController().signal)) {
        showText(problem, '');
        show(view);
        document.body.dataset.ready = 'pupil';
      }
    }, (error) => {
      if (error.status === 401) location.assign('/class/enter');
      else showText(problem, error.message);
    });
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
}

byId('log-out').addEventListener('click', () => tryAction(async () => {
  await api.post('/api/class/logout');
  sessionStorage.clear();
  for (const name of ('caches' in window ? await caches.keys() : [])) await caches.delete(name);
  location.assign('/class/enter');
}, (error) => showText(problem, error.message)));

void follow();
