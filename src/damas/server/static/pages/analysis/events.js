/** Messages of the server as they come. Unlike EventSource it hears why it is refused, and ends when it is done. */

import { request, readResponse, connectionError } from '../../lib/api.js';

/** @param {string} path @param {AbortSignal} signal @returns {AsyncGenerator<any>} */
export async function* events(path, signal) {
  const answer = await request(path, { signal, headers: { Accept: 'text/event-stream' } });
  if (!answer.ok || !answer.body) return void await readResponse(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((trouble) => { throw signal.aborted ? trouble : connectionError(); });
      if (done) return;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        if (part.startsWith('data: ')) yield JSON.parse(part.slice(6));
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
