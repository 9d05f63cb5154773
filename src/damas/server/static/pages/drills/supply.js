/** Positions in which something must be captured, requested some at a time. */

import { api } from '../../lib/api.js';

/** @import { PositionView } from '../../lib/messages.js' */
/** @import { DrillPositions } from '../learning/messages.js' */

/** The next ones are requested when so few are left. */
const FEW = 5;
const MAX_SEED = 2 ** 16;

export class Supply {
  /** @type {PositionView[]} */
  #positions = [];
  /** @type {Promise<void> | null} */
  #loading = null;

  /** @param {string} rulebook */
  constructor(rulebook) {
    this.rulebook = rulebook;
  }

  /** Rejects with an `ApiError` where nobody answers. @returns {Promise<PositionView>} */
  async next() {
    if (this.#positions.length < FEW) this.#loading ??= this.#load().finally(() => { this.#loading = null; });
    if (!this.#positions.length) await this.#loading;
    else this.#loading?.catch(() => {}); // asked again with the next position
    const position = this.#positions.shift();
    if (!position) throw new Error(`no captures under ${this.rulebook}`);
    return position;
  }

  async #load() {
    const seed = Math.floor(Math.random() * MAX_SEED);
    /** @type {DrillPositions} */
    const { positions } = await api.get(`/api/drills/${this.rulebook}?seed=${seed}`);
    this.#positions.push(...positions);
  }
}
