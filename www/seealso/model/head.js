// Looks at the first bytes of a file as they come, so that what can't be weights is refused before the rest is loaded.

import { ModelError } from "./errors.js";

const LOOKED_AT = 16;

/** The beginning of one file. */
export class Head {
  #bytes = new Uint8Array(LOOKED_AT);
  #filled = 0;
  #entry;
  #host;

  /** @param {import("./catalog.js").Entry} entry @param {string} url of the file */
  constructor(entry, url) {
    this.#entry = entry;
    this.#host = new URL(url).host || entry.title;
  }

  /** Takes the next bytes, of which only the first are looked at. Throws "web-page" or "not-gguf". */
  take(bytes) {
    if (this.#filled === LOOKED_AT) {
      return;
    }
    const part = bytes.subarray(0, LOOKED_AT - this.#filled);
    this.#bytes.set(part, this.#filled);
    this.#filled += part.length;
    if (this.#filled === LOOKED_AT) {
      this.#judge();
    }
  }

  /** Nothing follows: judges a file that is shorter than what is looked at. */
  end() {
    if (this.#filled < LOOKED_AT) {
      this.#judge();
    }
  }

  #judge() {
    const text = String.fromCharCode(...this.#bytes);
    if (/^\s*<(!doctype|html|head|\?xml)/i.test(text)) {
      throw new ModelError("web-page", { host: this.#host });
    }
    if (this.#entry.format === "gguf" && !text.startsWith("GGUF")) {
      throw new ModelError("not-gguf", { name: this.#entry.title });
    }
  }
}
