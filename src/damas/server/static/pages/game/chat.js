/** The chat of players and viewers. Muting it is a stored preference. */

import { $, h } from '../../lib/dom.js';
import { onPreferences, preference, setPreferences } from '../../lib/preferences.js';
import { t } from '../../lib/words.js';

/** @import { ChatMessage } from '../../lib/messages.js' */

const MAX_LINES = 200;

export class Chat {
  #form = $('#chat-form', HTMLFormElement);
  #field = $('#chat-text', HTMLInputElement);
  #lines = $('#chat-lines');
  #empty = $('#chat-empty');
  #muteButton = $('#chat-mute', HTMLButtonElement);
  /** Lines shown: after a reconnection the server sends the old ones again. @type {Set<string>} */
  #shown = new Set();

  /** @param {{send: (text: string) => void, onUnread: () => void}} actions */
  constructor({ send, onUnread }) {
    this.onUnread = onUnread;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.#field.value.trim();
      if (!text) return;
      send(text);
      this.#field.value = '';
    });
    this.#muteButton.addEventListener('click', () => setPreferences({ chat: !preference('chat') }));
    onPreferences(({ chat }) => {
      this.#muteButton.textContent = t(chat ? 'play.mute' : 'play.unmute');
      this.#muteButton.setAttribute('aria-pressed', String(!chat));
      this.#lines.hidden = this.#form.hidden = !chat;
      this.#showEmpty();
    });
  }

  /** @param {ChatMessage} line */
  add(line) {
    const key = `${line.wall_ms} ${line.name} ${line.text}`;
    if (this.#shown.has(key)) return;
    this.#shown.add(key);
    const name = h('strong', null, line.name || t('play.player.guest'));
    this.#lines.append(h('li.chat-line', null, name, ' ', h('span', null, line.text)));
    while (this.#lines.children.length > MAX_LINES) this.#lines.firstChild?.remove();
    this.#lines.scrollTop = this.#lines.scrollHeight;
    this.#showEmpty();
    if (preference('chat')) this.onUnread();
  }

  #showEmpty() {
    this.#empty.textContent = preference('chat') ? t('play.no_chat') : t('play.muted');
    this.#empty.hidden = preference('chat') && this.#lines.children.length > 0;
  }
}
