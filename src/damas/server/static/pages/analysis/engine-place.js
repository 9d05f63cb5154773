/** Where the engine of the analysis thinks: as the visitor prefers, on this device or on the server. */

import { ApiError } from '../../lib/api.js';
import { onPreferences, preference, setPreferences } from '../../lib/preferences.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { segmented } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { canRunCore } from '../../local/device-engine.js';

/** @typedef {'device' | 'server'} Place */

/** When a search on this device was too slow; the visitor may choose it all the same. */
const SLOW_KEY = 'damas.analysis.slow_ms';
/** So long a slow device leaves its searches to the server: perhaps it was only busy. */
const SLOW_FOR_MS = 86_400_000;
/** A device that searches fewer nodes a second is slow. */
const MIN_NODES_PER_SECOND = 20_000;

/** @type {Set<() => void>} */
const listeners = new Set();
/** Whether the core runs here, as far as this page knows. */
let isAble = canRunCore();

/** Where the engine thinks. @returns {Place} */
export function enginePlace() {
  if (!isAble) return 'server';
  const chosen = preference('engine');
  if (chosen !== 'auto') return chosen;
  return Date.now() - (loadValue(SLOW_KEY) ?? 0) < SLOW_FOR_MS ? 'server' : 'device';
}

/**
 * The function for the engine in use. The one for the server leaves its work to this device when the server
 * cannot be reached.
 * @template {unknown[]} Arguments, Result
 * @param {(...given: Arguments) => Promise<Result>} onDevice
 * @param {(...given: Arguments) => Promise<Result>} onServer
 * @returns {(...given: Arguments) => Promise<Result>}
 */
export function withEngine(onDevice, onServer) {
  if (enginePlace() === 'device') return onDevice;
  return (...given) => onServer(...given).catch((error) => {
    if (!isAble || !(error instanceof ApiError) || error.status !== 0) throw error;
    return onDevice(...given);
  });
}

/** @param {() => void} listener called when the place has changed */
export function onEnginePlace(listener) {
  listeners.add(listener);
}

function notify() {
  for (const input of choice.querySelectorAll('input')) input.checked = input.value === enginePlace();
  for (const listener of listeners) listener();
}

export const choice = segmented('engine-place', t('analysis.place'),
  /** @type {Place[]} */ (['device', 'server']).map((place) => [place, t(`analysis.place_${place}`)]),
  enginePlace(), (place) => setPreferences({ engine: place }));
choice.classList.add('small-segments');
choice.hidden = !isAble;

/** The first depths of a search are the measure. @param {number} nodesPerSecond */
export function judgeSpeed(nodesPerSecond) {
  if (nodesPerSecond >= MIN_NODES_PER_SECOND || preference('engine') !== 'auto') return;
  storeValue(SLOW_KEY, Date.now());
  notify();
}

/** The core could not be loaded: this page leaves its searches to the server. */
export function leaveToServer() {
  isAble = false;
  choice.hidden = true;
  notify();
}

let shown = preference('engine');
onPreferences(({ engine }) => {
  if (engine === shown) return;
  shown = engine;
  notify();
});
