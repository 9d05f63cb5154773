// @ts-check
// The random numbers of Python's `random.Random` for a text, so that a level plays the same moves in both
// languages.

const MASK = (1n << 64n) - 1n;
const WORDS = 624;
const SHIFTED = 397;

/** The largest whole number whose power is not above another. @param {bigint} number @param {bigint} power */
function root(number, power) {
  let low = 0n, high = 1n << (BigInt(number.toString(2).length) / power + 1n);
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** power <= number) low = middle;
    else high = middle - 1n;
  }
  return low;
}

/** @param {number} count */
function primes(count) {
  /** @type {bigint[]} */
  const found = [];
  for (let n = 2n; found.length < count; n += 1n) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/** The first bits of the fractions of roots of primes: the constants of SHA-512. */
const ROUNDS = primes(80).map((prime) => root(prime << 192n, 3n) & MASK);
const START = primes(8).map((prime) => root(prime << 128n, 2n) & MASK);

/** @param {bigint} word @param {bigint} bits */
const turned = (word, bits) => ((word >> bits) | (word << (64n - bits))) & MASK;

/** @param {Uint8Array} bytes */
function sha512(bytes) {
  const blocks = Math.ceil((bytes.length + 17) / 128);
  const padded = new DataView(new ArrayBuffer(blocks * 128));
  bytes.forEach((byte, at) => padded.setUint8(at, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(blocks * 128 - 8, BigInt(bytes.length * 8));
  let state = START;
  for (let block = 0; block < blocks; block += 1) {
    const words = Array.from({ length: 16 }, (_, i) => padded.getBigUint64(block * 128 + i * 8));
    for (let i = 16; i < 80; i += 1) {
      const [x, y] = [words[i - 15], words[i - 2]];
      const s0 = turned(x, 1n) ^ turned(x, 8n) ^ (x >> 7n), s1 = turned(y, 19n) ^ turned(y, 61n) ^ (y >> 6n);
      words.push((words[i - 16] + s0 + words[i - 7] + s1) & MASK);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i += 1) {
      const s1 = turned(e, 14n) ^ turned(e, 18n) ^ turned(e, 41n), choice = (e & f) ^ (~e & MASK & g);
      const t1 = h + s1 + choice + ROUNDS[i] + words[i];
      const s0 = turned(a, 28n) ^ turned(a, 34n) ^ turned(a, 39n), most = (a & b) ^ (a & c) ^ (b & c);
      [a, b, c, d, e, f, g, h] = [(t1 + s0 + most) & MASK, a, b, c, (d + t1) & MASK, e, f, g];
    }
    state = [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) & MASK);
  }
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => digest.setBigUint64(i * 8, word));
  return new Uint8Array(digest.buffer);
}

/** The Mersenne twister, seeded with a text as Python does. */
export class Random {
  #state = new Uint32Array(WORDS);
  #next = WORDS;

  /** @param {string} text */
  constructor(text) {
    const bytes = new TextEncoder().encode(text);
    const seed = [...bytes, ...sha512(bytes)].toReversed();
    const key = Array.from({ length: Math.ceil(seed.length / 4) }, (_, i) =>
      ((seed[4 * i] ?? 0) | ((seed[4 * i + 1] ?? 0) << 8) | ((seed[4 * i + 2] ?? 0) << 16)
        | ((seed[4 * i + 3] ?? 0) << 24)) >>> 0);
    while (key.length > 1 && !key[key.length - 1]) key.pop();
    this.#seed(key);
  }

  /** @param {number[]} key */
  #seed(key) {
    const state = this.#state;
    const mixed = (/** @type {number} */ i, /** @type {number} */ factor) =>
      Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), factor);
    state[0] = 19650218;
    for (let i = 1; i < WORDS; i += 1) state[i] = mixed(i, 1812433253) + i;
    state[0] = 19650218;
    let i = 1, j = 0;
    const step = () => {
      i += 1;
      if (i >= WORDS) [state[0], i] = [state[WORDS - 1], 1];
    };
    for (let k = Math.max(WORDS, key.length); k; k -= 1) {
      state[i] = (state[i] ^ mixed(i, 1664525)) + key[j] + j;
      j = (j + 1) % key.length;
      step();
    }
    for (let k = WORDS - 1; k; k -= 1) {
      state[i] = (state[i] ^ mixed(i, 1566083941)) - i;
      step();
    }
    state[0] = 0x80000000;
  }

  /** 32 random bits. */
  #word() {
    const state = this.#state;
    if (this.#next >= WORDS) {
      for (let i = 0; i < WORDS; i += 1) {
        const both = (state[i] & 0x80000000) | (state[(i + 1) % WORDS] & 0x7fffffff);
        state[i] = state[(i + SHIFTED) % WORDS] ^ (both >>> 1) ^ (both & 1 ? 0x9908b0df : 0);
      }
      this.#next = 0;
    }
    let word = state[this.#next];
    this.#next += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** A number from 0 to 1, as `random.random`. */
  next() {
    const high = this.#word() >>> 5, low = this.#word() >>> 6;
    return (high * 67108864 + low) / 2 ** 53;
  }

  /** As many random bits, up to 64, as `random.getrandbits`. @param {number} count */
  bits(count) {
    const low = BigInt(this.#word());
    return count <= 32 ? low >> BigInt(32 - count) : low | (BigInt(this.#word() >>> (64 - count)) << 32n);
  }
}
