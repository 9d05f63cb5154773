/** What the page knows of its game: the server's last word, and little else. */

export const now = {
  /** The last greeting, with the players as they are now. @type {any} */
  hello: null,
  /** The table as the server sent it last. @type {any} */
  view: null,
  /** @type {any} */
  book: null,
  /** white, black, both or viewer. */
  you: 'viewer',
  /** Whom the visitor put below by hand. @type {'white' | 'black' | null} */
  turned: null,
  /** The next game of the same two, once there is one. @type {string | null} */
  rematch: null,
  /** Who asked for it. */
  rematchBy: '',
  /** The squares of a capture that is being made jump by jump, so far. @type {number[]} */
  begun: [],
  calledOff: false,
  /** Why the server cannot store moves now. */
  paused: '',
};

/** Who sits below: one's own side, White for viewers. @returns {'white' | 'black'} */
export function below() {
  return now.turned ?? (now.you === 'black' ? 'black' : 'white');
}

export function isOver() {
  return Boolean(now.view.outcome) || now.calledOff;
}
