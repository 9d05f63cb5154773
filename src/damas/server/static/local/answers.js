/**
 * Answers requests that did not reach the server: the same views, from the core in this browser and what the
 * service worker keeps. `lib/api.js` imports this as a bundle of its own when the network fails.
 */

import { CoreWorker } from './core-worker.js';
import { ANALYSIS } from './answers/analysis.js';
import { DRILLS } from './answers/drills.js';
import { ENDINGS } from './answers/endings.js';
import { AnswerError } from './answers/errors.js';
import { LEARNING } from './answers/learning.js';
import { LENS } from './answers/lens.js';
import { RULES } from './answers/rules.js';
import { Sentences } from './sentences.js';

/** @import { ErrorBody } from '../lib/api.js' */
/** @import { Handlers, Tools } from './answers/handler.js' */
/** @import { LocalWordsView } from './messages.js' */

/** @type {Handlers} */
const HANDLERS = { ...RULES, ...LEARNING, ...DRILLS, ...ENDINGS, ...LENS, ...ANALYSIS };

/** The address of a pattern as an expression: each place is a group. @param {string} pattern */
function expressionOf(pattern) {
  return new RegExp(`^${pattern.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

const routes = Object.entries(HANDLERS).map(([pattern, handler]) =>
  /** @type {const} */ ([expressionOf(pattern), handler]));

/**
 * Answers a request; null where nothing here can.
 * @param {string} method @param {string} path @param {unknown} body @param {Tools} [tools]
 * @returns {Promise<{status: number, content?: unknown, error?: ErrorBody} | null>}
 */
export async function answer(method, path, body, tools = browserTools()) {
  const { pathname, searchParams: query } = new URL(path, 'https://damas.invalid');
  for (const [expression, handler] of routes) {
    const match = expression.exec(`${method} ${pathname}`);
    if (!match) continue;
    const parameters = Object.fromEntries(Object.entries(match.groups ?? {})
      .map(([name, text]) => [name, decodeURIComponent(text)]));
    try {
      return { status: 200, content: await handler({ parameters, query, body }, tools) };
    } catch (error) {
      if (error instanceof AnswerError) return { status: error.status, error: error.body };
      console.warn(error);
      return null;
    }
  }
  return null;
}

/** @type {Tools | null} */
let prepared = null;

/** The core, which is started when it is first needed, and the page's language. @returns {Tools} */
function browserTools() {
  prepared ??= toolsOf(document.documentElement.lang, new CoreWorker(), async (path) => {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} answers ${response.status}`);
    return response.json();
  });
  return prepared;
}

/**
 * @param {string} language @param {Pick<CoreWorker, 'ask'>} core @param {Tools['load']} load
 * @returns {Tools}
 */
export function toolsOf(language, core, load) {
  /** @type {Map<string, Promise<unknown>>} */
  const loaded = new Map();
  const loadOnce = (/** @type {string} */ path) => {
    const loading = loaded.get(path) ?? load(path);
    loaded.set(path, loading);
    loading.catch(() => loaded.delete(path));
    return loading;
  };
  return {
    language, core, load: loadOnce,
    async sentences(rulebook) {
      /** @type {LocalWordsView} */
      const words = await loadOnce(`/words/local/${language}.json`);
      /** @type {{squareNames: string[], moveNames: string[]}} */
      const { squareNames, moveNames } = await core.ask('names', { rulebook });
      const shown = Object.fromEntries(squareNames.map((name, square) => [name, moveNames[square]]));
      return new Sentences(words, rulebook, shown);
    },
  };
}
