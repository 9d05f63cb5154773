/** Who looks for a game and which games are played, while somebody looks. */

/** Calls with the lobby now and after every change; stops while the page is hidden. @param {(lobby: any) => void} show */
export function watchLobby(show) {
  /** @type {EventSource | null} */
  let stream = null;
  const open = () => {
    if (stream || document.hidden) return;
    stream = new EventSource('/api/lobby/stream');
    stream.addEventListener('lobby', (event) => show(JSON.parse(event.data)));
  };
  const close = () => {
    stream?.close();
    stream = null;
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  window.addEventListener('pagehide', close);
  window.addEventListener('pageshow', open);
  open();
}
