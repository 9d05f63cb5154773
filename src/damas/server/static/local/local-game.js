/**
 * A game that is played in this browser alone: the same messages as `GameSocket`, from the core in a worker
 * and the browser's database. Every move is stored before it is shown.
 */

import { answerLocally } from '../lib/api.js';
import { rulebook } from '../lib/rulebooks.js';
import { mainTimeMs } from '../lib/times.js';
import { t } from '../lib/words.js';
import { CoreWorker } from './core-worker.js';
import { remaining, startClock, stopClock } from './clocks.js';
import { Sentences } from './sentences.js';
import { loadGame, StorageError, storeGame } from './store.js';
import { tableView } from './views.js';

/** @import { CommandMessage, CommandName, GameView, RefusalView } from '../lib/messages.js' */
/** @import { RulebookView, Side } from '../lib/messages.js' */
/** @import { SocketListener } from '../lib/socket.js' */
/** @import { GameView as CoreView, Outcome, Refusal } from '../core/types.js' */
/** @import { CoreFailure } from './core-worker.js' */
/** @import { LocalGameRecord } from './records.js' */

/** What the laws of a casual game leave to the players. */
const CUSTOMS = { platformRules: true, claims: false };

const WINS = /** @type {const} */ ({ white: '1-0', black: '0-1' });

/** @param {Side} side @returns {Side} */
const other = (side) => (side === 'white' ? 'black' : 'white');

export class LocalGame {
  #core = new CoreWorker();
  // These are set by `start`.
  #record = /** @type {LocalGameRecord} */ (/** @type {unknown} */ (null));
  #view = /** @type {CoreView} */ (/** @type {unknown} */ (null));
  #sentences = /** @type {Sentences} */ (/** @type {unknown} */ (null));
  #book = /** @type {RulebookView} */ (/** @type {unknown} */ (null));
  /** @type {string[]} */
  #moveNames = [];
  #isBusy = false;
  /** The computer's move, while it is looked for. @type {Promise<void>} */
  #reply = Promise.resolve();
  #flagTimer = 0;
  #seq = 1;

  roundTripMs = 0;
  arbiterKey = '';
  /**
   * not_kept: the browser's database refuses; failed: the core cannot be loaded, or does not answer.
   * @type {'' | 'connecting' | 'open' | 'gone' | 'not_kept' | 'failed'}
   */
  state = '';

  /** @param {string} id @param {SocketListener} listener */
  constructor(id, listener) {
    this.game = id;
    this.listener = listener;
  }

  get isMovePending() { return false; }

  start() {
    return this.#shown(() => this.#start());
  }

  /** Does something; a failure is shown with what can be done about it. @param {() => Promise<void>} act */
  async #shown(act) {
    try {
      await act();
    } catch (error) {
      this.#setState(error instanceof StorageError ? 'not_kept' : 'failed');
      console.warn(error);
    }
  }

  async #start() {
    const record = await loadGame(this.game);
    if (!record) return this.#setState('gone');
    this.#record = record;
    this.#book = await rulebook(record.rulebook);
    const words = await (await fetch(`/words/local/${document.documentElement.lang}.json`)).json();
    /** @type {{squareNames: string[], moveNames: string[]}} */
    const { squareNames, moveNames } = await this.#core.ask('names', { rulebook: record.rulebook });
    this.#moveNames = moveNames;
    const shown = Object.fromEntries(squareNames.map((name, square) => [name, moveNames[square]]));
    this.#sentences = new Sentences(words, record.rulebook, shown);
    answerLocally('/api/explain', (body) => this.#explain(body));
    answerLocally('/api/position', (body) => this.#position(body));
    this.#view = await this.#core.ask('view', this.#question());
    this.#setState('open');
    this.listener.hello({
      t: 'hello', seq: 1, chain: '', previous: null, you: record.you,
      status: this.#outcome() ? 'over' : 'playing',
      players: this.#players(), viewers: 0, view: this.#table(), rematch: null, arbiter_wanted: [],
    });
    this.#watchFlag();
    this.#letComputerMove();
  }

  #question(moves = this.#record.moves) {
    return { rulebook: this.#record.rulebook, game: { moves, customs: CUSTOMS } };
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

  /** How the game ended on the board or otherwise. @returns {Outcome | null} */
  #outcome() {
    const { ended } = this.#record;
    if (!ended) return this.#view.outcome;
    const result = ended.winner ? WINS[ended.winner] : '1/2-1/2';
    const loser = ended.winner ? other(ended.winner) : '';
    return { article: '', rule: '', platform: false, ...ended, result, facts: { loser, count: 3 } };
  }

  /** @returns {GameView} */
  #table() {
    const times = remaining(this.#record, this.#view.turn, Date.now());
    return tableView(this.#record, this.#view, this.#outcome(), this.#sentences, this.#book, times);
  }

  // Commands

  /** @param {string} move @param {number} ply */
  move(move, ply) {
    void this.#move({ t: 'move', id: '', ply, last_seq: this.#seq, move });
  }

  /** @param {CommandMessage & {t: 'move'}} command */
  async #move(command) {
    if (this.#isBusy || this.#outcome()) return;
    this.#isBusy = true;
    try {
      await this.#play(command.move);
    } catch (error) {
      this.listener.nack(command, await this.#nack(/** @type {CoreFailure} */ (error), command.move));
      return;
    } finally {
      this.#isBusy = false;
    }
    this.#letComputerMove();
  }

  /** Plays a move, stores the game and notifies the page. @param {string} move */
  async #play(move) {
    const record = this.#record, mover = this.#view.turn;
    const next = await this.#core.ask('view', this.#question([...record.moves, move]));
    if (this.#outcome()) return; // resigned or out of time meanwhile
    const clocks = stopClock(record, mover, Date.now());
    await this.#store({ moves: [...record.moves, next.last.text], ...clocks }, next);
    this.#notify('move', mover);
  }

  /** @param {Partial<LocalGameRecord>} changes @param {CoreView} [view] */
  async #store(changes, view = this.#view) {
    const record = { ...this.#record, ...changes, fen: view.fen, updated_ms: Date.now() };
    const before = this.#view;
    this.#view = view;
    const previous = this.#record;
    this.#record = record;
    record.result = this.#outcome()?.result ?? null;
    if (!record.result) Object.assign(record, startClock(record, Date.now()));
    try {
      await storeGame(record);
    } catch (error) {
      this.#record = previous;
      this.#view = before;
      throw error;
    }
    if (this.state !== 'open') this.#setState('open');
  }

  /** @param {string} kind @param {Side} by */
  #notify(kind, by) {
    this.#seq += 1;
    this.listener.event({ t: 'event', seq: this.#seq, chain: '', event: { kind, by }, view: this.#table() });
    this.#watchFlag();
  }

  #letComputerMove() {
    this.#reply = this.#shown(() => this.#moveOfComputer());
  }

  async #moveOfComputer() {
    const { level, you, moves, created_ms: seed } = this.#record;
    if (level === null || this.#outcome() || this.#view.turn === you || this.#isBusy) return;
    this.#isBusy = true;
    try {
      const question = { ...this.#question(), level, seed: (seed + moves.length) % 2 ** 31 };
      const move = await this.#core.ask('choose', question);
      if (move && !this.#outcome()) await this.#play(move);
    } finally {
      this.#isBusy = false;
    }
  }

  /** @param {CommandName} name @param {{rule?: string}} [facts] */
  act(name, { rule } = {}) {
    void this.#shown(() => this.#act(name, rule ?? ''));
  }

  /** @param {CommandName} name @param {string} rule */
  async #act(name, rule) {
    if (name === 'take_back') await this.#reply;
    const { you, moves } = this.#record;
    if (this.#outcome()) return;
    const by = you === 'both' ? this.#view.turn : /** @type {Side} */ (you);
    if (name === 'resign') return this.#end({ winner: other(by), reason: 'RESIGNATION' }, by);
    if (name === 'offer' && you === 'both') return this.#end({ winner: null, reason: 'AGREEMENT' }, by);
    if (name === 'claim') {
      const claimed = this.#view.claimable.find((count) => count.rule === rule);
      const reason = this.#sentences.book.limits[rule]?.kind.toUpperCase();
      const { article = '', platform = false } = claimed ?? {};
      if (claimed) return this.#end({ winner: null, reason, rule, article, platform }, by);
    }
    if (name === 'take_back' && moves.length && !this.#isBusy) {
      const plies = you === 'both' || this.#view.turn !== you ? 1 : 2;
      const left = moves.slice(0, Math.max(0, moves.length - plies));
      const clocks_ms = this.#record.clocks_ms.slice(0, left.length);
      await this.#store({ moves: left, clocks_ms }, await this.#core.ask('view', this.#question(left)));
      this.#notify('taken_back', by);
      this.#letComputerMove();
    }
  }

  /** @param {NonNullable<LocalGameRecord['ended']>} ended @param {Side} by */
  async #end(ended, by) {
    await this.#store({ ended, started_ms: null });
    this.#notify('ended', by);
  }

  /** Ends the game when the time of the side to move is up. */
  #watchFlag() {
    clearTimeout(this.#flagTimer);
    if (this.#outcome() || this.#record.started_ms === null || mainTimeMs(this.#record.time) === null) return;
    const { turn } = this.#view;
    const left = remaining(this.#record, turn, Date.now())[turn] ?? 0;
    this.#flagTimer = window.setTimeout(() => {
      if (this.#outcome() || this.#view.turn !== turn) return;
      void this.#shown(() => this.#end({ winner: other(turn), reason: 'FLAG' }, turn));
    }, Math.max(0, left));
  }

  // Questions of the page that the server answers elsewhere

  /** @param {{fen?: string, move?: string, route?: number[]}} body */
  async #explain({ fen, move, route = [] }) {
    const tried = move ?? route.map((square) => this.#moveNames[square]).join(route.length > 2 ? 'x' : '-');
    const isHere = !fen || fen === this.#view.fen;
    const question = isHere ? this.#question()
      : { rulebook: this.#record.rulebook, game: { fen, customs: CUSTOMS } };
    try {
      const refusal = await this.#core.ask('refusal', { ...question, move: tried });
      if (!refusal) return { legal: true, refusal: null, tried, route };
      return { legal: false, tried, route, ...this.#explanation(refusal) };
    } catch (error) {
      const refusal = this.#unreadable(/** @type {CoreFailure} */ (error), tried);
      return { legal: false, tried, route, refusal };
    }
  }

  /** @param {Refusal} refusal */
  #explanation(refusal) {
    const { articles } = this.#book;
    const alternatives = this.#view.legal.filter(({ text }) => refusal.legal.includes(text));
    const article_text = articles.find(({ id }) => id === refusal.article)?.text ?? '';
    return { refusal: this.#refusalView(refusal), article_text, alternatives, marks: [] };
  }

  /** @param {Refusal} refusal @returns {RefusalView} */
  #refusalView(refusal) {
    const { code, tried, article, legal } = refusal;
    const message = this.#sentences.refusal(refusal);
    const { article: cited } = this.#sentences.cited(article);
    const { rulebook: id } = this.#record;
    const view = { code, message, tried, legal, rulebook: id, article_id: article, article: cited };
    return view;
  }

  /** @param {CoreFailure} failure @param {string} tried @returns {RefusalView} */
  #unreadable({ problems }, tried) {
    const words = problems?.map(({ code }) => this.#sentences.sentence(`problem.${code}`, { token: tried }));
    const message = words?.length ? `${words.join('; ')}.` : t('play.connection.failed');
    return { code: 'NOTATION', message };
  }

  /** @param {CoreFailure} failure @param {string} tried */
  async #nack(failure, tried) {
    const { refusal } = failure;
    if (failure instanceof StorageError) {
      const message = t('play.connection.not_kept');
      return { t: /** @type {const} */ ('nack'), code: 'NOT_KEPT', error: { code: 'NOT_KEPT', message } };
    }
    const { refusal: view, ...more } = refusal ? this.#explanation(refusal)
      : { refusal: this.#unreadable(failure, tried) };
    return { t: /** @type {const} */ ('nack'), code: view.code, error: { ...view, ...more } };
  }

  /** An earlier position. @param {{fen?: string, moves?: string[]}} body */
  async #position({ fen, moves = [] }) {
    const game = { ...(fen ? { fen } : {}), moves, customs: CUSTOMS };
    const view = await this.#core.ask('view', { rulebook: this.#record.rulebook, game });
    const record = { ...this.#record, moves, ended: null };
    const none = { white: null, black: null, running: null };
    return tableView(record, view, view.outcome, this.#sentences, this.#book, none);
  }

  /** The game as PDN. @returns {Promise<string>} */
  pdn() {
    const { you, level, rulebook: id, created_ms: created, moves } = this.#record;
    const name = (/** @type {Side} */ side) =>
      (level !== null && you !== side ? t('play.player.level', { level }) : t(`board.side.${side}`));
    const tags = { Event: 'damas', Date: new Date(created).toISOString().slice(0, 10).replaceAll('-', '.'),
      White: name('white'), Black: name('black') };
    const winner = this.#outcome()?.winner;
    return this.#core.ask('writePdn', { rulebook: id, tags, winner, moves: moves.map((text) => ({ text })) });
  }

  chat() {}
  intervene() {}
  takeOver() {}
  close() { this.#setState('gone'); }

  /** @param {'open' | 'gone' | 'not_kept' | 'failed'} state */
  #setState(state) {
    this.state = state;
    this.listener.state(state);
  }
}
