// Weights for the model, as a stream of chunks that have been checked: from the store, or, where nothing can be kept,
// straight from where they come.

import { ModelError } from "./errors.js";
import { fetched } from "./fetching.js";
import { CHUNK, chunkHash } from "./fingerprint.js";
import { Head } from "./head.js";
import { Rate } from "./rate.js";
import { Sha256 } from "./sha256.js";

/** Nothing is read ahead: a file is opened when its turn comes, and not with the first one. */
const ON_DEMAND = { highWaterMark: 0 };

/**
 * The stored files of a model, in order. Each chunk is hashed before it is handed on, so that the model never sees a
 * flipped bit; the stream fails with code "damaged" where one is.
 * @param {import("./store.js").Store} store @param {string} key
 * @returns {Promise<{record: import("./store.js").ModelRecord, files: {bytes: number, stream: ReadableStream<Uint8Array>}[]}>}
 */
export async function storedWeights(store, key) {
  const record = await store.record(key);
  if (!record?.complete) {
    throw new ModelError("not-stored", { name: record?.entry.title ?? key });
  }
  const files = record.files.map((file, index) => ({ bytes: file.bytes, stream: checked(store, record, index) }));
  return { record, files };
}

function checked(store, record, index) {
  const { bytes, chunks } = record.files[index];
  const { title: name } = record.entry;
  let source = null;
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      try {
        source ??= await opened(store, record, index);
        const chunk = new Uint8Array(Math.min(CHUNK, bytes - at));
        const read = await source.read(chunk, at);
        if (read !== chunk.length || (await chunkHash(chunk)) !== chunks[at / CHUNK]) {
          throw new ModelError("damaged", { name, at });
        }
        at += read;
        controller.enqueue(chunk);
        if (at === bytes) {
          source.close();
          controller.close();
        }
      } catch (error) {
        source?.close();
        controller.error(error);
      }
    },
    cancel: () => source?.close(),
  }, ON_DEMAND);
}

async function opened(store, record, index) {
  const source = await store.source(record.key, index);
  if (!source) {
    throw new ModelError("damaged", { name: record.entry.title, at: 0 });
  }
  if (source.size !== record.files[index].bytes) {
    source.close();
    throw new ModelError("damaged", { name: record.entry.title, at: source.size });
  }
  return source;
}

/**
 * The files of a model that are not to be kept: read from the network or the reader's disk, and checked as far as
 * their hashes are known. Only the last chunk waits for the hash, so a model must not be used before its stream has ended.
 * @param {import("./catalog.js").Entry} entry
 * @param {{file?: File, fetch?: typeof fetch, signal?: AbortSignal, onProgress?: (progress: object) => void}} options
 * @returns {{bytes: number|null, stream: ReadableStream<Uint8Array>}[]}
 */
export function passingWeights(entry, options = {}) {
  const total = entry.files.reduce((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0);
  const rate = new Rate(entry.title, total, options.onProgress);
  return entry.files.map((file) => ({ bytes: file.bytes, stream: streamOf(passing(entry, file, rate, options)) }));
}

async function* passing(entry, file, rate, options) {
  // Pages without HTTPS, where nothing can be kept, have no digest of the browser's either.
  const hash = new Sha256();
  const head = new Head(entry, file.url);
  let chunk = new Uint8Array(CHUNK);
  let filled = 0;
  for await (const piece of options.file ? piecesOf(options.file) : fetched(file, { at: 0, validator: null }, options)) {
    if (!(piece instanceof Uint8Array)) {
      if (piece.begin === 0 && hash.length > 0) {
        // What was handed on can't be taken back.
        throw new ModelError("network", { host: new URL(file.url).host });
      }
      continue;
    }
    head.take(piece);
    hash.update(piece);
    rate.got(piece.length, "downloading");
    for (let at = 0; at < piece.length;) {
      if (filled === CHUNK) {
        yield chunk;
        chunk = new Uint8Array(CHUNK);
        filled = 0;
      }
      const part = piece.subarray(at, at + CHUNK - filled);
      chunk.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  head.end();
  const sha256 = hash.hex();
  if (file.sha256 !== null && sha256 !== file.sha256) {
    throw new ModelError("wrong-hash", { name: entry.title, expected: file.sha256, got: sha256 });
  }
  yield chunk.subarray(0, filled);
}

async function* piecesOf(file) {
  for (let at = 0; at < file.size; at += CHUNK) {
    const bytes = await file.slice(at, at + CHUNK).arrayBuffer().catch(() => {
      throw new ModelError("unreadable-file", { name: file.name });
    });
    yield new Uint8Array(bytes);
  }
}

function streamOf(pieces) {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: () => pieces.return(),
  }, ON_DEMAND);
}
