/** The few browser globals that the tested modules touch when they are loaded. Run before each test file. */

const CATALOGUE = {
  play: {
    times: { none: 'no clock', fischer: '{minutes} min + {seconds} s', days: '{n} {n:day|days}',
      move: '{time} a move',
      sudden: '{minutes} min' },
    command: { clock: 'relogio', last: 'ultimo' },
  },
  analysis: { side_white: 'White', side_black: 'Black', wins_in_short: '{side} in {moves}',
    wins_short: '{side} wins' },
  frame: { unreachable: 'no connection' },
  'board.flat': 'found by its whole key',
  'board.flat@concurso': 'in the words of its text',
};

class MemoryStorage {
  #items = new Map();
  getItem = (/** @type {string} */ key) => this.#items.get(key) ?? null;
  setItem = (/** @type {string} */ key, /** @type {string} */ value) =>
    void this.#items.set(key, String(value));
  removeItem = (/** @type {string} */ key) => void this.#items.delete(key);
}

const events = new EventTarget();
const globals = {
  window: globalThis,
  document: Object.assign(new EventTarget(), {
    documentElement: { lang: 'en', dataset: {} }, querySelector: () => null, hidden: false,
  }),
  HTMLLinkElement: EventTarget,
  location: { protocol: 'https:', host: 'damas.test' },
  matchMedia: () => ({ matches: false }),
  localStorage: new MemoryStorage(),
  sessionStorage: new MemoryStorage(),
  addEventListener: events.addEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
  fetch: async () => Response.json(CATALOGUE),
};
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
