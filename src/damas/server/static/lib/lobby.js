/** The lobby: open invitations and games being played. */

/** @import { LobbyView } from './messages.js' */

/**
 * Calls `show` with the lobby now and after every change; pauses while the page is hidden.
 * @param {(lobby: LobbyView) => void} show
 */
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
