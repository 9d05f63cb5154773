/** Errors of the play page, shown right below what was tapped. */

import { tryAction } from '../../lib/api.js';
import { $, showText } from '../../lib/dom.js';

const message = $('#play-trouble');
/** Whether the shown error is a lost connection. */
let isConnectionError = false;

/** Runs an action; whether it succeeded. @param {() => Promise<unknown>} action @param {Element} tapped */
export function attempt(action, tapped) {
  hide();
  return tryAction(action, (error) => {
    document.body.classList.remove('opening');
    tapped.after(message);
    isConnectionError = error.code === 'UNREACHABLE';
    showText(message, error.message);
    message.scrollIntoView({ block: 'nearest' });
  });
}

function hide() {
  showText(message, '');
  isConnectionError = false;
}

/** Hides an error about the connection, because the server has been reached. */
export function hideConnectionError() {
  if (isConnectionError) hide();
}

window.addEventListener('online', hideConnectionError);
