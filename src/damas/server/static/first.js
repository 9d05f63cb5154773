/** Runs before the page is painted, so that nobody who chose the night sees a flash of day. `lib/theme.js` goes on from here. */
(() => {
  try {
    const { theme } = JSON.parse(localStorage.getItem('damas.preferences') ?? '{}');
    if (theme && theme !== 'system') document.documentElement.dataset.theme = theme;
  } catch { /* a browser that keeps nothing shows its own colours */ }
})();
