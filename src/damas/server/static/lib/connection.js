/** Repeats what needs the server until the server answers, so that a lost connection loses nothing. */

import { ApiError } from './api.js';

const RETRY_MS = 3000;

/** Whether there was no answer, or one of a proxy whose server is away. @param {unknown} error */
export function isLost(error) {
  return error instanceof ApiError && (!error.status || [502, 503, 504].includes(error.status));
}

/**
 * The result of an action, repeated while the server cannot be reached; null once it is no longer wanted.
 * @template Result
 * @param {() => Promise<Result>} action
 * @param {{onLost: (isLost: boolean) => void, isWanted?: () => boolean}} options `onLost` hears when the
 *   connection is lost and when it is back
 * @returns {Promise<Result | null>}
 */
export async function untilAnswered(action, { onLost, isWanted = () => true }) {
  for (let wasLost = false; ; wasLost = true) {
    try {
      const result = await action();
      if (wasLost && isWanted()) onLost(false);
      return isWanted() ? result : null;
    } catch (error) {
      if (!isLost(error)) throw error;
      if (!isWanted()) return null;
      onLost(true);
      await connectionMayBeBack();
      if (!isWanted()) return null;
    }
  }
}

/** Resolves when the browser says that it is online again, or after a while. */
function connectionMayBeBack() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, RETRY_MS);
    window.addEventListener('online', () => {
      clearTimeout(timer);
      resolve(undefined);
    }, { once: true });
  });
}
