/** Messages of the server as they come. Unlike EventSource it hears why it is refused, and ends when it is done. */

import { ApiProblem } from '../../lib/api.js';

/** @param {string} path @param {AbortSignal} signal @returns {AsyncGenerator<any>} */
export async function* events(path, signal) {
  const answer = await fetch(path, { signal, headers: { Accept: 'text/event-stream' }, credentials: 'same-origin' });
  if (!answer.ok || !answer.body) {
    const told = await answer.json().catch(() => null);
    throw new ApiProblem(answer.status, told?.error ?? { code: `HTTP_${answer.status}`, message: answer.statusText });
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
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
