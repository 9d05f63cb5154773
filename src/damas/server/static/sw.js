/**
 * The service worker: caches static files, lessons, and the rules, examples and puzzles of opened rulebooks
 * for use offline. Games and personal data under /api are never cached: only the server knows their state.
 * Pages are cached as an anonymous visitor sees them, fetched a second time without cookies, so that the next
 * person at this device finds no names in the cache.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE_NAME = 'damas-4';
/** A page cached more recently than this is not fetched again. */
const PAGE_MAX_AGE_MS = 3_600_000;
const CACHED_PAGES = /^\/($|rules|lens|learn|glossary|endings|puzzles|local$)/;
const CACHED_PREFIXES = ['/static/', '/words/', '/api/rulebook/', '/api/examples/', '/api/lessons'];
const NOT_PAGES = /^\/(api|game\/export)\//;
/** Shown in place of a page that is not cached. */
const OFFLINE_PAGE = '/offline';

worker.addEventListener('install', (event) => {
  event.waitUntil(worker.skipWaiting());
});

worker.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== CACHE_NAME) await caches.delete(name);
    await worker.clients.claim();
  })());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (isCachedFile(url)) {
    const store = (/** @type {Cache} */ cache, /** @type {Response} */ response) =>
      cache.put(request, response.clone());
    event.respondWith(networkFirst(request, request.url, store));
  } else if (request.mode === 'navigate' && !NOT_PAGES.test(url.pathname)) {
    event.respondWith(fetchPage(event, url));
  }
});

worker.addEventListener('message', (event) => {
  const isPrepared = event.data.prepare ? prepareLocalGames(event.data) : cacheLoaded(event.data);
  event.waitUntil(isPrepared.catch(() => {}));
});

/**
 * Caches all that a game in this browser needs: the page, the core, its networks and every rulebook. Files
 * of one version come together or not at all: a connection lost meanwhile leaves the earlier version whole.
 * @param {{page: string, language: string}} loaded
 */
async function prepareLocalGames({ page, language }) {
  const cache = await caches.open(CACHE_NAME);
  const response = await fetch(`/words/local-files/${language}.json`);
  /** @type {{version: string, files: string[]}} */
  const { version, files } = await response.clone().json();
  const mark = new URL('/words/local-files.json', page).href;
  const before = await cache.match(mark);
  if (before && (await before.json()).version === version) return;
  await cache.addAll(files);
  await cache.delete(new URL('/local', page).href);
  for (const path of ['/local', '/offline', '/']) {
    await cacheAnonymousPage(cache, new URL(path, page), language);
  }
  await cache.put(mark, response);
}

/**
 * Caches a page that was loaded before this worker, and its files.
 * @param {{page: string, language: string, files: string[]}} loaded
 */
async function cacheLoaded({ page, language, files }) {
  const cache = await caches.open(CACHE_NAME);
  const urls = files.map((file) => new URL(file))
    .filter((url) => url.origin === location.origin && isCachedFile(url));
  await Promise.allSettled([
    ...urls.map(async ({ href }) => {
      if (!await cache.match(href, { ignoreVary: true })) await cache.add(href);
    }),
    ...pagesToCache(new URL(page)).map((each) => cacheAnonymousPage(cache, each, language)),
  ]);
}

/** The offline page, and a page itself where it may be cached. @param {URL} url */
function pagesToCache(url) {
  return [new URL(OFFLINE_PAGE, url), ...(CACHED_PAGES.test(url.pathname) ? [url] : [])];
}

/** Static files, and API responses that change only with a new server version. @param {URL} url */
function isCachedFile({ pathname }) {
  return CACHED_PREFIXES.some((prefix) => pathname.startsWith(prefix))
    || pathname === '/api/rulebooks' || /^\/api\/puzzles\/[^/]+\/sample$/.test(pathname);
}

/**
 * Responds with the page from the network and caches its anonymous version; offline, responds with the cached
 * page or the offline page.
 * @param {FetchEvent} event @param {URL} url
 */
function fetchPage(event, url) {
  return networkFirst(event.request, OFFLINE_PAGE, (cache, response) => {
    const language = response.headers.get('content-language');
    if (language === null) return; // pictures and files have none
    for (const each of pagesToCache(url)) {
      event.waitUntil(cacheAnonymousPage(cache, each, language).catch(() => {}));
    }
  });
}

/**
 * Responds from the network and has the response cached; offline, responds from the cache.
 * @param {Request} request @param {string} fallback address of what is shown instead, if it is cached
 * @param {(cache: Cache, response: Response) => Promise<void> | void} store
 */
async function networkFirst(request, fallback, store) {
  const cache = await caches.open(CACHE_NAME);
  try {
    const response = await fetch(request);
    if (response.ok && response.type === 'basic') await store(cache, response);
    return response;
  } catch (error) {
    // The exact address, or else the same address with another query.
    const cached = await cache.match(request.url, { ignoreVary: true })
      ?? await cache.match(request.url, { ignoreSearch: true, ignoreVary: true })
      ?? await cache.match(fallback, { ignoreVary: true });
    if (cached) return cached;
    throw error;
  }
}

/**
 * Language is sent in the query because the server would otherwise read it from a cookie.
 * @param {Cache} cache @param {URL} url @param {string} language
 */
async function cacheAnonymousPage(cache, url, language) {
  const cached = await cache.match(url.href, { ignoreVary: true });
  const age = Date.now() - Date.parse(cached?.headers.get('date') ?? '');
  if (cached && age < PAGE_MAX_AGE_MS && cached.headers.get('content-language') === language) return;
  const anonymousUrl = new URL(url);
  anonymousUrl.searchParams.set('lang', language);
  const response = await fetch(anonymousUrl, { credentials: 'omit', headers: { Accept: 'text/html' } });
  if (response.ok && response.type === 'basic' && !response.redirected) await cache.put(url.href, response);
}
