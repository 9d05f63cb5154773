/** What every page has: the menus of the header, the theme, and the service worker. */

import { $$ } from './lib/dom.js';
import { noteAccount } from './lib/account.js';
import { onPreferences, setPreferences } from './lib/preferences.js';
import { hasUnsent, UNSENT } from './lib/unsent.js';

/** @import { Preferences } from './lib/preferences.js' */

const menus = $$('details.menu', HTMLDetailsElement);

/** @param {HTMLDetailsElement} menu */
function closeMenu(menu) {
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

for (const menu of menus) {
  menu.addEventListener('toggle', () => {
    if (menu.open) for (const other of menus) if (other !== menu) other.open = false;
  });
  menu.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('.menu-item')) closeMenu(menu);
  });
}

document.addEventListener('click', ({ target }) => {
  for (const menu of menus) if (menu.open && !menu.contains(/** @type {Node} */ (target))) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  const open = menus.find((menu) => menu.open);
  if (event.key === 'Escape' && open) closeMenu(open);
});

// On a phone the row of pages is wider than the window: scroll to the current page.
const currentLink = document.querySelector('.site-nav-link[aria-current]');
const row = currentLink?.closest('ul');
if (currentLink && row) {
  row.scrollLeft = currentLink.getBoundingClientRect().right - row.getBoundingClientRect().right;
}

const themeButtons = $$('[data-theme-choice]', HTMLButtonElement);

for (const button of themeButtons) {
  const theme = /** @type {Preferences['theme']} */ (button.dataset.themeChoice);
  button.addEventListener('click', () => setPreferences({ theme }));
}

onPreferences(({ theme, boardTheme }) => {
  for (const button of themeButtons) {
    button.setAttribute('aria-pressed', String(button.dataset.themeChoice === theme));
  }
  const systemTheme = matchMedia('(prefers-contrast: more)').matches ? 'contrast' : '';
  const attributes = { theme: theme === 'system' ? systemTheme : theme, board: boardTheme };
  for (const [name, value] of Object.entries(attributes)) {
    if (value) document.documentElement.dataset[name] = value;
    else delete document.documentElement.dataset[name];
  }
});

/** What sends games and results that the server does not have yet: a bundle of its own. */
const SYNC = '/static/bundle/sync.js';

async function sendUnsent() {
  if (!hasUnsent() || !navigator.onLine) return;
  /** @type {typeof import('./local/sync.js')} */
  const { sync } = await import(SYNC);
  await sync();
}

// Shown by the offline page, which is in another language than its address asks for.
const asked = new URLSearchParams(location.search).get('lang');
if (asked && asked !== document.documentElement.lang) {
  document.getElementById('not-in-language')?.removeAttribute('hidden');
}

noteAccount();
for (const type of ['load', 'online', UNSENT, 'visibilitychange']) { // the last comes from the document
  window.addEventListener(type, () => { if (!document.hidden) sendUnsent().catch(() => {}); });
}

if ('serviceWorker' in navigator) {
  // Browsers allow one only over HTTPS or on localhost; elsewhere the site works without.
  window.addEventListener('load', () => registerWorker().catch(() => {}));
}

/** The page that brings the worker is loaded before it: what it loads is cached afterwards. */
async function registerWorker() {
  const workers = navigator.serviceWorker;
  const isFirst = !workers.controller;
  await workers.register('/sw.js');
  const { active } = await workers.ready;
  const connection = /** @type {{connection?: {saveData?: boolean}}} */ (navigator).connection;
  if (!connection?.saveData) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    active?.postMessage({ prepare: true, language: document.documentElement.lang });
  }
  if (!isFirst) return;
  new PerformanceObserver((list) => {
    const files = list.getEntries().map(({ name }) => name);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    active?.postMessage({ page: location.href, language: document.documentElement.lang, files });
  }).observe({ type: 'resource', buffered: true });
}
