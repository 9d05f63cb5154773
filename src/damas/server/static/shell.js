/** What every page has around it: the menus of the header, the worker that keeps the shell for a day without network, and the way back from the page that says there is none. */

import { onPreferences, prefer } from './lib/preferences.js';
import './lib/theme.js';

const menus = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll('details.menu')]);

for (const menu of menus) {
  menu.addEventListener('toggle', () => {
    if (menu.open) for (const other of menus) if (other !== menu) other.open = false;
  });
}

document.addEventListener('click', (event) => {
  for (const menu of menus) if (menu.open && !menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  const open = menus.find((menu) => menu.open);
  if (event.key !== 'Escape' || !open) return;
  open.open = false;
  open.querySelector('summary')?.focus();
});

// On a phone the row of pages is wider than the window: where one is should be seen.
const here = document.querySelector('.site-nav-link[aria-current]');
const row = here?.closest('ul');
if (here && row) row.scrollLeft = here.getBoundingClientRect().right - row.getBoundingClientRect().right;

const choices = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('[data-theme-choice]')]);

for (const choice of choices) choice.addEventListener('click', () => prefer({ theme: choice.dataset.themeChoice }));

for (const menu of menus) {
  menu.addEventListener('click', (event) => {
    if (!(/** @type {Element} */ (event.target)).closest('.menu-item')) return;
    menu.open = false; // chosen: what it hid is to be seen
    menu.querySelector('summary')?.focus();
  });
}

onPreferences(({ theme }) => {
  for (const choice of choices) choice.setAttribute('aria-pressed', String(choice.dataset.themeChoice === theme));
});

if ('serviceWorker' in navigator) {
  // Only a page served securely, or from this very machine, may have one; elsewhere the site works without.
  window.addEventListener('load', () => navigator.serviceWorker.register('/sw.js').catch(() => {}));
}
