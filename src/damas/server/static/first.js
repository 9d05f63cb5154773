/**
 * Before the page is painted: applies the chosen theme, so that nothing flashes white (`shell.js`), and says
 * how many games go on, so that the home page keeps room for their list (`lib/own-games.js`).
 */
(() => {
  try {
    const { theme } = JSON.parse(localStorage.getItem('damas.preferences') ?? '{}');
    if (theme && theme !== 'system') document.documentElement.dataset.theme = theme;
    const games = JSON.parse(localStorage.getItem('damas.own-games') ?? '[]').length;
    if (games) document.documentElement.dataset.ownGames = String(Math.min(games, 4));
  } catch { /* without storage the theme of the system is used */ }
})();
