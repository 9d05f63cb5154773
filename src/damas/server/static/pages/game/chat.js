/**
 * The chat: the players and the arbiter have a room of their own, and viewers have another.
 * Muting it is a stored preference.
 */

import { $, h } from '../../lib/dom.js';
import { onPreferences, preference, setPreferences } from '../../lib/preferences.js';
import { t } from '../../lib/words.js';

/** @import { ChatMessage } from '../../lib/messages.js' */

const MAX_LINES = 200;

const form = $('#chat-form', HTMLFormElement);
const list = $('#chat-lines');
const muteButton = $('#chat-mute', HTMLButtonElement);
/** Lines shown: after a reconnection the server sends the old ones again. @type {Set<string>} */
const shown = new Set();

/** @param {(text: string) => void} send */
export function prepareChat(send) {
  const field = $('#chat-text', HTMLInputElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text) send(text);
    field.value = '';
  });
  muteButton.addEventListener('click', () => setPreferences({ chat: !preference('chat') }));
  $('#chat').addEventListener('pointerdown', () => $('#game').classList.remove('unread'));
  onPreferences(({ chat }) => {
    muteButton.textContent = t(chat ? 'play.mute' : 'play.unmute');
    muteButton.setAttribute('aria-pressed', String(!chat));
    list.hidden = form.hidden = !chat;
    showEmpty();
  });
}

/** Says whose room it is, for somebody who only watches. @param {boolean} viewer */
export function showChatRoom(viewer) {
  $('#chat-room').hidden = !viewer;
}

/** @param {ChatMessage} line @param {boolean} viewer whether the reader only watches */
export function addChatLine(line, viewer) {
  const key = `${line.wall_ms} ${line.name} ${line.text}`;
  if (shown.has(key)) return;
  shown.add(key);
  const name = h('strong', line.name || t('play.player.guest'));
  const other = line.room === 'viewers' && !viewer && h('span.muted', `(${t('play.chat_watching')}) `);
  list.append(h('li.chat-line', name, ' ', other || '', h('span', line.text)));
  while (list.children.length > MAX_LINES) list.firstChild?.remove();
  list.scrollTop = list.scrollHeight;
  showEmpty();
  if (preference('chat')) $('#game').classList.add('unread');
}

function showEmpty() {
  $('#chat-empty').textContent = preference('chat') ? t('play.no_chat') : t('play.muted');
  $('#chat-empty').hidden = preference('chat') && list.children.length > 0;
}
