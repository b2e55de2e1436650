// SHA-256 (FIPS 180-4) of bytes that come piece by piece. WebCrypto's digest wants everything at once, which
// weights of hundreds of megabytes must not be.

const BLOCK = 64;

/** The constants of the rounds: the fractions of the cube roots of the first 64 primes. */
const K = fractions(64, Math.cbrt);
/** The first state: the fractions of the square roots of the first 8 primes. */
const START = fractions(8, Math.sqrt);

/** A hash in the making. */
export class Sha256 {
  #state = START.slice();
  #words = new Int32Array(64);
  #block = new Uint8Array(BLOCK);
  #filled = 0;
  #length = 0;

  /** How many bytes it has seen. */
  get length() {
    return this.#length;
  }

  /** Takes the next bytes. @param {Uint8Array} bytes */
  update(bytes) {
    this.#length += bytes.length;
    let at = 0;
    if (this.#filled > 0) {
      at = Math.min(BLOCK - this.#filled, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#filled);
      this.#filled += at;
      if (this.#filled < BLOCK) {
        return this;
      }
      compress(this.#state, this.#words, this.#block, 0);
      this.#filled = 0;
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) {
      compress(this.#state, this.#words, bytes, at);
    }
    this.#block.set(bytes.subarray(at));
    this.#filled = bytes.length - at;
    return this;
  }

  /** The hash of all bytes, as 64 hexadecimal digits. Nothing can be added after it. */
  hex() {
    const bits = this.#length * 8;
    const padded = new Uint8Array(this.#filled < BLOCK - 8 ? BLOCK - this.#filled : 2 * BLOCK - this.#filled);
    padded[0] = 0x80;
    const end = new DataView(padded.buffer, padded.length - 8);
    end.setUint32(0, Math.floor(bits / 2 ** 32));
    end.setUint32(4, bits >>> 0);
    this.update(padded);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

/** One block into the state. The names of the variables are the standard's. */
function compress(state, w, bytes, at) {
  for (let t = 0; t < 16; t++, at += 4) {
    w[t] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15] | 0;
    const y = w[t - 2] | 0;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = (((w[t - 16] + s0) | 0) + ((w[t - 7] + s1) | 0)) | 0;
  }
  let a = state[0] | 0, b = state[1] | 0, c = state[2] | 0, d = state[3] | 0;
  let e = state[4] | 0, f = state[5] | 0, g = state[6] | 0, h = state[7] | 0;
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (((((h + s1) | 0) + (g ^ (e & (f ^ g)))) | 0) + ((K[t] + w[t]) | 0)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
    h = g; g = f; f = e; e = (d + t1) | 0;
    d = c; c = b; b = a; a = (t1 + t2) | 0;
  }
  state[0] += a; state[1] += b; state[2] += c; state[3] += d;
  state[4] += e; state[5] += f; state[6] += g; state[7] += h;
}

/** The first 32 bits of the fractions of a root of the first primes: a double holds more than that many. */
function fractions(count, root) {
  const words = new Int32Array(count);
  for (let number = 2, found = 0; found < count; number++) {
    if (isPrime(number)) {
      words[found++] = ((root(number) % 1) * 2 ** 32) | 0;
    }
  }
  return words;
}

function isPrime(number) {
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) {
      return false;
    }
  }
  return true;
}
