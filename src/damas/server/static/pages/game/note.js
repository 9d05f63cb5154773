/** The note beside the board: answers to requests, and which earlier position is shown. */

import { $ } from '../../lib/dom.js';

/** Whether the note answers a request, which is outdated once the game goes on. */
let isAnswer = false;

/** @param {string} text @param {{answer?: boolean}} [options] */
export function showNote(text, { answer = false } = {}) {
  isAnswer = answer;
  $('#note').textContent = text;
  $('#note').hidden = false;
}

export function hideNote() {
  isAnswer = false;
  $('#note').hidden = true;
}

export function hideAnswer() {
  if (isAnswer) hideNote();
}
