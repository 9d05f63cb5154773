/**
 * A network that takes requests and never answers: bad reception, or a portal that wants a login first. A
 * request that has waited for long is compared with a small one (`/healthz`): where neither is answered, the
 * network is silent, and a request that stores nothing is given up. One that may have stored something never
 * is; while the network is known to be silent, such a request is not sent.
 */

const PROBE = '/healthz';
/**
 * In milliseconds. On slow mobile networks the first byte comes after two to four seconds.
 * - `slow`: a request that has waited so long is doubted
 * - `probe`: so long the small request may take
 * - `silent`: so long a request waits while the network is known to be silent; the service worker, which may
 *   have it, waits one second
 * - `late`: after so long without an answer the small request is sent again
 */
export const PATIENCE = { slow: 4000, probe: 5000, silent: 2000, late: 20_000 };

/** Whether the last small request was not answered in time, and nothing has been answered since. */
let isSilent = false;
/** The small request that is under way. @type {Promise<boolean> | null} */
let probe = null;

/** From now on requests wait briefly, until one is answered. */
function noteSilence() {
  isSilent = true;
  navigator.serviceWorker?.controller?.postMessage({ silent: true });
}

/**
 * What a promise is resolved with; null where that takes longer.
 * @template Value
 * @param {Promise<Value>} value @param {number} ms @returns {Promise<Value | null>}
 */
async function within(value, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, ms, null); });
  try {
    return /** @type {Value | null} */ (await Promise.race([value, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the server answers a small request, in the end: one is sent at a time. */
function probeNetwork() {
  probe ??= sendProbe().finally(() => { probe = null; });
  return probe;
}

async function sendProbe() {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), PATIENCE.late);
  try {
    await fetch(PROBE, { cache: 'no-store', signal: controller.signal });
    isSilent = false;
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The response to a request; null where it was given up, or not sent, since the network is silent.
 * @param {(signal: AbortSignal) => Promise<Response>} send
 * @param {{isQuery: boolean, signal?: AbortSignal}} options `isQuery`: it stores nothing
 * @returns {Promise<Response | null>}
 */
export async function responseTo(send, { isQuery, signal }) {
  if (isSilent && !isQuery && !await within(probeNetwork(), PATIENCE.silent)) return null;
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  try {
    const response = send(controller.signal);
    if (isQuery && await isUnanswered(response)) {
      controller.abort();
      response.catch(() => {}); // nobody waits for it any more
      return null;
    }
    const received = await response;
    isSilent = false;
    return received;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Whether neither this response nor that to a small request comes in time. A failed request is no silence.
 * @param {Promise<Response>} response
 */
async function isUnanswered(response) {
  const end = response.then(() => true, () => true);
  if (await within(end, isSilent ? PATIENCE.silent : PATIENCE.slow)) return false;
  const reached = Promise.race([end, probeNetwork()]);
  if (isSilent) return true; // the small request shows when the network is back, also where it is slow
  if (await within(reached, PATIENCE.probe)) return false;
  noteSilence();
  return true;
}

globalThis.navigator?.serviceWorker?.addEventListener('message', ({ data }) => {
  if (data?.silent) isSilent = true;
});
globalThis.addEventListener?.('online', () => { isSilent = false; });
