/** What players and viewers say to each other. It can be muted, and stays muted. */

import { $, h } from '../../lib/dom.js';
import { onPreferences, prefer, preference } from '../../lib/preferences.js';
import { t } from '../../lib/words.js';

const MOST = 200;

export class Chat {
  /** @param {{say: (text: string) => void, unread: () => void}} page */
  constructor(page) {
    this.page = page;
    this.seen = new Set();
    $('#chat-form').addEventListener('submit', (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = $('#chat-text').value.trim();
      if (!text) return;
      this.page.say(text);
      $('#chat-text').value = '';
    });
    $('#chat-mute').addEventListener('click', () => prefer({ chat: !preference('chat') }));
    onPreferences(({ chat }) => {
      $('#chat-mute').textContent = t(chat ? 'play.mute' : 'play.unmute');
      $('#chat-mute').setAttribute('aria-pressed', String(!chat));
      $('#chat-lines').hidden = $('#chat-form').hidden = !chat;
      this.#empty();
    });
  }

  /** @param {any} line */
  add(line) {
    const key = `${line.wall_ms} ${line.name} ${line.text}`; // after a reconnection the old lines come again
    if (this.seen.has(key)) return;
    this.seen.add(key);
    const lines = $('#chat-lines');
    lines.append(h('li.chat-line', null, h('strong', null, line.name || t('play.player.guest')), ' ', h('span', null, line.text)));
    while (lines.children.length > MOST) lines.firstChild.remove();
    lines.scrollTop = lines.scrollHeight;
    this.#empty();
    if (preference('chat')) this.page.unread();
  }

  #empty() {
    const empty = $('#chat-empty');
    empty.textContent = preference('chat') ? t('play.no_chat') : t('play.muted');
    empty.hidden = preference('chat') && $('#chat-lines').children.length > 0;
  }
}
