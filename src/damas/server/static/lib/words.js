/**
 * The texts of the page in its language, from one catalogue that is loaded once. A missing key is shown as
 * the key itself, which a test looks for.
 */

export const lang = document.documentElement.lang || 'en';

/** @typedef {{[key: string]: string | Catalogue}} Catalogue nested by the dots of the keys */

/** @type {Catalogue} */
const catalogue = await load();

/** @returns {Promise<Catalogue>} */
async function load() {
  const link = document.querySelector('link[rel="words"]');
  const response = await fetch(link instanceof HTMLLinkElement ? link.href : `/words/${lang}.json`);
  return response.ok ? response.json() : {};
}

/** @param {string} key @returns {string | null} */
function find(key) {
  if (typeof catalogue[key] === 'string') return catalogue[key];
  /** @type {string | Catalogue | undefined} */
  let entry = catalogue;
  for (const part of key.split('.')) entry = typeof entry === 'object' ? entry[part] : undefined;
  return typeof entry === 'string' ? entry : null;
}

/** Whether the catalogue has a text. @param {string} key */
export function has(key) {
  return find(key) !== null;
}

/**
 * The text of a key with its facts filled in.
 * @param {string} key @param {Record<string, unknown>} [facts] @returns {string}
 */
export function t(key, facts = {}) {
  const sentence = find(key);
  return sentence === null ? key : fill(sentence, facts);
}

/**
 * Replaces `{name}` by a fact and `{n:one|many}` by the word for the number, as the Python catalogue does.
 * @param {string} sentence @param {Record<string, unknown>} facts
 */
export function fill(sentence, facts) {
  return sentence.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
    if (!(name in facts)) return whole;
    if (one === undefined) return String(facts[name]);
    return Number(facts[name]) === 1 ? one : many;
  });
}

const numberFormat = new Intl.NumberFormat(lang);

/** A number in the format of the language. @param {number} value */
export function number(value) {
  return numberFormat.format(value);
}
