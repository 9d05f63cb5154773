/**
 * The service worker: caches static files, lessons, and the rules, examples and puzzles of opened rulebooks
 * for use offline. Games and personal data under /api are never cached: only the server knows their state.
 * Pages are cached as an anonymous visitor sees them, fetched a second time without cookies, so that the next
 * person at this device finds no names in the cache.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE_NAME = 'damas-5';
/** Each language and version has a cache for what is needed without a network; a whole one has its list. */
const LOCAL_PREFIX = 'damas-local-';
/** Changes with what is kept beside the files of the list: an earlier worker may have kept its version. */
const LOCAL_LAYOUT = '3-';
const LOCAL_LIST = '/words/local-files.json';
/** Under this address stands the language of the last page that was shown. */
const LANGUAGE_CACHE = 'damas-language', LANGUAGE_KEY = '/language';
/** More pages than these are not cached: the oldest go. */
const MAX_PAGES = 60;
/** As many versions of a file may be cached before those that no cached page names are deleted. */
const MAX_VERSIONS = 2;
/** A page cached more recently than this is not fetched again. */
const PAGE_MAX_AGE_MS = 3_600_000;
const CACHED_PAGES = /^\/($|rules|lens|learn|glossary|endings|drills|puzzles|clock)/;
const CACHED_PREFIXES = ['/static/', '/words/', '/api/rulebook/', '/api/examples/', '/api/lessons'];
const NOT_PAGES = /^\/(api|game\/export|embed)\//;
const EMBEDDER_POLICY = 'Cross-Origin-Embedder-Policy';
/** Shown in place of a page that is not cached. */
const OFFLINE_PAGE = '/offline';
/**
 * So long a response is waited for if something is cached: usually (on slow mobile networks it begins after
 * two to four seconds; a server that answers a probe is slow, and waited for), once the network has been
 * silent, and at most. It is asked less often for files then.
 */
const PATIENCE_MS = 6000, PROBE_MS = 2000, SILENT_PATIENCE_MS = 1000, LATE_MS = 30_000;
const ASK_SILENT_NETWORK_MS = 10_000;
/** When a silent network was asked last; 0 where the last request was answered. */
let silentSince = 0;

worker.addEventListener('install', (event) => {
  event.waitUntil(worker.skipWaiting());
});

worker.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      const isOwn = [CACHE_NAME, LANGUAGE_CACHE].includes(name) || name.startsWith(LOCAL_PREFIX);
      if (!isOwn) await caches.delete(name);
    }
    await worker.clients.claim();
  })());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (isCachedFile(url)) {
    event.respondWith(networkFirst(event, null, (cache, response) => {
      event.waitUntil(storeFile(cache, request, response.clone()).catch(() => {}));
    }));
  } else if (request.mode === 'navigate' && !NOT_PAGES.test(url.pathname)) {
    event.respondWith(fetchPage(event, url));
  }
});

worker.addEventListener('message', (event) => {
  if (event.data.silent) return void (silentSince ||= Date.now());
  const isPrepared = event.data.prepare ? prepareLocally(event.data) : cacheLoaded(event.data);
  event.waitUntil(isPrepared.catch(() => {}));
});

/**
 * Caches all that is needed without a network: the core, its networks, every rulebook, lessons and puzzles,
 * and the pages. A version is used when all of it has come, and the earlier one of the language is deleted
 * then: a lost connection leaves that whole.
 * @param {{language: string}} loaded
 */
async function prepareLocally({ language }) {
  const response = await fetch(`/words/local-files/${language}.json`);
  if (!response.ok) return;
  /** @type {{version: string, files: string[], pages: string}} */
  const { version, files, pages } = await response.clone().json();
  const name = localPrefix(language) + version;
  const cache = await caches.open(name);
  if (!await cache.match(LOCAL_LIST)) {
    await cache.addAll(files);
    await cachePages(cache, await fetch(pages));
    await cache.put(LOCAL_LIST, response);
  }
  for (const other of await caches.keys()) {
    const isOld = other.startsWith(localPrefix(language))
      || !other.startsWith(LOCAL_PREFIX + LOCAL_LAYOUT);
    if (other.startsWith(LOCAL_PREFIX) && isOld && other !== name) await caches.delete(other);
  }
}

/** How the names of a language's caches begin. @param {string} language */
function localPrefix(language) {
  return `${LOCAL_PREFIX}${LOCAL_LAYOUT}${language}-`;
}

/** Remembers the language of the page that is shown. @param {string} language */
async function rememberLanguage(language) {
  const cache = await caches.open(LANGUAGE_CACHE);
  const known = await cache.match(LANGUAGE_KEY);
  if (await known?.text() !== language) await cache.put(LANGUAGE_KEY, new Response(language));
}

/**
 * Caches pages that came together, as anonymous visitors see them, under the headers of their response.
 * @param {Cache} cache @param {Response} response
 */
async function cachePages(cache, response) {
  if (!response.ok) throw new Error(`no pages: ${response.status}`);
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name);
  headers.set('content-type', 'text/html; charset=utf-8');
  /** @type {Record<string, string>} */
  const pages = await response.json();
  for (const [path, html] of Object.entries(pages)) await cache.put(path, new Response(html, { headers }));
}

/**
 * The cache of a whole version, if there is one: of a language; or of that of the last page, or another.
 * @param {string | null} [chosen]
 */
async function localCache(chosen = null) {
  const language = chosen ?? await (await caches.match(LANGUAGE_KEY))?.text() ?? '';
  const names = (await caches.keys()).filter((name) => name.startsWith(LOCAL_PREFIX));
  const own = names.filter((name) => name.startsWith(localPrefix(language)));
  for (const name of chosen === null ? [...own, ...names] : own) {
    const cache = await caches.open(name);
    if (await cache.match(LOCAL_LIST)) return cache;
  }
  return null;
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
  return networkFirst(event, OFFLINE_PAGE, (cache, response) => {
    const language = response.headers.get('content-language');
    if (language === null) return; // pictures and files have none
    event.waitUntil(rememberLanguage(language).catch(() => {}));
    for (const each of pagesToCache(url)) {
      event.waitUntil(cacheAnonymousPage(cache, each, language).catch(() => {}));
    }
  });
}

/**
 * Whether a proxy has answered because its server is away; what comes from the server always has the header.
 * @param {Response} response
 */
function isFromProxy({ status, headers }) {
  return [502, 503, 504].includes(status) && !headers.has(EMBEDDER_POLICY);
}

/**
 * Responds from the network and has the response cached; where the server is not reached, or not heard of for
 * some time, from the cache.
 * @param {FetchEvent} event @param {string | null} fallback address of what is shown instead, if it is cached
 * @param {(cache: Cache, response: Response) => void} store
 */
async function networkFirst(event, fallback, store) {
  const { request } = event;
  const isPage = request.mode === 'navigate';
  const isAsked = !isPage && Date.now() - silentSince < ASK_SILENT_NETWORK_MS;
  const early = isAsked && await findInSilence(event, null);
  if (early) return early;
  const patience = silentSince ? SILENT_PATIENCE_MS : PATIENCE_MS;
  const arriving = fetchAndStore(request, store);
  event.waitUntil(within(arriving, LATE_MS)); // a late response is cached all the same
  for (const instead of isPage ? [null, null, fallback] : [null]) { // a page that is not cached has more time
    const isHeard = await within(arriving, patience) || await isServerSlow();
    const cached = isHeard ? null : await findInSilence(event, instead);
    if (cached) return cached;
  }
  const response = await arriving;
  const isLost = 'error' in response;
  if (isLost || isFromProxy(response)) {
    const cached = await (isPage ? findPage : findCached)(request.url, fallback).catch(() => null);
    if (cached) return cached;
  }
  if (isLost) throw response.error;
  return response;
}

/**
 * What is cached while the network is silent, which the page hears: of versioned files, this very version.
 * @param {FetchEvent} event @param {string | null} fallback
 */
async function findInSilence({ request: { mode, url }, clientId }, fallback) {
  const find = mode === 'navigate' ? findPage : findCached;
  const cached = await (isVersioned(url) ? findStored(url) : find(url, fallback)).catch(() => null);
  if (!cached) return null;
  silentSince ||= Date.now();
  (await worker.clients.get(clientId))?.postMessage({ silent: true });
  return cached;
}

/**
 * The response of the network, which is cached when it comes, or what kept it from coming.
 * @param {Request} request @param {(cache: Cache, response: Response) => void} store
 */
async function fetchAndStore(request, store) {
  if (silentSince) silentSince = Date.now();
  const response = await fetch(request).catch((/** @type {unknown} */ error) => ({ error }));
  if ('error' in response) return response;
  silentSince = 0;
  if (response.ok && response.type === 'basic') {
    // Where nothing can be cached, for want of space or of permission, the page is shown all the same.
    const cache = await caches.open(CACHE_NAME).catch(() => null);
    if (cache) store(cache, response);
  }
  return response;
}

/** Whether a small request is answered, or refused, where a larger one is late. */
async function isServerSlow() {
  const end = () => true;
  return silentSince ? false : within(fetch('/healthz', { cache: 'no-store' }).then(end, end), PROBE_MS);
}

/** @template T @param {Promise<T>} value null if late @param {number} ms @returns {Promise<T | null>} */
function within(value, ms) {
  return Promise.race([value, new Promise((resolve) => { setTimeout(resolve, ms, null); })]);
}

/**
 * What is cached under an address. What belongs to one version of the games without a network comes first: it
 * fits together.
 * @param {string} url @param {boolean} [ignoreSearch]
 */
async function findStored(url, ignoreSearch = false) {
  for (const cache of [await localCache(), await caches.open(CACHE_NAME)]) {
    const cached = await cache?.match(url, { ignoreSearch, ignoreVary: true });
    if (cached) return isolated(cached);
  }
  return null;
}

/** The address, with another query, or the fallback. @param {string} url @param {string | null} fallback */
async function findCached(url, fallback) {
  return await findStored(url) ?? await findStored(url, true) ?? (fallback && findStored(fallback));
}

/**
 * A page in the language that its address asks for, which is then that of the pages after it; or in that of
 * the last page. Where the language is not kept, the offline page says so.
 * @param {string} url @param {string | null} fallback
 */
async function findPage(url, fallback) {
  const language = new URL(url).searchParams.get('lang');
  if (!language) return findCached(url, fallback);
  const exact = await (await caches.open(CACHE_NAME)).match(url, { ignoreVary: true });
  const local = await localCache(language);
  if (local) await rememberLanguage(language);
  const cached = await local?.match(url, { ignoreSearch: true, ignoreVary: true }) ?? exact;
  if (cached) return isolated(cached);
  return fallback && findCached(fallback, null);
}

/**
 * A response that an earlier version of the server sent, as today's pages need it: they are isolated, and
 * start only workers that are.
 * @param {Response} cached
 */
function isolated(cached) {
  if (cached.headers.has(EMBEDDER_POLICY)) return cached;
  const headers = new Headers(cached.headers);
  headers.set(EMBEDDER_POLICY, 'require-corp');
  return new Response(cached.body, { status: cached.status, headers });
}

/** Unless a local cache has it. @param {Cache} cache @param {Request} request @param {Response} response */
async function storeFile(cache, request, response) {
  if (await (await localCache())?.match(request.url, { ignoreVary: true })) return;
  await cache.put(request, response);
  const versions = await cache.keys(request.url, { ignoreSearch: true, ignoreVary: true });
  if (isVersioned(request.url) && versions.length > MAX_VERSIONS) await deleteUnusedVersions(cache);
}

/** Whether an address names the content of a file. @param {string} url */
function isVersioned(url) {
  return new URL(url).searchParams.has('v');
}

/** Deletes versioned files that no cached page names, but for the newest of each. @param {Cache} cache */
async function deleteUnusedVersions(cache) {
  const keys = await cache.keys();
  const texts = await Promise.all(keys.filter(({ url }) => !isCachedFile(new URL(url)))
    .map(async ({ url }) => (await cache.match(url, { ignoreVary: true }))?.text()));
  const newest = new Map(keys.map(({ url }) => [new URL(url).pathname, url]));
  for (const { url } of keys) {
    const { pathname, search } = new URL(url);
    const isNamed = newest.get(pathname) === url || texts.some((text) => text?.includes(pathname + search));
    if (isVersioned(url) && !isNamed) await cache.delete(url, { ignoreVary: true });
  }
}

/** @param {Cache} cache @param {URL} url @param {string} language */
async function cacheAnonymousPage(cache, url, language) {
  const cached = await cache.match(url.href, { ignoreVary: true });
  const age = Date.now() - Date.parse(cached?.headers.get('date') ?? '');
  if (cached && age < PAGE_MAX_AGE_MS && cached.headers.get('content-language') === language) return;
  await cache.put(url.href, await fetchAnonymousPage(url, language));
  const pages = (await cache.keys()).filter(({ url: each }) => !isCachedFile(new URL(each)));
  for (const { url: oldest } of pages.slice(0, -MAX_PAGES)) await cache.delete(oldest, { ignoreVary: true });
}

/** The query, not a cookie, names the language. @param {URL} url @param {string} language */
async function fetchAnonymousPage(url, language) {
  const anonymousUrl = new URL(url);
  anonymousUrl.searchParams.set('lang', language);
  const response = await fetch(anonymousUrl, { credentials: 'omit', headers: { Accept: 'text/html' } });
  if (!response.ok || response.type !== 'basic' || response.redirected) throw new Error(`no page: ${url}`);
  return response;
}
