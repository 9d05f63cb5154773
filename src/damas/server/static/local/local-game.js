/**
 * A game that is played in this browser alone: the same messages as `GameSocket`, from a table in a worker
 * and the browser's database. Whatever happens is stored before it is shown.
 */

import { answerLocally } from '../lib/api.js';
import { rulebook } from '../lib/rulebooks.js';
import { lang, t } from '../lib/words.js';
import { CoreWorker, kindFor } from './core-worker.js';
import { ChangedElsewhere, loadGame, OtherAccount, StorageError, storeGame } from './store.js';

/** @import { CommandMessage, CommandName, GameView, RefusalView } from '../lib/messages.js' */
/** @import { RulebookView, Side } from '../lib/messages.js' */
/** @import { LocalTrouble, SocketListener } from '../lib/socket.js' */
/** @import { LocalGameRecord } from './records.js' */
/** @import { Applied } from './table/session.js' */

/**
 * What a command needs.
 * @typedef {Partial<Omit<CommandMessage & {t: 'act'}, 't' | 'id' | 'last_seq' | 'do'>>} CommandFacts
 */

/** @param {Side} side @returns {Side} */
const other = (side) => (side === 'white' ? 'black' : 'white');

/** @param {unknown} error @returns {LocalTrouble} */
function stateAfter(error) {
  if (error instanceof OtherAccount) return 'other_account';
  return error instanceof StorageError ? 'not_kept' : 'failed';
}

export class LocalGame {
  #core = new CoreWorker();
  // These are set by `start`.
  #record = /** @type {LocalGameRecord} */ (/** @type {unknown} */ (null));
  #view = /** @type {GameView} */ (/** @type {unknown} */ (null));
  #book = /** @type {RulebookView} */ (/** @type {unknown} */ (null));
  /** @type {string[]} */
  #moveNames = [];
  /** One thing after the other. @type {Promise<void>} */
  #queue = Promise.resolve();
  #flagTimer = 0;
  #seq = 1;

  roundTripMs = 0;
  arbiterKey = '';
  /**
   * not_kept: the browser's database refuses; other_account: the game is another account's; failed: the core
   * cannot be loaded, or does not answer.
   * @type {'' | 'connecting' | 'open' | 'gone' | LocalTrouble}
   */
  state = '';

  /** @param {string} id @param {SocketListener} listener */
  constructor(id, listener) {
    this.game = id;
    this.listener = listener;
  }

  get isMovePending() { return false; }

  start() {
    return this.#inTurn(() => this.#start());
  }

  /**
   * Does something when everything before it is done; a failure is shown with what can be done about it.
   * Where another page has gone on with the game, this one shows the game as it is there.
   * @param {() => Promise<void>} act
   */
  #inTurn(act) {
    this.#queue = this.#queue.then(async () => {
      try {
        await act().catch((error) => {
          if (!(error instanceof ChangedElsewhere)) throw error;
          return this.#start();
        });
      } catch (error) {
        this.#setState(stateAfter(error));
        console.warn(error);
      }
    });
    return this.#queue;
  }

  async #start() {
    const record = await loadGame(this.game);
    if (!record) return this.#setState('gone');
    this.#record = record;
    this.#useKind(kindFor(record.level));
    this.#book = await rulebook(record.rulebook);
    /** @type {{moveNames: string[]}} */
    const { moveNames } = await this.#core.ask('names', { rulebook: record.rulebook });
    this.#moveNames = moveNames;
    answerLocally('/api/explain', (body) => this.#explain(body));
    answerLocally('/api/position', ({ fen, moves = [] }) => this.#core.ask('position',
      { ...this.#atTable(), fen, moves }));
    this.#view = await this.#core.ask('table', this.#atTable());
    this.#setState('open');
    this.listener.hello({
      t: 'hello', seq: 1, chain: '', previous: null, you: record.you, may_join: false,
      status: this.#view.outcome ? 'over' : 'playing', players: this.#players(), viewers: 0, view: this.#view,
      rematch: null, arbiter_wanted: [], ...(record.start && { start: record.start }),
    });
    this.#watchFlag();
    this.#letComputerAct();
  }

  /** Most games need the kind that is loading already. @param {'single' | 'threads'} kind */
  #useKind(kind) {
    if (this.#core.kind === kind) return;
    this.#core.close();
    this.#core = new CoreWorker(kind);
  }

  #atTable() {
    return { record: this.#record, language: lang, now_ms: Date.now() };
  }

  #players() {
    const { you, level } = this.#record;
    const player = (/** @type {Side} */ side) => {
      const isComputer = level !== null && you !== side;
      const kind = isComputer ? `level:${level}` : 'person';
      return { name: '', kind, free: false, here: true, arbiter_link: false };
    };
    return { white: player('white'), black: player('black') };
  }

  // Commands

  /** @param {string} move @param {number} ply */
  move(move, ply) {
    const command = { t: /** @type {const} */ ('move'), id: '', ply, last_seq: this.#seq, move };
    void this.#inTurn(() => (ply === this.#view.ply ? this.#command(command) : Promise.resolve()));
  }

  /** @param {CommandName} name @param {CommandFacts} [facts] */
  act(name, facts = {}) {
    const command = { t: /** @type {const} */ ('act'), id: '', last_seq: this.#seq, do: name, ...facts };
    void this.#inTurn(() => this.#command(command));
  }

  /** @param {CommandMessage} command */
  async #command(command) {
    if (this.#view.outcome) return;
    /** @type {Applied | null} */
    const applied = await this.#core.ask('command', { ...this.#atTable(), command });
    if (!applied) return;
    try {
      await this.#show(applied);
    } catch (error) {
      if (!(error instanceof StorageError) || command.t !== 'move') throw error;
      const refusal = { code: 'NOT_KEPT', message: t('play.connection.not_kept') };
      return this.listener.nack(command, { t: 'nack', code: refusal.code, error: refusal });
    }
    const { refusal } = applied;
    if (refusal) this.listener.nack(command,
      { t: 'nack', code: refusal.code, error: this.#withArticle(refusal) });
    this.#letComputerAct();
  }

  /** Stores what has changed and notifies the page. @param {Applied} applied */
  async #show({ stored, view, event }) {
    if (stored) {
      const record = { ...this.#record, ...stored, updated_ms: Date.now() };
      await storeGame(record, this.#record);
      this.#record = record;
      if (this.state !== 'open') this.#setState('open');
    }
    this.#view = view;
    this.#watchFlag();
    if (!stored || !event) return;
    this.#seq += 1;
    const { kind, by } = event;
    this.listener.event({ t: 'event', seq: this.#seq, chain: '', event: { kind, by }, view });
  }

  #letComputerAct() {
    if (this.#record.level === null || this.#view.outcome) return;
    void this.#inTurn(async () => {
      /** @type {Applied | null} */
      const applied = await this.#core.ask('computer', this.#atTable());
      if (!applied) return;
      await this.#show(applied);
      this.#letComputerAct();
    });
  }

  /** Ends the game when a person's time is up. */
  #watchFlag() {
    clearTimeout(this.#flagTimer);
    const { outcome, clocks } = this.#view, { running } = clocks, { you } = this.#record;
    const left = running && clocks[running];
    if (outcome || left === null || (you !== 'both' && running !== you)) return;
    this.#flagTimer = window.setTimeout(() => void this.#inTurn(async () => {
      /** @type {Applied | null} */
      const applied = await this.#core.ask('flag', this.#atTable());
      if (applied) await this.#show(applied);
      else this.#watchFlag();
    }), left + 1);
  }

  // Questions of the page that the server answers elsewhere

  /** @param {{fen?: string, move?: string, route?: number[]}} body */
  async #explain({ fen, move, route = [] }) {
    const tried = move ?? route.map((square) => this.#moveNames[square]).join(route.length > 2 ? 'x' : '-');
    /** @type {RefusalView | null} */
    const refusal = await this.#core.ask('explain', { ...this.#atTable(), fen, move: tried });
    if (!refusal) return { legal: true, refusal: null, tried, route };
    return { legal: false, tried, route, refusal, ...this.#withArticle(refusal) };
  }

  /** A refusal with the text of its article. @param {RefusalView} refusal @returns {RefusalView} */
  #withArticle(refusal) {
    const article = this.#book.articles.find(({ id }) => id === refusal.article_id);
    return { ...refusal, article_text: article?.text ?? '' };
  }

  /** The game as PDN. @returns {Promise<string>} */
  pdn() {
    const { you, level, rulebook: id, created_ms: created, start } = this.#record;
    const { outcome, moves } = this.#view;
    const name = (/** @type {Side} */ side) =>
      (level !== null && you === other(side) ? t('play.player.level', { level }) : t(`board.side.${side}`));
    const tags = { Event: 'damas', Date: new Date(created).toISOString().slice(0, 10).replaceAll('-', '.'),
      White: name('white'), Black: name('black') };
    // A capture that was accepted unfinished is no move of PDN: what came after it cannot be written.
    const cut = moves.findIndex(({ unfinished }) => unfinished);
    const played = moves.slice(0, cut < 0 ? moves.length : cut).map(({ text }) => ({ text }));
    const result = outcome?.void ? { result: outcome.result } : { winner: outcome?.winner };
    return this.#core.ask('writePdn', { rulebook: id, fen: start, tags, moves: played, ...result });
  }

  chat() {}
  intervene() {}
  takeOver() {}
  close() { this.#setState('gone'); }

  /** @param {'open' | 'gone' | LocalTrouble} state */
  #setState(state) {
    this.state = state;
    this.listener.state(state);
  }
}
