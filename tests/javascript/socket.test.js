import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';

import { GameSocket } from '../../src/damas/server/static/lib/socket.js';

/** A WebSocket whose other end is the test. */
class FakeWebSocket extends EventTarget {
  static OPEN = 1;
  /** @type {FakeWebSocket[]} */
  static opened = [];
  readyState = 1;
  /** @type {Record<string, unknown>[]} */
  sent = [];

  /** @param {string} url */
  constructor(url) {
    super();
    this.url = url;
    FakeWebSocket.opened.push(this);
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  /** @param {object} message */
  receive(message) {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
  }

  /** @param {number} code */
  lose(code = 1006) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }

  /** @param {string} kind */
  sentOf(kind) {
    return this.sent.filter(({ t }) => t === kind);
  }
}

let now = 0;
Object.defineProperty(globalThis, 'WebSocket', { value: FakeWebSocket });
mock.method(performance, 'now', () => now);
mock.method(Math, 'random', () => 0);
mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });

/** @param {number} ms */
function pass(ms) {
  for (let passed = 0; passed < ms; passed += 50) {
    now += 50;
    mock.timers.tick(50);
  }
}

/** @type {GameSocket[]} */
const sockets = [];

/**
 * A socket of a new game, greeted by the server unless told otherwise, its latest connection, and what its
 * listener heard.
 */
function connect(isGreeted = true, arbiterKey = '') {
  /** @type {unknown[][]} */
  const heard = [];
  const note = (/** @type {string} */ kind) => (/** @type {unknown[]} */ ...facts) =>
    void heard.push([kind, ...facts]);
  const socket = new GameSocket(`game${sockets.length}`, {
    hello: note('hello'), event: note('event'), ack: note('ack'), nack: note('nack'), notice: note('notice'),
    state: note('state'),
  }, arbiterKey);
  sockets.push(socket);
  socket.start();
  const line = () => FakeWebSocket.opened[FakeWebSocket.opened.length - 1];
  const of = (/** @type {string} */ kind) => heard.filter(([name]) => name === kind)
    .map(([, ...facts]) => facts);
  if (isGreeted) greet(line());
  return { socket, line, of };
}

/** @param {FakeWebSocket} line */
function greet(line) {
  line.receive({ t: 'hello', seq: 5, chain: 'c5' });
}

/** @param {number} seq */
const event = (seq) => ({ t: 'event', seq, chain: `c${seq}`, event: { kind: 'moved' } });

afterEach(() => {
  for (const socket of sockets) socket.close();
  FakeWebSocket.opened = [];
});

test('nothing is sent before the greeting, and everything pending right after it', () => {
  const { socket, line } = connect(false);
  assert.match(line().url, /\/socket\?page=[0-9a-f]{32}&attempt=1&lang=en$/);  // no history to go on from
  socket.move('c3-d4', 0);
  assert.deepEqual(line().sent, []);
  greet(line());
  assert.deepEqual(line().sentOf('move').map(({ move, ply }) => [move, ply]), [['c3-d4', 0]]);
  assert.equal(socket.isMovePending, true);
  assert.equal(socket.state, 'open');
});

test('a command is sent again with the same id until it is answered', () => {
  const { socket, line, of } = connect();
  socket.act('resign');
  pass(1500 + 2 * 100 + 300);
  const [first, second] = line().sentOf('act');
  assert.equal(second.id, first.id);
  assert.match(String(first.id), /^[0-9a-f]{32}$/);
  line().receive({ t: 'ack', id: first.id });
  assert.equal(of('ack').length, 1);
  const count = line().sentOf('act').length;
  pass(2400);
  assert.equal(line().sentOf('act').length, count);
});

test('a page that computes says so at each connection, and its level has moves of its own', () => {
  const { socket, line } = connect();
  socket.setComputing(true);
  line().lose();
  pass(300);
  greet(line());
  assert.deepEqual(line().sentOf('compute'), [{ t: 'compute', ready: true }]);
  socket.moveForLevel({ t: 'think', ply: 1, side: 'black', level: 4, seed: 1, movetime_ms: null, reply_ms: 0,
    rulebook: 'faraes', game: {} }, 'f6-g5');
  const [{ move, ply, side }] = line().sentOf('move');
  assert.deepEqual([move, ply, side], ['f6-g5', 1, 'black']);
  assert.equal(socket.isMovePending, false, 'the visitor waits for nothing of their own');
});

test('what else is stored in the place of pending commands is ignored', () => {
  const kept = { t: 'act', id: 'a'.repeat(32), last_seq: 5, do: 'resign' };
  const others = [null, 5, 'lixo', {}, { t: 'move' }, { t: 'lixo', id: 'x' }];
  for (const [stored, expected] of [[[null], []], ['lixo', []], [[...others, kept], [kept]]]) {
    sessionStorage.setItem(`damas.pending.game${sockets.length}`, JSON.stringify(stored));
    const { socket, line } = connect();
    assert.deepEqual(line().sent.filter(({ t }) => t !== 'ping'), expected);
    assert.equal(socket.isMovePending, false);
  }
});

test('a busy server is asked again later', () => {
  const { socket, line } = connect();
  socket.act('offer');
  line().receive({ t: 'busy', id: line().sentOf('act')[0].id, retry_ms: 2300 });
  pass(2200);
  assert.equal(line().sentOf('act').length, 1);
  pass(400);
  assert.equal(line().sentOf('act').length, 2);
});

test('a pending command survives a reload of the page', () => {
  const { socket, line } = connect();
  socket.move('c3-d4', 0);
  const reloaded = new GameSocket(socket.game, socket.listener);
  assert.equal(reloaded.isMovePending, true);
  line().receive({ t: 'nack', id: line().sentOf('move')[0].id, code: 'ILLEGAL' });
  assert.equal(new GameSocket(socket.game, socket.listener).isMovePending, false);
});

test('stored commands that are no list are ignored', () => {
  sessionStorage.setItem('damas.pending.broken', '{"t":"move"}');
  assert.equal(new GameSocket('broken', connect().socket.listener).isMovePending, false);
});

test('events are taken in order: duplicates are dropped, a gap asks for what is missing', () => {
  const { line, of } = connect();
  line().receive(event(6));
  line().receive(event(6));
  line().receive(event(8));
  assert.deepEqual(line().sentOf('resume'), [{ t: 'resume', last: 6, chain: 'c6' }]);
  line().receive(event(7));
  line().receive(event(8));
  assert.deepEqual(of('event').map(([message]) => /** @type {{seq: number}} */ (message).seq), [6, 7, 8]);
});

test('a history that starts anew is taken from its first event', () => {
  const { line, of } = connect();
  line().receive(event(1));
  line().receive(event(2));
  assert.equal(of('event').length, 2);
});

test('a lost connection is opened again, from the last event, with growing delays', () => {
  const { line, of } = connect();
  line().receive(event(6));
  line().lose();
  assert.deepEqual(of('state').at(-1), ['lost']);
  pass(250);
  assert.equal(FakeWebSocket.opened.length, 2);
  assert.match(line().url, /^wss:\/\/damas\.test\/game\/game\d+\/socket\?last=6&chain=c6&page=/);
  assert.match(line().url, /&page=[0-9a-f]{32}&attempt=2&lang=en$/);
  line().lose();
  pass(450);
  assert.equal(FakeWebSocket.opened.length, 2);
  pass(50);
  assert.equal(FakeWebSocket.opened.length, 3);
});

test('a silent connection is pinged, then dropped', () => {
  const { line } = connect();
  assert.equal(line().sentOf('ping').length, 1); // with the greeting
  pass(3000);
  assert.equal(line().sentOf('ping').length, 2);
  const silent = line();
  pass(6500);
  assert.equal(silent.readyState, 3);
  assert.equal(FakeWebSocket.opened.length, 2);
});

test('the round trip is a moving average', () => {
  const { socket, line } = connect();
  pass(200);
  line().receive({ t: 'pong', n: 1 });
  assert.equal(socket.roundTripMs, 125);
});

test('another window takes over, and this one takes the seat back', () => {
  const { socket, line } = connect();
  line().receive({ t: 'superseded' });
  line().lose(1000);
  pass(10_000);
  assert.equal(FakeWebSocket.opened.length, 1);
  socket.takeOver();
  assert.equal(FakeWebSocket.opened.length, 2);
});

test('a game that does not exist is not asked for again', () => {
  const { socket, line } = connect(false);
  line().lose(4404);
  pass(10_000);
  assert.equal(socket.state, 'gone');
  assert.equal(FakeWebSocket.opened.length, 1);
});

test('a server that restarts is not shown as a lost connection', () => {
  const { socket, line } = connect();
  line().receive({ t: 'restarting' });
  line().lose();
  assert.equal(socket.state, 'restarting');
  pass(250);
  greet(line());
  assert.equal(socket.state, 'open');
});

test('other messages are handed on', () => {
  const { line, of } = connect();
  line().receive({ t: 'chat', name: 'Ana', text: 'olá', wall_ms: 1 });
  line().receive({ t: 'ping', n: 7 });
  assert.deepEqual(of('notice').map(([message]) => /** @type {{text: string}} */ (message).text), ['olá']);
  assert.deepEqual(line().sentOf('pong'), [{ t: 'pong', n: 7 }]);
});

test('the arbiter shows the key after each greeting, and never in the address', () => {
  const { socket, line } = connect(true, 'secret');
  assert.match(line().url, /&as=arbiter$/);
  assert.doesNotMatch(line().url, /secret/);
  assert.deepEqual(line().sentOf('arbitrate'), [{ t: 'arbitrate', key: 'secret' }]);
  socket.intervene('time', 'o relógio parou', { side: 'black', seconds: 60 });
  const [{ id }] = line().sentOf('intervene');
  line().lose();
  pass(1000);
  line().receive({ t: 'hello', seq: 0, chain: '', you: 'viewer' });
  assert.deepEqual(line().sent.slice(0, 1), [{ t: 'arbitrate', key: 'secret' }]);
  assert.equal(line().sentOf('intervene')[0].id, id);
});
