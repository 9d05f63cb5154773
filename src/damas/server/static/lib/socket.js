/**
 * The line to a game: numbered events in their order, commands that are sent until they are answered.
 *
 * - A command gets 128 random bits once and keeps them, in the tab's storage, until it is answered; so it happens once.
 * - Not answered within 1.5 s and two round trips: sent again, the same id.
 * - Events are taken in the order of their numbers only: duplicates are dropped, and a gap asks for what is missing.
 * - After 2.5 s of silence it asks whether the other end is there; after 9 s it gives the line up and opens another,
 *   waiting 0.25, 0.5, 1, 2, 4 s and a little more by chance.
 */

export const TIMES = { resend: 1500, quiet: 2500, dead: 9000, waits: [250, 500, 1000, 2000, 4000], tick: 250 };
const NO_SUCH_GAME = 4404;

/**
 * @typedef {object} Hears what the page does about messages
 * @property {(hello: any) => void} hello
 * @property {(event: any) => void} event in order, each once
 * @property {(command: any, ack: any) => void} ack
 * @property {(command: any | null, nack: any) => void} nack
 * @property {(message: any) => void} other everything without a number: chat, presence, players, rematch …
 * @property {(state: 'connecting'|'open'|'lost'|'restarting'|'superseded'|'gone') => void} state
 */

export class GameSocket {
  /** @param {string} game @param {Hears} hears */
  constructor(game, hears) {
    this.game = game;
    this.hears = hears;
    /** The number of the last event taken, and its link of the chain; the first hello brings both, with the table. */
    this.seq = 0;
    this.known = false;
    this.chain = '';
    /** Round trip, a slow average in milliseconds. */
    this.rtt = 100;
    this.state = /** @type {string} */ ('');
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tries = 0;
    this.heard = 0;
    this.greeted = false;
    /** @type {Map<number, number>} pings on their way, by number */
    this.pings = new Map();
    this.pingNumber = 0;
    this.key = `damas.pending.${game}`;
    /** @type {{message: any, sent: number, after: number}[]} */
    this.pending = this.#kept();
    this.wake = 0;
    this.timer = 0;
  }

  start() {
    this.timer = setInterval(() => this.#look(), TIMES.tick);
    window.addEventListener('online', () => this.#open());
    window.addEventListener('offline', () => this.#cutOff());
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.#open(); });
    window.addEventListener('pagehide', () => this.socket?.close());
    window.addEventListener('pageshow', (event) => { if (event.persisted) this.#open(); });
    this.#open();
  }

  /** Whether a move is still on its way. */
  get moving() {
    return this.pending.some(({ message }) => message.t === 'move');
  }

  // Sending

  /** A move, whole, as its text. @param {string} move @param {number} ply */
  move(move, ply) {
    this.#give({ t: 'move', id: newId(), ply, last_seq: this.seq, move });
  }

  /** Anything else a player does. @param {string} what @param {object} [facts] */
  act(what, facts = {}) {
    this.#give({ t: 'act', id: newId(), last_seq: this.seq, do: what, ...facts });
  }

  /** @param {string} text */
  chat(text) {
    this.#send({ t: 'chat', text });
  }

  /** Another window had taken over: this one takes the seat back. */
  takeOver() {
    this.#set('connecting');
    this.#drop();
    this.#open();
  }

  close() {
    clearInterval(this.timer);
    this.#set('gone');
    this.#drop();
  }

  /** @param {any} message */
  #give(message) {
    this.pending.push({ message, sent: performance.now(), after: 0 });
    this.#keep();
    this.#send(message);
  }

  /** @param {any} message @returns {boolean} */
  #send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN || (!this.greeted && message.t !== 'pong')) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  #kept() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.key) ?? '[]');
      return Array.isArray(kept) ? kept.map((message) => ({ message, sent: 0, after: 0 })) : [];
    } catch {
      return [];
    }
  }

  #keep() {
    try {
      if (this.pending.length) sessionStorage.setItem(this.key, JSON.stringify(this.pending.map(({ message }) => message)));
      else sessionStorage.removeItem(this.key);
    } catch { /* then it is kept as long as this page lives */ }
  }

  /** Takes a command off the list when it was answered. @param {string} id */
  #answered(id) {
    const found = this.pending.find(({ message }) => message.id === id);
    this.pending = this.pending.filter((each) => each !== found);
    this.#keep();
    return found?.message ?? null;
  }

  // The line

  #open() {
    clearTimeout(this.wake);
    if (this.state === 'gone' || this.state === 'superseded') return;
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    if (this.state !== 'restarting' && this.state !== 'lost') this.#set('connecting');
    this.greeted = false;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const since = this.known ? `last=${this.seq}&chain=${this.chain}&` : '';
    const socket = new WebSocket(`${scheme}://${location.host}/game/${this.game}/socket?${since}lang=${document.documentElement.lang}`);
    this.socket = socket;
    this.heard = performance.now();
    socket.addEventListener('message', ({ data }) => { if (socket === this.socket) this.#hear(JSON.parse(data)); });
    socket.addEventListener('close', ({ code }) => { if (socket === this.socket) this.#closed(code); });
  }

  /** @param {number} code */
  #closed(code) {
    this.socket = null;
    this.greeted = false;
    this.pings.clear();
    if (code === NO_SUCH_GAME) return this.close();
    if (this.state === 'gone' || this.state === 'superseded') return;
    if (this.state !== 'restarting') this.#set('lost');
    const wait = TIMES.waits[Math.min(this.tries, TIMES.waits.length - 1)];
    this.tries += 1;
    clearTimeout(this.wake);
    this.wake = setTimeout(() => this.#open(), wait * (1 + Math.random() / 2));
  }

  /** Lets the line go without waiting for the other end, which may not be there. */
  #drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** The device says that its network is gone: told at once; a server of this very device answers the next attempt. */
  #cutOff() {
    if (!this.socket) return;
    this.#drop();
    this.#closed(1006);
  }

  #look() {
    const now = performance.now();
    if (!this.socket) return;
    const silent = now - this.heard;
    if (silent > TIMES.dead) {
      this.#drop();
      return this.#closed(1006);
    }
    if (!this.greeted) return;
    if (silent > TIMES.quiet && ![...this.pings.values()].some((at) => now - at < TIMES.quiet)) this.#ping(now);
    const patience = TIMES.resend + 2 * this.rtt;
    for (const each of this.pending) {
      if (now < each.after || now - each.sent < patience) continue;
      each.sent = now;
      this.#send(each.message);
    }
  }

  /** @param {number} now */
  #ping(now) {
    this.pingNumber += 1;
    this.pings.set(this.pingNumber, now);
    this.#send({ t: 'ping', n: this.pingNumber });
  }

  /** @param {any} message */
  #hear(message) {
    const now = performance.now();
    this.heard = now;
    switch (message.t) {
      case 'hello': return this.#greet(message, now);
      case 'event': return this.#event(message);
      case 'ack': {
        const command = this.#answered(message.id);
        if (command) this.hears.ack(command, message);
        return;
      }
      case 'nack': {
        const command = message.id ? this.#answered(message.id) : null;
        if (command || !message.id) this.hears.nack(command, message);
        return;
      }
      case 'busy': {
        const each = this.pending.find((other) => other.message.id === message.id);
        if (each) each.after = (each.sent = now) + message.retry_ms;
        return;
      }
      case 'ping': return void this.#send({ t: 'pong', n: message.n });
      case 'pong': {
        const sent = this.pings.get(message.n);
        this.pings.delete(message.n);
        if (sent !== undefined) this.rtt += (now - sent - this.rtt) / 4;
        return;
      }
      case 'superseded': return this.#set('superseded');
      case 'restarting': return this.#set('restarting');
      default: this.hears.other(message);
    }
  }

  /** @param {any} hello @param {number} now */
  #greet(hello, now) {
    this.greeted = true;
    this.tries = 0;
    if (!this.known) [this.seq, this.chain, this.known] = [hello.seq, hello.chain, true];
    this.#set('open');
    this.hears.hello(hello);
    this.#ping(now);
    for (const each of this.pending) {
      each.sent = now;
      this.#send(each.message);
    }
  }

  /** @param {any} message */
  #event(message) {
    if (message.seq === 1) this.seq = 0; // sent again only to a page whose history is not the server's
    if (message.seq <= this.seq) return;
    if (message.seq > this.seq + 1) return void this.#send({ t: 'resume', last: this.seq, chain: this.chain });
    this.seq = message.seq;
    this.chain = message.chain;
    this.hears.event(message);
  }

  /** @param {any} state */
  #set(state) {
    if (this.state === state) return;
    this.state = state;
    this.hears.state(state);
  }
}

/** 128 random bits. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
