/**
 * The service worker: caches static files, rules, lessons and the puzzles of opened rulebooks for use
 * offline. Games and personal data under /api are never cached: only the server knows their state. Pages are
 * cached as an anonymous visitor sees them, fetched a second time without cookies, so that the next person at
 * this device finds no names in the cache.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE_NAME = 'damas-2';
/** A page cached more recently than this is not fetched again. */
const PAGE_MAX_AGE_MS = 3_600_000;
const CACHED_PAGES = /^\/($|rules|lens|learn|endings|puzzles)/;
const CACHED_PREFIXES = ['/static/', '/words/', '/api/rulebook/', '/api/lessons'];
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
    event.respondWith(networkThenCache(request));
  } else if (request.mode === 'navigate' && !NOT_PAGES.test(url.pathname)) {
    event.respondWith(fetchPage(event, url));
  }
});

/** Static files, and API responses that change only with a new server version. @param {URL} url */
function isCachedFile({ pathname }) {
  return CACHED_PREFIXES.some((prefix) => pathname.startsWith(prefix))
    || pathname === '/api/rulebooks' || /^\/api\/puzzles\/[^/]+\/all$/.test(pathname);
}

/**
 * Responds with the page from the network and caches its anonymous version; offline, responds with the cached
 * page or the offline page.
 * @param {FetchEvent} event @param {URL} url
 */
async function fetchPage(event, url) {
  const cache = await caches.open(CACHE_NAME);
  try {
    const response = await fetch(event.request);
    const isPage = response.headers.has('content-language'); // pictures and files have none
    if (response.ok && response.type === 'basic' && isPage) {
      const language = response.headers.get('content-language') ?? '';
      const urls = [new URL(OFFLINE_PAGE, url), ...(CACHED_PAGES.test(url.pathname) ? [url] : [])];
      for (const each of urls) event.waitUntil(cacheAnonymousPage(cache, each, language).catch(() => {}));
    }
    return response;
  } catch (error) {
    const cached = await findCached(cache, url.href) ?? await cache.match(OFFLINE_PAGE, { ignoreVary: true });
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

/**
 * Responds from the network and caches the response; offline, responds from the cache.
 * @param {Request} request
 */
async function networkThenCache(request) {
  const cache = await caches.open(CACHE_NAME);
  try {
    const response = await fetch(request);
    if (response.ok && response.type === 'basic') await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const cached = await findCached(cache, request);
    if (cached) return cached;
    throw error;
  }
}

/**
 * The exact address, or else the same address with another query.
 * @param {Cache} cache @param {Request | string} request
 */
async function findCached(cache, request) {
  return await cache.match(request, { ignoreVary: true })
    ?? await cache.match(request, { ignoreSearch: true, ignoreVary: true });
}
