/**
 * Answers requests as a page does without a network, for `test_answers.py`: reads JSON with `files`
 * by language and `requests`, where `files` has what the service worker keeps, and writes the answers.
 */

import { readFileSync } from 'node:fs';

const { files, requests } = JSON.parse(readFileSync(0, 'utf8'));

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

const worker = '../../src/damas/server/static/local/worker.js'; // its types are those of a worker
await import(worker);
const { CoreWorker } = await import('../../src/damas/server/static/local/core-worker.js');
const { answer, toolsOf } = await import('../../src/damas/server/static/local/answers.js');

const core = new CoreWorker();
const tools = Object.fromEntries(Object.entries(files).map(([language, kept]) => [language,
  toolsOf(language, core, async (path) => {
    if (!(path in kept)) throw new Error(`not kept: ${path}`);
    return kept[path];
  })]));
const answers = [];
for (const { language, method, path, body } of requests) {
  answers.push(await answer(method, path, body, tools[language]));
}
process.stdout.write(JSON.stringify(answers));
