/** Errors of the play page, shown right below what was tapped. */

import { ApiError } from '../../lib/api.js';
import { $ } from '../../lib/dom.js';

const message = $('#play-trouble');
/** Whether the shown error is a lost connection. */
let isConnectionError = false;

/**
 * Runs an action; returns whether it succeeded.
 * @param {() => Promise<unknown>} action @param {Element} tapped
 */
export async function attempt(action, tapped) {
  hide();
  try {
    await action();
    return true;
  } catch (error) {
    document.body.classList.remove('opening');
    if (!(error instanceof ApiError)) throw error;
    tapped.after(message);
    isConnectionError = error.code === 'UNREACHABLE';
    message.textContent = error.message;
    message.hidden = false;
    message.scrollIntoView({ block: 'nearest' });
    return false;
  }
}

function hide() {
  message.hidden = true;
  message.textContent = '';
  isConnectionError = false;
}

/** Hides an error about the connection, because the server has been reached. */
export function hideConnectionError() {
  if (isConnectionError) hide();
}

window.addEventListener('online', hideConnectionError);
