// What tells whether bytes are the ones that they should be: the hash of all of them, which the catalog promises, and
// a hash of each chunk, so that stored weights can be checked chunk by chunk while they are read. The browser's own
// digest does the chunks, off this thread and several times faster than a script can.

import { Sha256 } from "./sha256.js";

/** Bytes in a chunk: what is checked, and handed to the model, at once. */
export const CHUNK = 4 << 20;

/** The SHA-256 of one chunk, as hexadecimal digits. @param {Uint8Array} bytes */
export async function chunkHash(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Collects the bytes of one file. */
export class Fingerprint {
  #whole = new Sha256();
  #chunk = new Uint8Array(CHUNK);
  #filled = 0;
  #chunks = [];

  /** How many bytes it has seen. */
  get length() {
    return this.#whole.length;
  }

  /** Takes the next bytes. */
  async update(bytes) {
    this.#whole.update(bytes);
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + CHUNK - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === CHUNK) {
        await this.#endChunk();
      }
    }
  }

  /** The hash of the whole and of its chunks. Nothing can be added after it. */
  async finish() {
    if (this.#filled > 0) {
      await this.#endChunk();
    }
    return { sha256: this.#whole.hex(), chunks: await Promise.all(this.#chunks) };
  }

  /** One digest runs while the next chunk is filled; a second one waits for it, so that few copies are about. */
  async #endChunk() {
    await this.#chunks.at(-1);
    this.#chunks.push(chunkHash(this.#chunk.subarray(0, this.#filled)));
    this.#filled = 0;
  }
}
