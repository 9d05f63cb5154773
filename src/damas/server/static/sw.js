/**
 * Keeps the shell, the rules, the lessons and the puzzles of rulebooks that were opened for when there is no network. Games and everything under /api that is
 * somebody's are never kept: what is played is true only as the server has it. Nor is a page kept as its reader saw it,
 * with a name on it: it is asked for once more as somebody unknown would see it, so that nothing is left to the next
 * person at this machine.
 */

const STORE = 'damas-2';
const FRESH_MS = 3_600_000; // a page that was kept so lately is not asked for again
const PAGES = /^\/($|rules|lens|learn|endings|puzzles)/;
const FILES = /^\/(api|game\/export)\//;
const OFFLINE = '/offline'; // in place of a page that was not kept

self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== STORE) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith('/static/') || url.pathname.startsWith('/words/') || isText(url)) {
    event.respondWith(newest(request));
  } else if (request.mode === 'navigate' && !FILES.test(url.pathname)) {
    event.respondWith(page(event, url));
  }
});

/** Rulebooks, lessons and whole sheets of puzzles: they change only with the server itself. @param {URL} url */
function isText(url) {
  return url.pathname === '/api/rulebooks' || url.pathname.startsWith('/api/rulebook/') || url.pathname.startsWith('/api/lessons')
    || /^\/api\/puzzles\/[^/]+\/all$/.test(url.pathname);
}

/** A page: the network's, while one for nobody is kept; without network that one, or word that there is none. @param {FetchEvent} event @param {URL} url */
async function page(event, url) {
  const store = await caches.open(STORE);
  try {
    const answer = await fetch(event.request);
    if (answer.ok && answer.type === 'basic' && answer.headers.has('content-language')) { // a picture or a file has none
      const wanted = [new URL(OFFLINE, url), ...(PAGES.test(url.pathname) ? [url] : [])];
      for (const each of wanted) event.waitUntil(keepForNobody(store, each, answer).catch(() => {}));
    }
    return answer;
  } catch (trouble) {
    const kept = await store.match(url.href, { ignoreVary: true }) ?? await store.match(url.href, { ignoreSearch: true, ignoreVary: true })
      ?? await store.match(OFFLINE, { ignoreVary: true });
    if (kept) return kept;
    throw trouble;
  }
}

/** In the language of the answer: without cookies the server would not know it. @param {Cache} store @param {URL} url @param {Response} answer */
async function keepForNobody(store, url, answer) {
  const language = answer.headers.get('content-language') ?? '';
  const kept = await store.match(url.href, { ignoreVary: true });
  const age = Date.now() - Date.parse(kept?.headers.get('date') ?? '');
  if (kept && age < FRESH_MS && kept.headers.get('content-language') === language) return;
  const asked = new URL(url);
  asked.searchParams.set('lang', language);
  const plain = await fetch(asked, { credentials: 'omit', headers: { Accept: 'text/html' } });
  if (plain.ok && plain.type === 'basic' && !plain.redirected) await store.put(url.href, plain);
}

/** The network's answer, which is then kept; without network the one that was kept. @param {Request} request */
async function newest(request) {
  const store = await caches.open(STORE);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === 'basic') await store.put(request, answer.clone());
    return answer;
  } catch (trouble) {
    const kept = await store.match(request, { ignoreVary: true }) ?? await store.match(request, { ignoreSearch: true, ignoreVary: true });
    if (kept) return kept;
    throw trouble;
  }
}
