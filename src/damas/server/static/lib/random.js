/** A random name: 72 bits. @returns {string} */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_');
}

/** An index; one with a greater weight is likelier. @param {number[]} weights at least one, all positive */
export function randomIndex(weights) {
  let left = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => (left -= weight) < 0);
  return index < 0 ? weights.length - 1 : index;
}
