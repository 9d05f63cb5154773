/** A game of a class: its real names, which only the class is sent, and the teacher's call for attention. */

import { $, fill } from '../../lib/dom.js';
import { eventStream } from '../../lib/event-stream.js';
import { playSound } from '../../lib/sound.js';
import { heldContent } from '../class/held.js';
import { isOver, state } from './state.js';

/** @import { PupilView, Side } from '../../lib/messages.js' */

const RETRY_MS = 5000;
const { dataset } = $('#game');
/** @type {Partial<Record<Side, string>>} */
const names = { white: dataset.whiteName, black: dataset.blackName };
const isPupil = dataset.pupil !== undefined;
const place = $('#held');
let isHeld = false;
/** The teacher's words. */
let notice = '';

/** Whether there is a chat in this game. */
export const hasChat = dataset.chat !== 'off';

/** The real name of a player, for those who may know it. @param {Side} side */
export const realName = (side) => names[side];

/** Shows, or takes away, what a pupil sees while the teacher holds the boards. @param {boolean} held */
export function showHeld(held) {
  if (!isPupil) return;
  if (held && !isHeld) playSound('refused');
  isHeld = held;
  place.hidden = !held;
  if (held) fill(place, heldContent(notice));
}

/** Leads a pupil to the next game that the teacher starts. @param {string} game the one that is shown */
export async function followClass(game) {
  if (!isPupil) return;
  for (;;) {
    try {
      /** @type {AsyncGenerator<PupilView>} */
      const views = eventStream('/api/class/stream', new AbortController().signal);
      for await (const view of views) {
        notice = view.notice;
        showHeld(isHeld);
        const isNext = view.game && view.game !== game && (!state.view || isOver());
        if (isNext) location.assign(`/game/${view.game}`);
      }
    } catch { /* The game has its own words for a lost connection. */ }
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
}
