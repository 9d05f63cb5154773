/**
 * The connection to a game: events in order, and commands that are sent again until they are answered.
 *
 * - A command has a random id and is kept in the tab's storage until it is answered, so that it happens
 *   exactly once.
 * - A command without an answer is sent again, with the same id, after 1.5 s plus two round trips.
 * - Events are accepted in the order of their numbers: duplicates are dropped, a gap requests what is
 *   missing.
 * - A socket with the key of the arbiter's link takes no seat, and shows the key as soon as it is greeted.
 * - After 2.5 s of silence a ping is sent; after 9 s the connection is dropped and opened again, with growing
 *   delays.
 */

import { loadValue, storeValue } from './storage.js';

/** @import { AckMessage, ClientMessage, CommandMessage, CommandName, EventMessage } from './messages.js' */
/** @import { HelloMessage, NackMessage, NoticeMessage, Remedy, ServerMessage, Side } from './messages.js' */
/** @import { ThinkMessage } from './messages.js' */
/** @import { Intervene } from './types.js' */

/** In milliseconds. */
const RESEND_AFTER = 1500;
const PING_AFTER = 2500;
const DROP_AFTER = 9000;
const RECONNECT_DELAYS = [250, 500, 1000, 2000, 4000];
const CHECK_INTERVAL = 250;
const INITIAL_ROUND_TRIP = 100;

/** Close codes of WebSockets. */
const NO_SUCH_GAME = 4404;
const CONNECTION_LOST = 1006;

/**
 * @typedef {'connecting' | 'open' | 'lost' | 'restarting' | 'superseded' | 'gone' | LocalTrouble
 *   } ConnectionState superseded: another window of the same player took over; gone: closed for good
 * @typedef {'not_kept' | 'other_account' | 'failed'} LocalTrouble of a game in this browser alone: see
 *   `local-game.js`
 */

/**
 * @typedef {object} SocketListener
 * @property {(hello: HelloMessage) => void} hello
 * @property {(event: EventMessage) => void} event in order, each once
 * @property {(command: CommandMessage, ack: AckMessage) => void} ack
 * @property {(command: CommandMessage | null, nack: NackMessage) => void} nack
 * @property {(message: NoticeMessage) => void} notice
 * @property {(state: ConnectionState) => void} state
 */

/** @typedef {{message: CommandMessage, sentAt: number, resendAfter: number}} PendingCommand */

export class GameSocket {
  /** The last event received, by its number and its link of the event chain. */
  #seq = 0;
  #chain = '';
  /** Whether the first hello has set them. */
  #isSynchronized = false;
  /** @type {WebSocket | null} */
  #socket = null;
  #isGreeted = false;
  #attempts = 0;
  /** This page, and its sockets so far: the server may accept one that was given up after its successor. */
  #page = newId();
  #opened = 0;
  #receivedAt = 0;
  /** Send times of pings without an answer, by number. @type {Map<number, number>} */
  #pings = new Map();
  #pingNumber = 0;
  #reconnectTimer = 0;
  #checkTimer = 0;
  /** @type {PendingCommand[]} */
  #pending;
  #isComputing = false;

  /** Moving average in milliseconds. */
  roundTripMs = INITIAL_ROUND_TRIP;
  /** @type {ConnectionState | ''} */
  state = '';

  /** @param {string} game @param {SocketListener} listener @param {string} [arbiterKey] */
  constructor(game, listener, arbiterKey = '') {
    this.game = game;
    this.arbiterKey = arbiterKey;
    this.listener = listener;
    this.storageKey = `damas.pending.${game}${arbiterKey && '.arbiter'}`;
    const stored = loadValue(this.storageKey, 'sessionStorage');
    const messages = (Array.isArray(stored) ? stored : []).filter(isCommand);
    this.#pending = messages.map((message) => ({ message, sentAt: 0, resendAfter: 0 }));
  }

  start() {
    this.#checkTimer = window.setInterval(() => this.#check(), CHECK_INTERVAL);
    window.addEventListener('online', () => this.#open());
    window.addEventListener('offline', () => this.#loseConnection());
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.#open(); });
    window.addEventListener('pagehide', () => this.#socket?.close());
    window.addEventListener('pageshow', (event) => { if (event.persisted) this.#open(); });
    this.#open();
  }

  /** Whether a move has been sent and not answered. */
  get isMovePending() {
    return this.#pending.some(({ message }) => message.t === 'move' && !message.side);
  }

  // Sending

  /** @param {string} move the whole move @param {number} ply */
  move(move, ply) {
    this.#sendCommand({ t: 'move', id: newId(), ply, last_seq: this.#seq, move });
  }

  /** Sends the move of a level that was computed here. @param {ThinkMessage} task @param {string} move */
  moveForLevel({ side, ply }, move) {
    this.#sendCommand({ t: 'move', id: newId(), ply, last_seq: this.#seq, move, side });
  }

  /** Whether this page computes the moves of the level it plays against. @param {boolean} ready */
  setComputing(ready) {
    this.#isComputing = ready;
    this.#send({ t: 'compute', ready });
  }

  /**
   * Sends any other command.
   * @param {CommandName} name
   * @param {{rule?: string, square?: number, move?: string, conduct?: string, side?: Side}} [facts]
   */
  act(name, facts = {}) {
    this.#sendCommand({ t: 'act', id: newId(), last_seq: this.#seq, do: name, ...facts });
  }

  /**
   * Sends an intervention of the arbiter.
   * @param {Remedy} remedy @param {string} reason @param {Partial<Intervene>} [facts]
   */
  intervene(remedy, reason, facts = {}) {
    const message = { id: newId(), last_seq: this.#seq, do: remedy, reason, ...facts };
    this.#sendCommand({ t: 'intervene', ...message });
  }

  /** @param {string} text */
  chat(text) {
    this.#send({ t: 'chat', text });
  }

  /** Takes the seat back from another window. */
  takeOver() {
    this.#setState('connecting');
    this.#dropSocket();
    this.#open();
  }

  close() {
    clearInterval(this.#checkTimer);
    this.#setState('gone');
    this.#dropSocket();
  }

  /** @param {CommandMessage} message */
  #sendCommand(message) {
    this.#pending.push({ message, sentAt: performance.now(), resendAfter: 0 });
    this.#storePending();
    this.#send(message);
  }

  /** @param {ClientMessage} message */
  #send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN || (!this.#isGreeted && message.t !== 'pong')) return;
    this.#socket.send(JSON.stringify(message));
  }

  #storePending() {
    const messages = this.#pending.map(({ message }) => message);
    storeValue(this.storageKey, messages.length ? messages : null, 'sessionStorage');
  }

  /** Removes an answered command from the pending ones. @param {string} id */
  #takePending(id) {
    const answered = this.#pending.find(({ message }) => message.id === id);
    this.#pending = this.#pending.filter((command) => command !== answered);
    this.#storePending();
    return answered?.message ?? null;
  }

  // Connection

  #open() {
    clearTimeout(this.#reconnectTimer);
    if (this.state === 'gone' || this.state === 'superseded') return;
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    if (this.state !== 'restarting' && this.state !== 'lost') this.#setState('connecting');
    this.#isGreeted = false;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const since = this.#isSynchronized ? `last=${this.#seq}&chain=${this.#chain}&` : '';
    const role = this.arbiterKey ? '&as=arbiter' : '';
    this.#opened += 1;
    const page = `page=${this.#page}&attempt=${this.#opened}`;
    const query = `${since}${page}&lang=${document.documentElement.lang}${role}`;
    const socket = new WebSocket(`${scheme}://${location.host}/game/${this.game}/socket?${query}`);
    this.#socket = socket;
    this.#receivedAt = performance.now();
    socket.addEventListener('message',
      ({ data }) => { if (socket === this.#socket) this.#receive(JSON.parse(data)); });
    socket.addEventListener('close', ({ code }) => { if (socket === this.#socket) this.#handleClose(code); });
  }

  /** @param {number} code */
  #handleClose(code) {
    this.#socket = null;
    this.#isGreeted = false;
    this.#pings.clear();
    if (code === NO_SUCH_GAME) return this.close();
    if (this.state === 'gone' || this.state === 'superseded') return;
    if (this.state !== 'restarting') this.#setState('lost');
    const delay = RECONNECT_DELAYS[Math.min(this.#attempts, RECONNECT_DELAYS.length - 1)];
    this.#attempts += 1;
    clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = window.setTimeout(() => this.#open(), delay * (1 + Math.random() / 2));
  }

  /** Closes without waiting for the server, which may be unreachable. */
  #dropSocket() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #loseConnection() {
    if (!this.#socket) return;
    this.#dropSocket();
    this.#handleClose(CONNECTION_LOST);
  }

  /** Runs regularly: drops a silent connection, sends pings, sends commands again. */
  #check() {
    if (!this.#socket) return;
    const now = performance.now();
    const silence = now - this.#receivedAt;
    if (silence > DROP_AFTER) return this.#loseConnection();
    if (!this.#isGreeted) return;
    const hasRecentPing = [...this.#pings.values()].some((sentAt) => now - sentAt < PING_AFTER);
    if (silence > PING_AFTER && !hasRecentPing) this.#ping(now);
    for (const command of this.#pending) {
      if (now < command.resendAfter || now - command.sentAt < RESEND_AFTER + 2 * this.roundTripMs) continue;
      command.sentAt = now;
      this.#send(command.message);
    }
  }

  /** @param {number} now */
  #ping(now) {
    this.#pingNumber += 1;
    this.#pings.set(this.#pingNumber, now);
    this.#send({ t: 'ping', n: this.#pingNumber });
  }

  // Receiving

  /** @param {ServerMessage} message */
  #receive(message) {
    const now = performance.now();
    this.#receivedAt = now;
    switch (message.t) {
      case 'hello': return this.#receiveHello(message, now);
      case 'event': return this.#receiveEvent(message);
      case 'ack': {
        const command = this.#takePending(message.id);
        if (command) this.listener.ack(command, message);
        return;
      }
      case 'nack': {
        const command = message.id ? this.#takePending(message.id) : null;
        if (command || !message.id) this.listener.nack(command, message);
        return;
      }
      case 'busy': {
        const command = this.#pending.find((each) => each.message.id === message.id);
        if (command) command.resendAfter = (command.sentAt = now) + message.retry_ms;
        return;
      }
      case 'ping': return this.#send({ t: 'pong', n: message.n });
      case 'pong': {
        const sentAt = this.#pings.get(message.n);
        this.#pings.delete(message.n);
        if (sentAt !== undefined) this.roundTripMs += (now - sentAt - this.roundTripMs) / 4;
        return;
      }
      case 'superseded':
      case 'restarting': return this.#setState(message.t);
      default: this.listener.notice(message);
    }
  }

  /** @param {HelloMessage} hello @param {number} now */
  #receiveHello(hello, now) {
    this.#isGreeted = true;
    this.#attempts = 0;
    if (!this.#isSynchronized) {
      this.#seq = hello.seq;
      this.#chain = hello.chain;
      this.#isSynchronized = true;
    }
    this.#setState('open');
    this.listener.hello(hello);
    if (this.arbiterKey && hello.you !== 'arbiter') this.#send({ t: 'arbitrate', key: this.arbiterKey });
    if (this.#isComputing) this.#send({ t: 'compute', ready: true });
    this.#ping(now);
    for (const command of this.#pending) {
      command.sentAt = now;
      this.#send(command.message);
    }
  }

  /** @param {EventMessage} event */
  #receiveEvent(event) {
    if (event.seq === 1) this.#seq = 0; // sent again only to a page whose history differs from the server's
    if (event.seq <= this.#seq) return;
    if (event.seq > this.#seq + 1) return this.#send({ t: 'resume', last: this.#seq, chain: this.#chain });
    this.#seq = event.seq;
    this.#chain = event.chain;
    this.listener.event(event);
  }

  /** @param {ConnectionState} state */
  #setState(state) {
    if (this.state === state) return;
    this.state = state;
    this.listener.state(state);
  }
}

/** Whether a stored value is a command. @param {any} value any: whatever was stored */
function isCommand(value) {
  return ['move', 'act'].includes(value?.t) && typeof value.id === 'string';
}

/** A random id of 128 bits, in hexadecimal. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
