// @ts-check
// One more thread of the core: a worker that sleeps until a search asks for it.

import { instanceOf } from "./instance.js";

/** @typedef {{module: WebAssembly.Module, memory: WebAssembly.Memory, thread: number, stack: number,
 *   storage: number}} ThreadStart */

const [STACK_POINTER, INITIALIZE] = ["__stack_pointer", "__wasm_init_tls"];
const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("message", (/** @type {MessageEvent<ThreadStart>} */ { data }) => {
  const { module, memory, thread, stack, storage } = data;
  const { exports } = instanceOf(module, { memory });
  exports[STACK_POINTER].value = stack;
  exports[INITIALIZE](storage);
  try {
    exports.help(thread);
  } catch (error) {
    exports.lose_helper(thread); // the search waits for it
    throw error;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  worker.postMessage({ ended: thread });
  worker.close();
}, { once: true });
