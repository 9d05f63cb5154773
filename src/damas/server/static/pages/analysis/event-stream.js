/** Server-sent events by `fetch`: unlike EventSource it says why it is refused, and ends with the server. */

import { connectionError, readResponse, request } from '../../lib/api.js';

const DATA_PREFIX = 'data: ';

/** @param {string} path @param {AbortSignal} signal @returns {AsyncGenerator<any>} any: callers declare it */
export async function* eventStream(path, signal) {
  const response = await request(path, { signal, headers: { Accept: 'text/event-stream' } });
  if (!response.ok || !response.body) return void await readResponse(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read()
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
