/** Values in the browser's storage; where it is not allowed, they last as long as the page. */

/**
 * A stored value, or null.
 * @param {string} key @param {'localStorage' | 'sessionStorage'} [area]
 * @returns {any} any: the caller knows what it stored
 */
export function loadValue(key, area = 'localStorage') {
  try {
    return JSON.parse(window[area].getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value @param {'localStorage' | 'sessionStorage'} [area] */
export function storeValue(key, value, area = 'localStorage') {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, JSON.stringify(value));
  } catch { /* it lasts as long as this page */ }
}
