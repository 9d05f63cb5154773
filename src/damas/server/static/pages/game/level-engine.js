/**
 * Computes the moves of the level against which the visitor plays, in a worker. The core is loaded when the
 * page is ready; until then, and where this device is too slow or may not, the server computes them.
 */

import { CoreWorker, kindFor } from '../../local/core-worker.js';
import { onPreferences, preference } from '../../lib/preferences.js';

/** @import { GameView, ThinkMessage } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */

/** A thought longer than this is broken off when nobody waits for it; a shorter one just ends. */
const LONG_THOUGHT_MS = 1000;
const MIN_MEMORY_GB = 1;
const IDLE_TIMEOUT_MS = 2000;
/** A first move that nobody plays loads all that the level needs. */
const FIRST_THOUGHT_S = 0.01;

/** Whether this device is worth asking. */
export function mayCompute() {
  const { connection, deviceMemory = MIN_MEMORY_GB } =
    /** @type {{connection?: {saveData?: boolean}, deviceMemory?: number}} */ (navigator);
  return preference('engine') !== 'server' && !connection?.saveData && deviceMemory >= MIN_MEMORY_GB
    && navigator.hardwareConcurrency > 1;
}

export class LevelEngine {
  /** @type {CoreWorker | null} */
  #core = null;
  /** The move that is being computed. @type {ThinkMessage | null} */
  #task = null;
  /** For which it is to be ready. @type {{rulebook: string, level: number} | null} */
  #wanted = null;

  /** @param {GameSocket} socket */
  constructor(socket) {
    this.socket = socket;
    let chosen = preference('engine');
    onPreferences(({ engine }) => {
      const isChanged = engine !== chosen;
      chosen = engine;
      if (this.#core && !mayCompute()) this.#giveUp('the server computes by choice');
      else if (isChanged && this.#wanted) void this.prepare(this.#wanted);
    });
  }

  /**
   * Loads the core and its network when the browser has nothing else to do.
   * @param {{rulebook: string, level: number}} wanted
   */
  async prepare({ rulebook, level }) {
    this.#wanted = { rulebook, level };
    if (this.#core || !mayCompute()) return;
    await new Promise((resolve) => {
      if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS });
      else setTimeout(resolve, IDLE_TIMEOUT_MS);
    });
    if (this.#core || !mayCompute()) return; // chosen meanwhile
    this.#core = new CoreWorker(kindFor(level));
    try {
      await this.#core.ask('choose', { rulebook, game: {}, level, seed: 0, movetime: FIRST_THOUGHT_S });
      this.socket.setComputing(true);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Computes a move and sends it. @param {ThinkMessage} task */
  async think(task) {
    const { rulebook, game, level, seed, movetime_ms: movetime, reply_ms: replyMs } = task;
    const startedAt = performance.now();
    this.#task = task;
    try {
      this.#core ??= new CoreWorker(kindFor(level));
      const limit = movetime === null ? {} : { movetime: movetime / 1000 };
      const move = await this.#core.ask('choose', { rulebook, game, level, seed, ...limit });
      const wait = replyMs - (performance.now() - startedAt);
      if (wait > 0) await new Promise((resolve) => { setTimeout(resolve, wait); });
      if (this.#task !== task) return;
      this.#task = null;
      this.socket.moveForLevel(task, move);
    } catch (error) {
      if (this.#task === task) this.#giveUp(error);
    }
  }

  /** The game has changed: a move for an earlier position is not wanted. @param {GameView} view */
  follow({ ply, outcome }) {
    const task = this.#task;
    if (!task || (ply === task.ply && !outcome)) return;
    this.#task = null;
    if (ply > task.ply) return this.#giveUp('the server was quicker');
    if ((task.movetime_ms ?? 0) < LONG_THOUGHT_MS) return;
    this.#core?.close();
    this.#core = null;
  }

  /** The server computes from now on. @param {unknown} reason */
  #giveUp(reason) {
    console.warn(reason);
    this.#core?.close();
    this.#core = null;
    this.socket.setComputing(false);
  }
}
