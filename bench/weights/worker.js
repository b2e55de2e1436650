// Measures inside a worker, where the store writes and the model reads. In: MiB, to measure storage and hashes, or null,
// to read the model that is stored. Out: bytes a second by name.

import { Sha256 } from "./seealso/model/sha256.js";
import { Store } from "./seealso/model/store.js";
import { storedWeights } from "./seealso/model/stream.js";

const PIECE = 4 << 20;

addEventListener("message", async ({ data: mib }) => {
  try {
    postMessage(mib === null ? await readStored() : await measure((mib << 20) / PIECE));
  } catch (error) {
    postMessage({ error: String(error) });
  }
});

async function measure(pieces) {
  const piece = new Uint8Array(PIECE);
  for (let at = 0; at < PIECE; at += 1 << 16) {
    crypto.getRandomValues(piece.subarray(at, at + (1 << 16)));
  }
  const rates = {};
  const timed = async (name, each, end = () => {}) => {
    const started = performance.now();
    for (let at = 0; at < pieces; at++) {
      await each(at * PIECE, at);
    }
    await end();
    rates[name] = (pieces * PIECE * 1000) / (performance.now() - started);
  };
  await inFiles(timed, piece);
  await inCache(timed, piece, pieces);
  await timed("SHA-256 of the browser", () => crypto.subtle.digest("SHA-256", piece));
  const hash = new Sha256();
  await timed("SHA-256 of ours", () => hash.update(piece), () => hash.hex());
  return rates;
}

/** As the model's worker reads weights: in checked chunks. */
async function readStored() {
  const store = await Store.open();
  const [{ key, bytes }] = await store.list();
  const started = performance.now();
  const { files } = await storedWeights(store, key);
  const reader = files[0].stream.getReader();
  while (!(await reader.read()).done);
  return { "read back, each chunk checked": (bytes * 1000) / (performance.now() - started) };
}

async function inFiles(timed, piece) {
  const root = await navigator.storage.getDirectory();
  const handle = await root.getFileHandle("bench", { create: true });
  const access = await handle.createSyncAccessHandle();
  await timed("write, file with access handle", (at) => access.write(piece, { at }), () => access.flush());
  await timed("read, file with access handle", (at) => access.read(piece, { at }));
  access.close();
  const file = await handle.getFile();
  await timed("read, file in slices", (at) => file.slice(at, at + PIECE).arrayBuffer());
  const writable = await handle.createWritable();
  await timed("write, file with stream", () => writable.write(piece), () => writable.close());
  await root.removeEntry("bench");
}

async function inCache(timed, piece, pieces) {
  const cache = await caches.open("bench");
  let sent = 0;
  const stream = new ReadableStream({ pull: (controller) => (sent++ < pieces ? controller.enqueue(piece.slice()) : controller.close()) });
  const whole = cache.put("/whole", new Response(stream));
  await timed("write, cache in one entry", () => {}, () => whole);
  const reader = (await cache.match("/whole")).body.getReader();
  await timed("read, cache in one entry", () => {}, async () => {
    while (!(await reader.read()).done);
  });
  await timed("write, cache in an entry a piece", (_at, index) => cache.put(`/${index}`, new Response(piece)));
  await timed("read, cache in an entry a piece", async (_at, index) => (await cache.match(`/${index}`)).arrayBuffer());
  await caches.delete("bench");
}
