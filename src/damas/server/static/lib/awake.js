/** Keeps the screen on. Browsers allow it over HTTPS and at the device itself only. */

/** @type {WakeLockSentinel | null} */
let lock = null;
let isWanted = false;

/** @param {boolean} wanted */
export function keepAwake(wanted) {
  isWanted = wanted;
  void update();
}

/** Whether this browser can keep the screen on. */
export const canKeepAwake = () => 'wakeLock' in navigator;

// A browser takes the lock back when the page is hidden.
document.addEventListener('visibilitychange', () => void update());

async function update() {
  if (!canKeepAwake() || document.hidden) return;
  if (!isWanted) {
    const held = lock;
    lock = null;
    return held?.release();
  }
  if (lock && !lock.released) return;
  try {
    lock = await navigator.wakeLock.request('screen');
  } catch {
    lock = null; // a battery that is nearly empty, for example: the next touch asks again
  }
}
