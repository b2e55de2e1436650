// Hands a model's files to its loader, piece by piece: progress told, and stopped between any two pieces.

import { totalBytes } from "./catalog.js";
import { ModelError } from "./errors.js";
import { Store } from "./store.js";
import { passingWeights, storedWeights } from "./stream.js";

/**
 * What a load was asked for: a stored model by its key, or one that is not to be kept by its entry.
 * @typedef {{key?: string, entry?: import("./catalog.js").Entry, file?: File}} Wanted
 * @typedef {{signal?: AbortSignal, onProgress: (progress: object) => void}} Options
 */

/**
 * The model that `newLoader` makes of the files wanted.
 * @param {Wanted} wanted
 * @param {() => import("./engine-types.js").ModelLoader|import("./engine-types.js").EncoderLoader} newLoader
 * @param {Options} options
 */
export async function fedModel(wanted, newLoader, options) {
  if (!wanted.key) {
    return fed(newLoader, wanted.entry, passingWeights(wanted.entry, { file: wanted.file, ...options }), options);
  }
  const store = await Store.open();
  return store.together(wanted.key, async () => {
    const { record, files } = await storedWeights(store, wanted.key);
    return fed(newLoader, record.entry, files, options);
  });
}

async function fed(newLoader, entry, files, { signal, onProgress }) {
  const total = files.reduce((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0) ?? totalBytes(entry);
  const loader = newLoader();
  let bytes = 0;
  try {
    for (const { stream } of files) {
      for await (const chunk of piecesOf(stream)) {
        if (signal?.aborted) {
          throw new ModelError("cancelled");
        }
        await loader.feed(chunk);
        bytes += chunk.length;
        onProgress({ stage: "loading", bytes, total, rate: 0 });
        await turn();
      }
      await loader.endFile();
    }
    return await loader.finish();
  } catch (error) {
    loader.free();
    throw error;
  } finally {
    // A file that stays open can't be removed.
    await Promise.allSettled(files.map(({ stream }) => stream.cancel()));
  }
}

const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()();

/** Lets the messages in that have come meanwhile. A timer would do that too, but never within four milliseconds. */
export function turn() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

/** Not every browser can iterate over a stream. The next piece is read and checked while the model takes the one before. */
async function* piecesOf(stream) {
  const reader = stream.getReader();
  const read = () => {
    const next = reader.read();
    // Told where it is awaited, if it ever is.
    next.catch(() => {});
    return next;
  };
  try {
    for (let next = read(); ;) {
      const { done, value } = await next;
      if (done) {
        return;
      }
      next = read();
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
