/** Sentences with places for facts. */

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
