/**
 * The words of the page, in the language of the page. One catalogue, read once; the shell says where it lies.
 * A missing key shows itself as the key: a test looks for those.
 */

export const lang = document.documentElement.lang || 'en';

/** @type {Record<string, any>} */
const words = await load();

async function load() {
  const link = /** @type {HTMLLinkElement|null} */ (document.querySelector('link[rel="words"]'));
  const answer = await fetch(link ? link.href : `/words/${lang}.json`);
  return answer.ok ? answer.json() : {};
}

/** Whether there is such a sentence. @param {string} key */
export function has(key) {
  return typeof find(key) === 'string';
}

/** @param {string} key */
function find(key) {
  if (typeof words[key] === 'string') return words[key];
  return key.split('.').reduce((/** @type {any} */ entry, part) => entry?.[part], words);
}

/**
 * The sentence for a key, filled in as the Python catalogue does: `{name}` with a fact, `{n:one|many}` with the word for it.
 * @param {string} key
 * @param {Record<string, unknown>} [facts]
 * @returns {string}
 */
export function t(key, facts = {}) {
  const sentence = find(key);
  return typeof sentence === 'string' ? fill(sentence, facts) : key;
}

/** @param {string} sentence @param {Record<string, unknown>} facts */
export function fill(sentence, facts) {
  return sentence.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
    if (!(name in facts)) return whole;
    if (one === undefined) return String(facts[name]);
    return Number(facts[name]) === 1 ? one : many;
  });
}

const plain = new Intl.NumberFormat(lang);

/** A number as people of this language write it. @param {number} value */
export function number(value) {
  return plain.format(value);
}
