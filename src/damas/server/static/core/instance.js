// @ts-check
// An instance of the module: its functions and its memory.

/** What the core says where it cannot go on, by number. */
export const FAILURES = ["not enough memory", "too many ways to capture", "the core has failed"];
/** The answer to whatever else the C library asks of a system: there is none. */
const NO_SYSTEM = 52;
/** Of the module with threads, in pages of 64 KiB: as tools/build_wasm.py links it. */
const SHARED_MEMORY = { initial: 512, maximum: 4096, shared: true };

/** Whether a module shares its memory among threads. @param {WebAssembly.Module} module */
export function hasThreads(module) {
  return WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
}

/**
 * @param {WebAssembly.Module} module
 * @param {{report?: () => void, interrupted?: () => boolean, memory?: WebAssembly.Memory}} host what the core
 *   asks of its surroundings; the memory of a module with threads, where another instance has it already
 * @returns {{exports: any, memory: WebAssembly.Memory}} any: the exports of a module have no types
 */
export function instanceOf(module, { report, interrupted, memory }) {
  const damas = {
    fail: (/** @type {number} */ failure) => {
      throw new Error(FAILURES[failure]);
    },
    report: () => report?.(),
    interrupted: () => (interrupted?.() ? 1 : 0),
  };
  let used = memory ?? (hasThreads(module) ? new WebAssembly.Memory(SHARED_MEMORY) : null);
  const system = {
    /**
     * Writes the time in nanoseconds.
     * @param {number} _clock @param {bigint} _precision @param {number} at
     */
    clock_time_get: (_clock, _precision, at) => {
      const time = BigInt(Math.round(performance.now() * 1e6));
      new DataView(/** @type {WebAssembly.Memory} */ (used).buffer).setBigUint64(at, time, true);
      return 0;
    },
    proc_exit: () => {
      throw new Error(FAILURES[2]);
    },
  };
  /** @type {Record<string, Record<string, any>>} any: functions of every shape */
  const imports = { damas };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (from === "damas") continue;
    const nothing = () => NO_SYSTEM;
    const given = Object.hasOwn(system, name) ? system[/** @type {keyof typeof system} */ (name)] : nothing;
    (imports[from] ??= {})[name] = kind === "memory" ? used : given;
  }
  /** @type {any} any: the exports of a module have no types */
  const { exports } = new WebAssembly.Instance(module, imports);
  used ??= exports.memory;
  return { exports, memory: /** @type {WebAssembly.Memory} */ (used) };
}
