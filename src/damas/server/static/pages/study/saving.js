/**
 * Saves the chapter as it is changed, each change with the version it was made on. What is not saved yet is
 * kept in this browser; where somebody else has changed the chapter, nothing is overwritten.
 */

import { ApiError, isTemporary, messageOf, readResponse, request, WRITE_HEADERS } from '../../lib/api.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { chapterBody, chapterPath, study } from './state.js';

/** @import { ChapterBody } from '../../lib/messages.js' */

/**
 * @typedef {'saved' | 'saving' | 'unsaved' | 'conflict' | 'gone' | 'refused'} SavingState
 * @typedef {{version: number, body: ChapterBody}} Draft a chapter that is not saved, and what it was made of
 */

const DELAY_MS = 800, RETRY_MS = 5000;
/** A longer request cannot outlive its page. */
const MAX_KEPT_CHARACTERS = 60_000;
const MAX_UNDO = 200;

/** The chapter as it is now, as JSON. */
let current = '';
let sent = '';
/** What was sent and not answered: it may be stored, so it is sent once more before anything else. */
let unanswered = '';
let timer = 0;
let isPaused = false;
/** @type {Promise<void> | null} */
let sending = null;
/** Earlier and undone states of the chapter, as JSON. */
const past = /** @type {string[]} */ ([]), future = /** @type {string[]} */ ([]);

export const saving = {
  /** @type {SavingState} */
  state: 'saved',
  message: '',
  /** Called when the state has changed. */
  onChange: () => {},
  /** Shows an earlier state of the chapter. @type {(body: ChapterBody) => void} */
  onRestore: () => {},
  get canUndo() { return past.length > 0; },
  get canRedo() { return future.length > 0; },
  /** Whether something is not on the server. */
  get isDirty() { return current !== sent; },
};

/** @param {SavingState} next @param {string} [message] */
function setState(next, message = '') {
  saving.state = next;
  saving.message = message;
  saving.onChange();
}

const draftKey = (id = study.chapter.id) => `damas.study.${study.view.id}.${id}`;

/** What this browser has of a chapter and the server has not. @param {string} id @returns {Draft | null} */
export const draftOf = (id) => loadValue(draftKey(id));

/** Begins with the chapter on the board. @param {boolean} [isOther] another one than before */
export function begin(isOther = true) {
  window.clearTimeout(timer);
  current = sent = JSON.stringify(chapterBody());
  unanswered = '';
  if (isOther) past.length = future.length = 0;
  setState('saved');
}

/** Forgets what this browser has of the chapter. */
export const forgetDraft = () => storeValue(draftKey(), null);

/** While another tree is being put on the board, nothing there is a change. @param {boolean} isLoading */
export function setLoading(isLoading) {
  isPaused = isLoading;
}

/** Looks whether the chapter has changed, and saves it soon. */
export function noteChange() {
  if (!study.view.mine || isPaused) return;
  const now = JSON.stringify(chapterBody());
  if (now === current) return;
  past.push(current);
  if (past.length > MAX_UNDO) past.shift();
  future.length = 0;
  take(now);
}

/** @param {string} now */
function take(now) {
  current = now;
  /** @type {Draft} */
  const draft = { version: study.chapter.version, body: JSON.parse(now) };
  storeValue(draftKey(), draft);
  if (saving.state === 'conflict' || saving.state === 'gone') return saving.onChange();
  setState(saving.state === 'unsaved' ? 'unsaved' : 'saving');
  window.clearTimeout(timer);
  timer = window.setTimeout(send, DELAY_MS);
}

/** @param {string[]} from @param {string[]} to */
function step(from, to) {
  noteChange();
  const state = from.pop();
  if (state === undefined) return;
  to.push(current);
  take(state);
  saving.onRestore(JSON.parse(state));
}

export const undo = () => step(past, future);
export const redo = () => step(future, past);

/** Keeps what is on the board as a state to which one can go back. */
export const rememberState = () => past.push(current);

/** Saves what is not saved yet; afterwards the state says whether it was. */
export async function flush() {
  noteChange();
  window.clearTimeout(timer);
  if (sending) await sending;
  if (saving.isDirty) await send();
}

/** @returns {Promise<void>} */
async function send() {
  if (sending || !saving.isDirty || saving.state === 'conflict' || saving.state === 'gone') return;
  sending = put().finally(() => { sending = null; });
  await sending;
  if (saving.isDirty && saving.state === 'saving') timer = window.setTimeout(send, 0);
}

async function put() {
  const { chapter } = study, body = unanswered || current;
  window.clearTimeout(timer);
  unanswered = body;
  try {
    const { version } = await putChapter(chapter.id, { version: chapter.version, body: JSON.parse(body) });
    chapter.version = version;
    sent = body;
    unanswered = '';
    if (current === body) forgetDraft();
    else storeValue(draftKey(), { version, body: JSON.parse(current) });
    setState(current === body ? 'saved' : 'saving');
  } catch (error) {
    if (!isTemporary(error)) unanswered = '';
    if (error instanceof ApiError && error.code === 'STUDY_CHANGED') setState('conflict');
    else if (error instanceof ApiError && error.status === 404) setState('gone');
    else if (!isTemporary(error)) setState('refused', messageOf(error));
    else {
      setState('unsaved');
      timer = window.setTimeout(send, RETRY_MS);
    }
  }
}

/** @param {string} id @param {Draft} draft @returns {Promise<{version: number}>} */
async function putChapter(id, { version, body }) {
  const content = JSON.stringify({ ...body, version });
  return readResponse(await request(chapterPath(id), {
    method: 'PUT', body: content, keepalive: content.length < MAX_KEPT_CHARACTERS,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...WRITE_HEADERS },
  }));
}

/** Sends what this browser has kept of chapters that are not on the board; what is refused stays kept. */
export async function sendKept() {
  for (const { id } of study.view.chapters) {
    const draft = id === study.chapter.id ? null : draftOf(id);
    if (!draft) continue;
    try {
      const { version } = await putChapter(id, draft);
      storeValue(draftKey(id), null);
      const entry = study.view.chapters.find((each) => each.id === id);
      if (entry) entry.version = version;
    } catch { /* it is opened with the draft, and says what is wrong */ }
  }
}

window.addEventListener('online', () => {
  if (saving.state === 'unsaved') void send();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return;
  noteChange();
  void send();
});
