/** Applies the chosen theme before the page is painted, so that it does not flash white; see `shell.js`. */
(() => {
  try {
    const { theme } = JSON.parse(localStorage.getItem('damas.preferences') ?? '{}');
    if (theme && theme !== 'system') document.documentElement.dataset.theme = theme;
  } catch { /* without storage the theme of the system is used */ }
})();
