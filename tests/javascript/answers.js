/**
 * Answers requests as a page does without a network, for `test_answers.py`: reads `{language, files, requests}`
 * and writes the answers, both as JSON. `files` has what the service worker would keep.
 */

import { readFileSync } from 'node:fs';

const { language, files, requests } = JSON.parse(readFileSync(0, 'utf8'));

/** @typedef {{data: {n: number, answer?: unknown, error?: unknown}}} Reply */

const toWorker = new EventTarget(), toPage = new EventTarget();

/** The real worker, in this thread. */
class WorkerHere {
  /** @param {string} type @param {(event: Reply) => void} listener */
  addEventListener(type, listener) {
    toPage.addEventListener(type, /** @type {EventListener} */ (/** @type {unknown} */ (listener)));
  }

  /** @param {unknown} data */
  postMessage(data) {
    toWorker.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
  }
}

Object.assign(globalThis, { Worker: WorkerHere, self: Object.assign(toWorker, {
  /** @param {unknown} data */
  postMessage(data) { toPage.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) })); },
}) });

await import('../../src/damas/server/static/local/worker.js');
const { CoreWorker } = await import('../../src/damas/server/static/local/core-worker.js');
const { answer, toolsOf } = await import('../../src/damas/server/static/local/answers.js');

const tools = toolsOf(language, new CoreWorker(), async (path) => {
  if (!(path in files)) throw new Error(`not kept: ${path}`);
  return files[path];
});
const answers = [];
for (const { method, path, body } of requests) answers.push(await answer(method, path, body, tools));
process.stdout.write(JSON.stringify(answers));
