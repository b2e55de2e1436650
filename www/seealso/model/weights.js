// Downloads weights into the store: with the space looked at before, the hash checked on the way, progress told, and
// what came kept when it stops half-way. A file from the reader's disk goes the same way.

import { totalBytes } from "./catalog.js";
import { ModelError } from "./errors.js";
import { fetched } from "./fetching.js";
import { CHUNK, Fingerprint } from "./fingerprint.js";
import { Head } from "./head.js";
import { Rate } from "./rate.js";
import { keyOf } from "./store.js";

/**
 * @typedef {object} Progress
 * @property {string} name
 * @property {"checking"|"downloading"} stage whether what is here already is being checked, or more comes
 * @property {number} bytes of all files, that are here
 * @property {number|null} total of all files
 * @property {number} rate bytes a second; 0 where it is not known yet
 * @typedef {object} Options
 * @property {import("./store.js").Store} store
 * @property {File} [file] the reader's own file, where the entry is one
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]
 * @property {StorageManager} [storage]
 * @property {typeof fetch} [fetch]
 * @property {number} [stallMs]
 */

/**
 * Downloads a model, or the rest of it. Resolves to its record; rejects with a code.
 * @param {import("./catalog.js").Entry} entry
 * @param {Options} options
 * @returns {Promise<import("./store.js").ModelRecord>}
 */
export function download(entry, options) {
  const key = keyOf(entry);
  return options.store.alone(key, async () => {
    const { store, storage = globalThis.navigator?.storage } = options;
    const record = (await store.record(key)) ?? begun(key, entry);
    // The same content may have moved since, or be described anew: what the reader consents to now holds.
    record.entry = entry;
    if (record.complete) {
      await store.keep(record);
      return record;
    }
    await assertSpace(entry, (await find(store, key))?.got ?? 0, storage);
    await store.keep(record);
    try {
      await completeAll(record, options);
    } catch (error) {
      if (((await find(store, key))?.got ?? 0) === 0) {
        await store.discard(key);
      }
      throw error;
    }
    return record;
  });
}

async function completeAll(record, options) {
  const rate = new Rate(record.entry.title, totalBytes(record.entry), options.onProgress);
  try {
    for (const index of record.files.keys()) {
      await complete(record, index, rate, options);
    }
    record.complete = true;
    await options.store.keep(record);
    rate.end();
  } finally {
    rate.stop();
  }
}

async function find(store, key) {
  return (await store.list()).find((stored) => stored.key === key);
}

/** @returns {import("./store.js").ModelRecord} */
function begun(key, entry) {
  const files = entry.files.map(({ bytes }) => ({ bytes, validator: null, sha256: null, chunks: [], complete: false }));
  return { version: 1, key, entry, files, complete: false };
}

async function assertSpace(entry, here, storage) {
  const { quota, usage } = (await storage?.estimate?.().catch(() => null)) ?? {};
  const needed = (totalBytes(entry) ?? 0) - here;
  const free = quota - usage;
  if (needed > free) {
    throw new ModelError("no-space", { needed, free: Math.max(0, free) });
  }
}

/** Brings one file to its end, whatever there is of it. */
async function complete(record, index, rate, options) {
  const state = record.files[index];
  if (state.complete) {
    rate.has(state.bytes);
    return;
  }
  const { store } = options;
  const target = await store.append(record.key, index);
  try {
    const run = new Run(record, index, target, rate, options);
    await run.rehash();
    await run.fetchRest();
    Object.assign(state, await run.finish(), { complete: true, bytes: target.size });
  } catch (error) {
    if (["wrong-hash", "too-long", "not-gguf", "web-page"].includes(error.code)) {
      // None of it is of any use for going on.
      target.truncate(0);
    }
    throw error;
  } finally {
    target.close();
  }
  await store.keep(record);
}

/** One file on its way into the store. */
class Run {
  #record;
  #state;
  #file;
  #target;
  #rate;
  #options;
  #print = new Fingerprint();
  #head;

  constructor(record, index, target, rate, options) {
    this.#record = record;
    this.#state = record.files[index];
    this.#file = record.entry.files[index];
    this.#target = target;
    this.#rate = rate;
    this.#options = options;
    this.#head = this.#newHead();
  }

  /** Takes up what is here from before: hashes it again, for the disk is not trusted with it. */
  async rehash() {
    const { size } = this.#target;
    if (this.#state.bytes !== null && size > this.#state.bytes) {
      this.#target.truncate(0);
      return;
    }
    const bytes = new Uint8Array(CHUNK);
    for (let at = 0; at < size;) {
      assertWanted(this.#options.signal);
      const part = bytes.subarray(0, Math.min(CHUNK, size - at));
      this.#target.read(part, at);
      await this.#take(part, "checking");
      at += part.length;
    }
  }

  /** Gets the rest. */
  async fetchRest() {
    const { file, signal } = this.#options;
    const place = { at: this.#target.size, validator: this.#state.validator };
    const sameFile = !file || place.validator === versionOf(file);
    if (sameFile && this.#state.bytes !== null && place.at === this.#state.bytes) {
      return;
    }
    for await (const piece of file ? fromDisk(file, place, signal) : fetched(this.#file, place, this.#options)) {
      if (piece instanceof Uint8Array) {
        this.#target.write(piece);
        await this.#take(piece, "downloading");
      } else {
        await this.#begin(piece);
      }
    }
  }

  /** The hashes, once they are what was promised. */
  async finish() {
    this.#head.end();
    const { sha256, chunks } = await this.#print.finish();
    if (this.#file.sha256 !== null && sha256 !== this.#file.sha256) {
      throw new ModelError("wrong-hash", { name: this.#record.entry.title, expected: this.#file.sha256, got: sha256 });
    }
    return { sha256, chunks };
  }

  async #begin({ begin, total, validator }) {
    if (begin < this.#target.size) {
      this.#rate.lost(this.#target.size);
      this.#target.truncate(0);
      this.#print = new Fingerprint();
      this.#head = this.#newHead();
    }
    if (this.#state.bytes !== total || this.#state.validator !== validator) {
      Object.assign(this.#state, { bytes: total, validator });
      await this.#options.store.keep(this.#record);
      this.#rate.total = this.#record.files.reduce((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0);
    }
  }

  async #take(bytes, stage) {
    this.#head.take(bytes);
    await this.#print.update(bytes);
    this.#rate.got(bytes.length, stage);
  }

  #newHead() {
    return new Head(this.#record.entry, this.#file.url);
  }
}

/** What tells one version of a file on the disk from another. */
function versionOf(file) {
  return String(file.lastModified);
}

async function* fromDisk(file, place, signal) {
  if (place.validator !== versionOf(file)) {
    place.at = 0;
  }
  yield { begin: place.at, total: file.size, validator: versionOf(file) };
  while (place.at < file.size) {
    assertWanted(signal);
    const bytes = await file.slice(place.at, place.at + CHUNK).arrayBuffer().catch(() => {
      throw new ModelError("unreadable-file", { name: file.name });
    });
    place.at += bytes.byteLength;
    yield new Uint8Array(bytes);
  }
}

function assertWanted(signal) {
  if (signal?.aborted) {
    throw new ModelError("cancelled");
  }
}
