// Weights for the tests: random bytes, a server of them that understands ranges and can be told to fail, and what a
// page does to download them.

import { createHash, randomBytes } from "node:crypto";
import { send } from "./server.mjs";

export const MIB = 1 << 20;

/** Random bytes as the weights of a model: `bytes`, and the `file` of a catalog's entry. */
export function randomWeights(size, path) {
  const bytes = randomBytes(size);
  return { path, bytes, file: { url: path, bytes: size, sha256: sha256(bytes) } };
}

/** The hash of bytes in hexadecimal digits. */
export function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The entry of a model of such weights, as a catalog would have it. */
export function entryOf(name, ...weights) {
  return {
    name, title: name, kind: "decoder", files: weights.map(({ file }) => file), format: "other", licence: "MIT", architecture: "llama", context: 2048,
    tier: "micro", default: false,
  };
}

/** Bytes of an answer that are sent before it is held up or cut. */
const HALF = (bytes, start) => start + ((bytes.length - start) >> 1);

/**
 * Serves weights, for a server's `faults`. `asked` is told of the Range header of each request. Whatever a function in
 * `instead` does is done in place of the answer, for one request each, in order.
 */
export function ranged({ bytes }, { etag = '"v1"', asked = [], instead = [] } = {}) {
  return (response) => {
    const { range } = response.req.headers;
    asked.push(range ?? null);
    const start = range ? Number(/^bytes=(\d+)-$/.exec(range)[1]) : 0;
    if (etag) {
      response.setHeader("etag", etag);
    }
    const fault = instead.shift();
    if (range && start >= bytes.length) {
      send(response, 416, "");
      return;
    }
    if (range) {
      response.setHeader("content-range", `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
    }
    response.statusCode = range ? 206 : 200;
    fault ? fault(response, bytes, start) : send(response, response.statusCode, bytes.subarray(start));
  };
}

/** In place of an answer: half of it, and nothing more ever comes. */
export function held(response, bytes, start) {
  response.setHeader("content-length", bytes.length - start);
  response.write(bytes.subarray(start, HALF(bytes, start)));
}

/** In place of an answer: half of it, and then the connection breaks. */
export function broken(response, bytes, start) {
  response.setHeader("content-length", bytes.length - start);
  response.write(bytes.subarray(start, HALF(bytes, start)), () => response.destroy());
}

/** In place of an answer: half of it, and then it ends as if that were all. */
export function short(response, bytes, start) {
  send(response, response.statusCode, bytes.subarray(start, HALF(bytes, start)));
}

/** Runs in the page: begins a download; `downloaded` waits for what comes of it. */
export async function beginDownload({ entry, content }) {
  const { LocalModel } = await import("./seealso/model/client.js");
  globalThis.model ??= new LocalModel();
  globalThis.progress = [];
  globalThis.control = new AbortController();
  const file = content === undefined ? undefined : new File([content], entry.name, { lastModified: 1 });
  const files = entry.files.map((file) => ({ ...file, url: new URL(file.url, location.href).href }));
  globalThis.ending = globalThis.model
    .download({ ...entry, files }, { file, signal: globalThis.control.signal, onProgress: (progress) => globalThis.progress.push(progress) })
    .then((stored) => ({ stored }), ({ code, message }) => ({ code, message }));
}

/** Downloads in the page; resolves to `{ stored }` or `{ code, message }`. */
export async function downloadIn(page, entry, content) {
  await page.evaluate(beginDownload, { entry, content });
  return page.evaluate(() => globalThis.ending);
}

/** What is stored, without what differs from run to run. */
export function listIn(page) {
  return page.evaluate(async () => {
    const { Store } = await import("./seealso/model/store.js");
    const stored = await (await Store.open()).list();
    return stored.map(({ name, complete, got, bytes, sha256 }) => ({ name, complete, got, bytes, sha256 }));
  });
}

/** Reads a stored model in the page as the model would; resolves to the hash of each file, or to `{ code, message }`. */
export function readIn(page) {
  return page.evaluate(async () => {
    const { Store } = await import("./seealso/model/store.js");
    const { storedWeights } = await import("./seealso/model/stream.js");
    const store = await Store.open();
    const [{ key }] = await store.list();
    try {
      const { files } = await storedWeights(store, key);
      const hashes = [];
      for (const { stream } of files) {
        // A response made of the stream would hide its error.
        const chunks = [];
        for await (const chunk of stream) {
          chunks.push(chunk);
        }
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await new Blob(chunks).arrayBuffer()));
        hashes.push(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
      }
      return hashes;
    } catch ({ code, message }) {
      return { code, message };
    }
  });
}
