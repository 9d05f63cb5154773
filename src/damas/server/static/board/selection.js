/**
 * What a player can mean by the squares touched so far. Works on the legal moves the server sent; knows no rules.
 *
 * @typedef {{text: string, routes: number[][], captured: number[], promotes: boolean}} Legal
 * @typedef {{move: Legal, route: number[]}} Path
 */

/** Every route that begins with these squares. @param {Legal[]} legal @param {number[]} prefix @returns {Path[]} */
export function follow(legal, prefix) {
  const paths = [];
  for (const move of legal) {
    for (const route of move.routes) {
      if (prefix.every((square, i) => route[i] === square)) paths.push({ move, route });
    }
  }
  return paths;
}

/** One path for each different move. @param {Path[]} paths @returns {Path[]} */
export function different(paths) {
  const seen = new Set();
  return paths.filter(({ move }) => !seen.has(move) && seen.add(move));
}

/**
 * The squares that can be touched next, with the pieces a capture ending or passing there takes in all.
 * @param {Legal[]} legal @param {number[]} prefix
 * @returns {Map<number, {takes: number, ends: boolean}>}
 */
export function landings(legal, prefix) {
  const found = new Map();
  for (const { move, route } of follow(legal, prefix)) {
    const add = (/** @type {number} */ square, /** @type {boolean} */ ends) => {
      const known = found.get(square);
      found.set(square, { takes: Math.max(known?.takes ?? 0, move.captured.length), ends: ends || (known?.ends ?? false) });
    };
    if (route.length > prefix.length + 1) add(route[prefix.length], false);
    add(route[route.length - 1], true);
  }
  if (prefix.length === 1) found.delete(prefix[0]); // a round trip is completed by touching the piece again
  return found;
}

/**
 * @param {Legal[]} legal @param {number[]} prefix squares touched so far, the piece's own first @param {number} target
 * @param {{complete: boolean}} options complete: may the rest be filled in where only one move is left?
 * @returns {{kind: 'play', path: Path} | {kind: 'choose', paths: Path[]} | {kind: 'step', prefix: number[]} | {kind: 'illegal'}}
 */
export function touch(legal, prefix, target, { complete }) {
  const begun = follow(legal, prefix);
  const ending = begun.filter(({ route }) => route[route.length - 1] === target && route.length > prefix.length);
  const passing = begun.filter(({ route }) => route.length > prefix.length + 1 && route[prefix.length] === target && route[route.length - 1] !== target);
  const meant = different([...ending, ...passing]);
  if (!meant.length) return { kind: 'illegal' };
  if (!ending.length) {
    if (meant.length === 1 && complete) return { kind: 'play', path: meant[0] };
    return { kind: 'step', prefix: [...prefix, target] };
  }
  if (meant.length === 1) return { kind: 'play', path: meant[0] };
  return { kind: 'choose', paths: meant };
}

/** The only capture of a piece, if it has just one. @param {Legal[]} legal @param {number} square @returns {Path | null} */
export function onlyCapture(legal, square) {
  const paths = different(follow(legal, [square]));
  return paths.length === 1 && paths[0].move.captured.length ? paths[0] : null;
}

/** The only capture that ends on a square, whichever piece makes it. @param {Legal[]} legal @param {number} target @returns {Path | null} */
export function onlyCaptureTo(legal, target) {
  const paths = different(follow(legal, []).filter(({ move, route }) => move.captured.length && route[route.length - 1] === target));
  return paths.length === 1 ? paths[0] : null;
}

/** Squares of the pieces that may move. @param {Legal[]} legal @returns {Set<number>} */
export function origins(legal) {
  return new Set(legal.map((move) => move.routes[0][0]));
}
