/** Server-sent events by `fetch`: unlike EventSource it says why it is refused, and ends with the server. */

import { connectionError, readResponse, request, WRITE_HEADERS } from './api.js';

const DATA_PREFIX = 'data: ';

/**
 * With a body the address is asked by POST: what it holds does not stand in addresses.
 * @param {string} path @param {AbortSignal} signal @param {object} [body]
 * @param {number} [maxSilenceMs] after so long without a byte the connection counts as lost
 * @returns {AsyncGenerator<any>} any: callers declare it
 */
export async function* eventStream(path, signal, body, maxSilenceMs) {
  const headers = { Accept: 'text/event-stream' };
  const response = await request(path, body ? { signal, method: 'POST', body: JSON.stringify(body),
    headers: { ...headers, ...WRITE_HEADERS, 'Content-Type': 'application/json' } } : { signal, headers });
  if (!response.ok || !response.body) return void await readResponse(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await inTime(reader.read(), maxSilenceMs)
        .catch((error) => { throw signal.aborted ? error : connectionError(); });
      if (done) return;
      const messages = (rest + value).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        if (message.startsWith(DATA_PREFIX)) yield JSON.parse(message.slice(DATA_PREFIX.length));
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @template Value
 * @param {Promise<Value>} value @param {number} [ms] @returns {Promise<Value>} fails if it takes longer
 */
async function inTime(value, ms) {
  if (ms === undefined) return value;
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('silent')), ms); });
  try {
    return /** @type {Value} */ (await Promise.race([value, late]));
  } finally {
    clearTimeout(timer);
  }
}
