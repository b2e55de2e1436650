// The parts of loading a model that need no browser: hashing, catalogs, downloads over a scripted network, the choice
// of tier and device.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { entryOfUrl, readCatalog } from "../../www/seealso/model/catalog.js";
import { LocalModel } from "../../www/seealso/model/client.js";
import { onFound, publishFound } from "../../www/seealso/model/device-memory.js";
import { chooseDevice, earlierChoice, rememberLoss, rememberWrong } from "../../www/seealso/model/device.js";
import { fetched } from "../../www/seealso/model/fetching.js";
import { chunkHash } from "../../www/seealso/model/fingerprint.js";
import { Kernels, compileKernels } from "../../www/seealso/model/kernels.js";
import { probe } from "../../www/seealso/model/probe.js";
import { Rate } from "../../www/seealso/model/rate.js";
import { probeOf } from "../../www/seealso/model/judge-probe.js";
import { Sha256 } from "../../www/seealso/model/sha256.js";
import { Store, keyOf } from "../../www/seealso/model/store.js";
import { storedWeights } from "../../www/seealso/model/stream.js";
import { chooseThreads } from "../../www/seealso/model/threads.js";
import { deviceFor, tierFor } from "../../www/seealso/model/reader-tier.js";
import { changeSettings, readSettings } from "../../www/seealso/model/settings.js";
import { TIERS, proposeTier, tierOfContext } from "../../www/seealso/model/tier.js";
import { download } from "../../www/seealso/model/weights.js";
import { deviceReasons, errors, size, tierReasons } from "../../www/seealso/model/words.js";

const GIB = 2 ** 30;

describe("SHA-256", () => {
  test("of the standard's examples", () => {
    const check = (text, expected) => assert.equal(new Sha256().update(new TextEncoder().encode(text)).hex(), expected);
    check("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  });

  test("is the same in whatever pieces the bytes come", () => {
    const bytes = randomBytes(4000);
    for (let length = 0; length < 300; length++) {
      const hash = new Sha256();
      for (let at = 0; at < length; at += 1 + (at % 97)) {
        hash.update(bytes.subarray(at, Math.min(length, at + 1 + (at % 97))));
      }
      assert.equal(hash.hex(), createHash("sha256").update(bytes.subarray(0, length)).digest("hex"), `${length} bytes`);
    }
  });
});

describe("a catalog", () => {
  const URL_OF_LIST = "https://site.example/models/models.json";
  const hash = "a".repeat(64);
  const file = { url: "a.gguf", bytes: 5, sha256: hash };

  const expected = { name: "a", title: "a", kind: "decoder", files: [{ url: "https://site.example/models/a.gguf", bytes: 5, sha256: hash }], format: "gguf", licence: "", architecture: "", context: null, tier: null, default: false };

  test("is read in both forms", () => {
    assert.deepEqual(readCatalog({ models: [{ name: "a", files: [file] }] }, URL_OF_LIST), [expected]);
    assert.deepEqual(readCatalog([{ name: "a", file: "a.gguf", size: 5, sha256: hash.toUpperCase(), default: true, context: 7, title: "A", kind: "encoder" }], URL_OF_LIST), [{ ...expected, default: true, context: 7, title: "A", kind: "encoder" }]);
  });

  test("proposes no model whose answers were measured to gain nothing", () => {
    const record = { questions: 4, facts: 9, quoted: 5, lost: 0, gained: 0 };
    const withRecord = (answers) => readCatalog([{ name: "a", file: "a.gguf", size: 5, sha256: hash, default: true, answers }], URL_OF_LIST)[0];
    assert.deepEqual(withRecord({ ...record, gained: 1 }), { ...expected, default: true, answers: { ...record, gained: 1 } });
    assert.deepEqual(withRecord(record), { ...expected, answers: record }, "a model without a gain is no default");
    assert.deepEqual(withRecord({ ...record, lost: 2, gained: 2 }).default, false);
    for (const unsound of [null, "much", { ...record, lost: -1 }, { ...record, quoted: 10 }, { ...record, facts: undefined }, { ...record, questions: 0 }]) {
      assert.deepEqual(withRecord(unsound), { ...expected, default: true }, "what is no record is none");
    }
  });

  test("has a model's record as a judge, where that is one", () => {
    const judge = { auc: 0.75, supports: 1, rejects: -1 };
    const of = (judge) => readCatalog([{ name: "a", files: [file], judge }], URL_OF_LIST)[0].judge;
    assert.deepEqual(of({ ...judge, more: 1 }), judge);
    const reading = { layers: 2, bias: 0.5, weights: "AAAAPwAAAMA=", ...judge, auc: 0.85 };
    assert.deepEqual(of({ ...judge, reading: { ...reading, more: 1 } }), { ...judge, reading });
    const broken = [{ layers: 0 }, { layers: 2 ** 32 + 1 }, { read: 0 }, { read: 3 }, { read: "1" }, { layers: 3, read: 3 }, { bias: "1" }, { weights: "AAAAPw=" }, { weights: "" }, { weights: "AADAfw==" }, { auc: 2 }];
    broken.forEach((part) => assert.deepEqual(of({ ...judge, reading: { ...reading, ...part } }), judge));
    assert.deepEqual([probeOf(reading).read, ...probeOf(reading).weights], [1, 0.5, -2]);
    const two = { ...reading, read: 2 };
    assert.deepEqual([of({ ...judge, reading: two }).reading, probeOf(two).read], [two, 2]);
    // Two units, whose weights are bytes: 127, -1, 0, 2; and two numbers, whose scales are 1 and 4.
    const units = { ...reading, units: [[0.5, -2, 0.5], [0, 1, 1]], scales: "AACAPwAAgEA=", weights: "f/8AAg==" };
    assert.deepEqual(of({ ...judge, reading: units }).reading, units);
    assert.deepEqual([[...probeOf(units).weights], [...probeOf(units).units]], [[63.5, -2, 0, 8], [0.5, -2, 0, 1]]);
    assert.equal(probeOf({ ...units, read: 2 }).read, 2);
    const many = { units: Array(257).fill([1, 2, 3]), scales: "AACAPw==", weights: btoa("\x01".repeat(257)) };
    assert.equal(probeOf({ ...units, ...many, units: many.units.slice(1), weights: btoa("\x01".repeat(256)) }).weights.length, 256);
    const wrong = [{ units: "two" }, { units: [[1, 2]] }, { units: [[1, 2, "3"]] }, { units: [[1, 2, 1e300]] }, { units: [[0, 1, 3e38], [0, 1, 1]] }, { units: Array(3).fill([1, 2, 3]) }, many, { scales: undefined }, { scales: "AACAPw==" }, { scales: "AADAfwAAgEA=" }, { weights: "" }, { weights: 5 }, { layers: 4, read: 4 }];
    wrong.forEach((part) => assert.deepEqual(of({ ...judge, reading: { ...units, ...part } }), judge, JSON.stringify(part).slice(0, 60)));
    // Adapters of one unit before two layers of two numbers: its weights, what it adds, and its bias.
    const adapters = { layers: 2, units: 1, weights: "AQL//gMEBQY=", scales: "AACAPwAAAEAAAIA/AAAAPw==", biases: "AAAAPwAAgD8=" };
    assert.deepEqual(of({ ...judge, reading: { ...units, adapters } }).reading, { ...units, adapters });
    const { numbers } = probeOf({ ...units, adapters }).adapters;
    assert.deepEqual([...numbers], [1, 2, -2, -4, 0.5, 0, 3, 4, 2.5, 3, 1, 0]);
    const unsound = [{ layers: 0 }, { layers: 1.5 }, { layers: 1 }, { units: 9 }, { units: "1" }, { weights: "AQL//gMEBQ==" }, { weights: undefined }, { scales: "AACAPw==" }, { biases: "" }, { biases: "AAAAPwAAwH8=" }];
    unsound.forEach((part) => assert.deepEqual(of({ ...judge, reading: { ...units, adapters: { ...adapters, ...part } } }), judge, JSON.stringify(part)));
    assert.deepEqual(of({ ...judge, reading: { ...units, adapters: null } }), judge);
    // One number behind each of two layers, and adapters of two.
    assert.deepEqual(of({ ...judge, reading: { ...units, read: 2, adapters } }), judge);
    assert.deepEqual(of({ ...judge, reading: { ...units, adapters: { ...adapters, more: 1 } } }).reading, { ...units, adapters });
    assert.equal(of({ reading }), undefined);
    [undefined, null, 5, {}, { ...judge, auc: "0.75" }, { ...judge, auc: 2 }, { ...judge, supports: -2 }].forEach((no) => assert.equal(of(no), undefined));
  });

  test("that is wrong says where", () => {
    const check = (list, expected) => assert.throws(() => readCatalog(list, URL_OF_LIST), (error) => error.code === "bad-catalog" && expected.test(error.message), JSON.stringify(list));
    check(null, /no list named models/);
    check({ models: 5 }, /no list named models/);
    check({ models: [null] }, /model 1 has no name/);
    check({ models: [{ name: "a", files: [] }] }, /model 1 has no files/);
    check({ models: [{ name: "a", files: [{ ...file, url: 5 }] }] }, /without an address/);
    check({ models: [{ name: "a", files: [{ ...file, url: "javascript:alert(1)" }] }] }, /not on a web server/);
    check({ models: [{ name: "a", files: [{ ...file, bytes: -1 }] }] }, /without its size/);
    check({ models: [{ name: "a", files: [{ ...file, sha256: "12" }] }] }, /without its SHA-256/);
    check({ models: [{ name: "a", files: [file] }, { name: "a", files: [file] }] }, /names a twice/);
  });

  test("is not needed for a file of one's own", () => {
    assert.deepEqual(entryOfUrl("https://hub.example/m/My%20model.gguf?x=1"), {
      name: "My model.gguf", title: "My model.gguf", kind: "decoder", files: [{ url: "https://hub.example/m/My%20model.gguf?x=1", bytes: null, sha256: null }], format: "gguf", licence: "", architecture: "", context: null, tier: null, default: false,
    });
    assert.throws(() => entryOfUrl("ftp://hub.example/a.gguf"), { code: "bad-call" });
  });
});

describe("a file from the network", () => {
  const BYTES = new Uint8Array(randomBytes(1000));
  const whole = { url: "https://hub.example/a", bytes: 1000, sha256: null };

  /** An answer with headers, of pieces; an error among them breaks it. */
  const answer = (status, headers, ...pieces) => {
    const stream = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        piece instanceof Error ? controller.error(piece) : piece ? controller.enqueue(piece) : controller.close();
      },
    }, { highWaterMark: 0 });
    return { ok: status < 300, status, headers: new Headers(headers), body: stream };
  };
  const partial = (from, headers = {}, ...pieces) => answer(206, { "content-range": `bytes ${from}-999/1000`, etag: '"1"', ...headers }, ...(pieces.length > 0 ? pieces : [BYTES.subarray(from)]));
  const BROKEN = new TypeError("network error");

  /** What comes of answers, one for each request: the bytes, or the code; and the ranges asked for. */
  const run = async (answers, { file = whole, place = { at: 0, validator: null } } = {}) => {
    const asked = [];
    let bytes = Buffer.from(BYTES.subarray(0, place.at));
    const fetch = async (_url, { headers, cache, referrerPolicy }) => {
      assert.deepEqual([cache, referrerPolicy], ["no-store", "no-referrer"]);
      asked.push(headers.Range ?? "");
      const next = answers.shift();
      if (next instanceof Error) {
        throw next;
      }
      return next;
    };
    try {
      for await (const piece of fetched(file, place, { fetch, wait: async () => {} })) {
        bytes = piece instanceof Uint8Array ? Buffer.concat([bytes, piece]) : bytes.subarray(0, piece.begin);
      }
      return { same: bytes.equals(BYTES), asked };
    } catch ({ code }) {
      return { code, asked };
    }
  };
  const check = (what, answers, expected, options) => test(what, async () => assert.deepEqual(await run(answers, options), expected));
  const half = () => answer(200, { etag: '"1"' }, BYTES.subarray(0, 400), BROKEN);
  const all = () => answer(200, { etag: '"1"' }, BYTES);

  check("comes at once", [all()], { same: true, asked: [""] });
  check("goes on where it broke", [half(), partial(400)], { same: true, asked: ["", "bytes=400-"] });
  check("begins anew where the server knows no ranges", [half(), all()], { same: true, asked: ["", "bytes=400-"] });
  check("begins anew where it is another version", [half(), partial(400, { etag: '"2"' }), all()], { same: true, asked: ["", "bytes=400-", ""] });
  check("begins anew where the range is another one", [half(), partial(500), all()], { same: true, asked: ["", "bytes=400-", ""] });
  check("begins anew where the range is said not to exist", [half(), answer(416, {}), all()], { same: true, asked: ["", "bytes=400-", ""] });
  check("trusts no weak ETag", [answer(200, { etag: 'W/"1"' }, BYTES.subarray(0, 400), BROKEN), all()], { same: true, asked: ["", ""] });
  check("takes Last-Modified for a version", [answer(200, { "last-modified": "x" }, BYTES.subarray(0, 400), BROKEN), partial(400, { etag: "", "last-modified": "x" })], { same: true, asked: ["", "bytes=400-"] });
  check("goes on without a version where the hash is known", [partial(400, { etag: "" })], { same: true, asked: ["bytes=400-"] },
    { file: { ...whole, sha256: "0" }, place: { at: 400, validator: null } });
  check("goes on by its length where the range can't be read", [answer(206, { "content-length": "600" }, BYTES.subarray(400))], { same: true, asked: ["bytes=400-"] },
    { file: { ...whole, sha256: "0" }, place: { at: 400, validator: null } });
  check("is tried four times without a new byte", Array(9).fill(BROKEN), { code: "network", asked: ["", "", "", ""] });
  check("is tried on while bytes come", [half(), partial(400, {}, BYTES.subarray(400, 500), BROKEN), partial(500, {}, BYTES.subarray(500, 600), BROKEN), partial(600, {}, BYTES.subarray(600, 700), BROKEN), BROKEN, partial(700)],
    { same: true, asked: ["", "bytes=400-", "bytes=500-", "bytes=600-", "bytes=700-", "bytes=700-"] });
  check("that is missing is not tried again", [answer(404, {})], { code: "status", asked: [""] });
  check("of a busy server is tried again", [answer(503, {}), all()], { same: true, asked: ["", ""] });
  check("that is a web page is refused", [answer(200, { "content-type": "text/html" }, BYTES)], { code: "web-page", asked: [""] });
  check("that is longer than promised is refused", [answer(200, {}, BYTES, BYTES)], { code: "too-long", asked: [""] });
  check("of unknown length ends where it ends", [answer(200, {}, BYTES)], { same: true, asked: [""] }, { file: { ...whole, bytes: null } });
  check("that is compressed has another length", [answer(200, { "content-encoding": "gzip", "content-length": "5" }, BYTES)], { same: true, asked: [""] }, { file: { ...whole, bytes: null } });

  test("that stays silent is given up", async () => {
    const place = { at: 0, validator: null };
    const fetch = (_url, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const read = async () => {
      for await (const _ of fetched(whole, place, { fetch, wait: async () => {}, stallMs: 1 }));
    };
    await assert.rejects(read, { code: "stalled" });
  });
});

test("a download that can't fit is refused before anything is asked for", async () => {
  const entry = readCatalog([{ name: "a", file: "a.gguf", size: 5_000_000, sha256: "a".repeat(64) }], "https://site.example/");
  const store = { alone: (_key, action) => action(), record: async () => null, list: async () => [] };
  const storage = { estimate: async () => ({ quota: 9_000_000, usage: 7_000_000 }) };
  const refused = download(entry[0], { store, storage, fetch: () => assert.fail("asked") });
  await assert.rejects(refused, { code: "no-space", message: /It takes 5\.0 MB more, and this browser leaves this page 2\.0 MB/ });
});

describe("a model whose content is described anew", () => {
  const CONTENT = randomBytes(1000);
  const sha256 = createHash("sha256").update(CONTENT).digest("hex");
  const entryAt = (host, more = {}) => ({
    name: "a", title: "A", kind: "decoder", format: "other", tier: "micro", files: [{ url: `https://${host}/a`, bytes: 1000, sha256 }], ...more,
  });

  /** A store in memory that has one model, `got` bytes of it. */
  const storeOf = (entry, got) => {
    const complete = got === 1000;
    const files = [{ bytes: 1000, validator: null, sha256: null, chunks: [], complete }];
    const store = {
      kept: { version: 1, key: keyOf(entry), entry, files, complete },
      alone: (_key, action) => action(),
      record: async () => structuredClone(store.kept),
      keep: async (record) => {
        store.kept = structuredClone(record);
      },
      list: async () => [{ key: store.kept.key, got }],
      append: async () => ({
        size: got,
        read: (bytes, at) => bytes.set(CONTENT.subarray(at, at + bytes.length)),
        write(bytes) {
          this.size += bytes.length;
        },
        truncate(size) {
          this.size = size;
        },
        close() {},
      }),
    };
    return store;
  };

  test("is gone on with from where the reader consented to", async () => {
    const asked = [];
    const fetch = async (url, { headers }) => {
      asked.push([url, headers.Range]);
      const rest = { "content-range": "bytes 400-999/1000", "content-length": "600" };
      return new Response(CONTENT.subarray(400), { status: 206, headers: rest });
    };
    const store = storeOf(entryAt("old.example"), 400);
    await download(entryAt("new.example"), { store, fetch });
    assert.deepEqual(asked, [["https://new.example/a", "bytes=400-"]]);
    assert.deepEqual([store.kept.complete, store.kept.entry.files[0].url], [true, "https://new.example/a"]);
  });

  test("is known by its new description", async () => {
    const store = storeOf(entryAt("old.example"), 1000);
    await download(entryAt("new.example", { title: "B", tier: "small" }), { store, fetch: () => assert.fail("asked") });
    assert.deepEqual([store.kept.entry.title, store.kept.entry.tier], ["B", "small"]);
  });

  test("is so without a download, once a catalog says it", async () => {
    const store = storeOf(entryAt("old.example"), 1000);
    const { key, entry, complete } = store.kept;
    const real = Object.assign(new Store(null, null), { record: store.record, keep: store.keep });
    const said = [entryAt("new.example", { title: "B" })];
    await real.renew([{ key, entry, complete: false }], said);
    assert.equal(store.kept.entry.title, "A");
    await real.renew([{ key, entry, complete }], said);
    assert.equal(store.kept.entry.title, "B");
  });
});

describe("a model's files on their way to its loader", () => {
  const FILES = [randomBytes(1000), randomBytes(500)];

  test("are opened one by one, and closed where the rest is not wanted", async () => {
    const open = new Set();
    const opened = [];
    const files = await Promise.all(FILES.map(async (bytes) => ({ bytes: bytes.length, chunks: [await chunkHash(bytes)] })));
    const store = {
      record: async (key) => ({ key, complete: true, entry: { title: "A" }, files }),
      source: async (_key, index) => {
        opened.push(index);
        open.add(index);
        return {
          size: FILES[index].length,
          read: async (bytes, at) => FILES[index].copy(bytes, 0, at, at + bytes.length),
          close: () => open.delete(index),
        };
      },
    };
    const stored = await storedWeights(store, "key");
    await new Promise(setImmediate);
    assert.deepEqual(opened, []);
    const reader = stored.files[0].stream.getReader();
    assert.deepEqual(Buffer.from((await reader.read()).value), FILES[0]);
    assert.deepEqual(opened, [0]);
    await Promise.all([reader.cancel(), stored.files[1].stream.cancel()]);
    assert.deepEqual([opened, [...open]], [[0], []]);
  });

  test("are let go where the loader refuses one", async (t) => {
    // Node would wait for an open channel for ever.
    const { MessageChannel } = globalThis;
    t.after(() => Object.assign(globalThis, { MessageChannel }));
    globalThis.MessageChannel = class {
      port1 = {};
      port2 = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
    };
    const { fedModel } = await import("../../www/seealso/model/feeding.js");
    const asked = [];
    const fetch = async (url) => {
      asked.push(url);
      return new Response(FILES[0]);
    };
    const entry = { title: "A", format: "other", files: ["a", "b"].map((name) => ({ url: `https://site.example/${name}`, bytes: 1000, sha256: null })) };
    const freed = t.mock.fn();
    const loader = { feed: () => Promise.reject(Object.assign(new Error("no"), { code: "unsupported" })), free: freed };
    await assert.rejects(fedModel({ entry }, () => loader, { fetch, onProgress() {} }), { code: "unsupported" });
    assert.deepEqual([asked, freed.mock.callCount()], [["https://site.example/a"], 1]);
  });
});

test("the rate is that of the last seconds, and is told now and then", () => {
  const told = [];
  let now = 0;
  const rate = new Rate("a", 100_000, (progress) => told.push([now, progress.bytes, Math.round(progress.rate)]), () => now);
  for (now = 0; now <= 10_000; now += 100) {
    rate.got(now < 5000 ? 100 : 200, "downloading");
  }
  rate.stop();
  assert.deepEqual(told.slice(0, 3), [[0, 100, 0], [300, 400, 1000], [600, 700, 1000]]);
  const [, bytes, last] = told.at(-1);
  assert.ok(bytes > 14_000 && last > 1900 && last <= 2000, `${bytes} bytes, ${last} a second`);
});

test("sizes are written as people do", () => {
  const check = (bytes, expected) => assert.equal(size(bytes), expected);
  check(0, "0 bytes");
  check(999, "999 bytes");
  check(1000, "1 kB");
  check(98_400_000, "98 MB");
  check(999_600_000, "1.0 GB");
  check(4_960_000, "5.0 MB");
  check(1_234_000_000, "1.2 GB");
});

describe("the tier", () => {
  test("has the engine's names and budgets", async () => {
    const source = await readFile(new URL("../../src/tier.rs", import.meta.url), "utf8");
    const rows = [...source.matchAll(/\(Tier::\w+, "([\w-]+)", ([\d_]+), [\d_]+\)/g)].map(([, name, chars]) => [name, Number(chars.replaceAll("_", ""))]);
    assert.deepEqual(TIERS.map(({ name, chars }) => [name, chars]), rows);
  });

  const adapter = (gigabytes) => ({ maxBufferSize: gigabytes * GIB });
  const cases = [
    ["no hints", {}, "micro", "cpu-only"],
    ["a processor with much memory", { device: "cpu", adapter: adapter(4), memory: 32 }, "micro", "cpu-only"],
    ["a graphics processor that went away", { device: "webgpu", adapter: null }, "micro", "cpu-only"],
    ["WebGPU's default limits", { device: "webgpu", adapter: adapter(0.25), memory: 8 }, "micro", "small-buffers"],
    ["a phone", { device: "webgpu", adapter: adapter(1), memory: 4 }, "micro", "small-buffers"],
    ["a small graphics processor", { device: "webgpu", adapter: adapter(2), memory: 8 }, "small", "small-buffers"],
    ["little memory beside it", { device: "webgpu", adapter: adapter(4), memory: 4 }, "small", "little-memory"],
    ["memory that is not told", { device: "webgpu", adapter: adapter(4), memory: null }, "small", "memory-unknown"],
    ["a good one", { device: "webgpu", adapter: adapter(4), memory: 8 }, "mid", "roomy"],
    ["a shade less than 8 GB", { device: "webgpu", adapter: adapter(3.99), memory: 8 }, "mid", "roomy"],
    ["more than browsers show", { device: "webgpu", adapter: adapter(4), memory: 32 }, "mid", "small-buffers"],
    ["a good one that is slow", { device: "webgpu", adapter: adapter(4), memory: 8, speed: { prefill: 50 } }, "small", "slow"],
    ["a good one that is fast enough", { device: "webgpu", adapter: adapter(4), memory: 8, speed: { prefill: 60 } }, "mid", "roomy"],
    ["nothing smaller to read", { device: "webgpu", adapter: adapter(2), memory: 8, speed: { prefill: 1 } }, "small", "small-buffers"],
    ["the reader's choice", { device: "cpu", chosen: "server-l" }, "server-l", "chosen"],
    ["a choice that there is not", { device: "cpu", chosen: "huge" }, "micro", "cpu-only"],
  ];
  for (const [what, hints, tier, code] of cases) {
    test(what, () => {
      const proposed = proposeTier(hints);
      assert.deepEqual([proposed.tier, proposed.reason.code], [tier, code]);
      assert.doesNotMatch(tierReasons[code](proposed.reason), /undefined|NaN/);
    });
  }
});

describe("the reader's choices", () => {
  test("hold where the browser keeps nothing for the page", () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
    const refuse = () => {
      throw new DOMException("not here", "SecurityError");
    };
    Object.defineProperty(globalThis, "localStorage", { value: { getItem: refuse, setItem: refuse }, configurable: true });
    try {
      changeSettings({ writer: "node", node: { base: "https://node.example/v1" } });
      changeSettings({ tier: "large" });
      const { writer, node, tier, device } = readSettings();
      assert.deepEqual([writer, node.base, tier, device], ["node", "https://node.example/v1", "large", "auto"]);
    } finally {
      before ? Object.defineProperty(globalThis, "localStorage", before) : delete globalThis.localStorage;
    }
  });
});

describe("choices of earlier visits", () => {
  test("hold once nothing is being answered, however that ended", async (t) => {
    const kept = {};
    const globals = { document: { baseURI: "https://site.example/", querySelector: () => ({}) }, localStorage: { getItem: (key) => kept[key] ?? null, setItem: (key, value) => (kept[key] = value) } };
    for (const [name, value] of Object.entries(globals)) {
      const before = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
      t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
    }
    changeSettings({ writer: "node", tier: null, node: { base: "https://node.example/v1", context: 8192 } });
    const { applyKept } = await import("../../www/model.js");
    const chat = Object.assign(new EventTarget(), { busy: true, tier: "" });
    const applied = applyKept(chat);
    // Of a question that is still gone on with, and of one that took the place of the last.
    for (const name of ["answer", "error", "idle"]) {
      await new Promise((resolve) => setTimeout(resolve));
      chat.dispatchEvent(new Event(`see-also:${name}`));
      assert.equal(chat.tier, "", name);
    }
    chat.busy = false;
    await new Promise((resolve) => setTimeout(resolve));
    chat.dispatchEvent(new Event("see-also:idle"));
    await applied;
    assert.deepEqual([chat.tier, kept["seealso-tier"]], ["mid", "mid"]);
  });
});

describe("the tier that holds", () => {
  test("of a node follows from its context", () => {
    const tiers = [undefined, 0, 2048, 4096, 8192, 16_384, 32_768, 131_072].map(tierOfContext);
    assert.deepEqual(tiers, ["mid", "mid", "micro", "micro", "mid", "large", "server-s", "server-s"]);
  });

  test("is the reader's own, or that of who writes", async () => {
    const settings = { writer: "none", device: "auto", tier: null, model: null, node: null };
    const machine = { webgpu: true, adapter: { key: "a", software: false, features: [], limits: { maxBufferSize: 4 * GIB, maxStorageBufferBindingSize: GIB } }, memory: 8, cores: 8, isolated: false };
    const probe = async () => machine;
    const check = async (changes, expected) => assert.equal(await tierFor({ ...settings, ...changes }, { probe }), expected, JSON.stringify(changes));
    await check({}, null);
    await check({ tier: "xl" }, "xl");
    await check({ model: "key" }, null);
    await check({ writer: "local" }, null);
    await check({ writer: "local", model: "key" }, "mid");
    await check({ writer: "local", model: "key", device: "cpu" }, "micro");
    await check({ writer: "local", model: "key", tier: "large" }, "large");
    await check({ writer: "browser", model: "key" }, null);
    await check({ writer: "node", node: { context: null, found: { name: "m", context: 8192 } } }, "mid");
    await check({ writer: "node", node: { context: 32_768, found: { name: "m", context: 8192 } } }, "server-s");
    await check({ writer: "node", node: { context: null, found: null } }, "mid");
    await check({ writer: "node", node: { context: null, found: { name: "m", context: 0 } } }, "mid");
  });

  describe("of a local model", () => {
    const adapter = { key: "a", software: false, features: [], limits: { maxBufferSize: 4 * GIB, maxStorageBufferBindingSize: GIB } };
    const machine = { webgpu: true, adapter, memory: 8, cores: 8, isolated: false };
    const settings = { writer: "local", device: "auto", tier: null, model: "key", node: null };
    const slow = { decode: 9, prefill: 20 };
    const onGpu = (speed) => ({ device: "webgpu", reason: { code: "faster", device: "webgpu", gpu: 9, cpu: 1 }, speeds: { webgpu: speed } });
    const onCpu = { device: "cpu", reason: { code: "lost" }, speeds: {} };
    const tierOf = (known, changes = {}) => tierFor({ ...settings, ...changes }, { probe: async () => machine, ...known });

    test("follows what the loaded one was found to run on, and how fast that is", async () => {
      assert.equal(await tierOf({ found: onGpu({ decode: 9, prefill: 900 }) }), "mid");
      assert.equal(await tierOf({ found: onGpu(slow) }), "small");
      assert.equal(await tierOf({ found: onCpu }), "micro");
    });

    test("is told of that one alone, as it was loaded", async (t) => {
      const heard = t.mock.fn();
      onFound(heard);
      t.after(() => publishFound(null));
      publishFound({ model: "key", wish: "auto", ...onCpu });
      assert.equal(heard.mock.callCount(), 1);
      assert.equal(deviceFor(settings, machine).reason.code, "lost");
      assert.deepEqual([await tierOf(), await tierOf({}, { model: "other" }), await tierOf({}, { device: "webgpu" })], ["micro", "mid", "mid"]);
    });

    test("follows what earlier visits found", async () => {
      const remembered = (version, userAgent, known) => ({ [`a|${version}|${userAgent}`]: known });
      const choose = (known, wish = "auto") => earlierChoice(known, machine, wish, "browser");
      const found = { right: true, choice: onGpu(slow), speeds: { webgpu: slow } };
      assert.deepEqual(choose(remembered("1", "browser", found)), onGpu(slow));
      assert.deepEqual(choose(remembered("1", "browser", found), "webgpu"), { device: "webgpu", reason: { code: "chosen" }, speeds: { webgpu: slow } });
      assert.deepEqual(choose({ ...remembered("1", "browser", found), ...remembered("2", "browser", { right: true, losses: 2 }) }), onCpu);
      assert.equal(choose({ "threads|8|1|browser": { threads: 8, speed: slow } }), null);
      assert.equal(choose(remembered("1", "another", found)), null);
      assert.equal(choose(remembered("1", "browser", { right: true })), null);
      const known = remembered("1", globalThis.navigator?.userAgent, found);
      assert.equal(await tierOf({ remembered: known }), "small");
      assert.equal(await tierOf({ remembered: known }, { device: "cpu" }), "micro");
    });
  });
});

describe("the device", () => {
  const ADAPTER = { key: "maker/kind//", software: false, features: ["timestamp-query"], limits: { maxBufferSize: GIB, maxStorageBufferBindingSize: 128 << 20 } };
  const MACHINE = { webgpu: true, adapter: ADAPTER, memory: 8, cores: 4, isolated: false };
  const SPEEDS = { webgpu: { decode: 40, prefill: 400 }, cpu: { decode: 20, prefill: 90 } };

  /** What is known of a machine, with each call written down. */
  const checks = (changes = {}) => {
    const calls = [];
    const noted = (name, action) => (device) => {
      calls.push(`${name} ${device}`);
      return action(device);
    };
    return {
      calls, machine: MACHINE, memory: new Map(), versions: ["1"], checkMs: 50, ...changes,
      knownAnswer: noted("knownAnswer", changes.knownAnswer ?? (async () => true)),
      calibrate: noted("calibrate", changes.calibrate ?? (async (device) => SPEEDS[device])),
    };
  };
  const never = () => new Promise(() => {});
  const fails = async () => {
    throw new Error("no luck");
  };

  const cases = [
    ["the faster one: graphics", {}, "webgpu", "faster", 3],
    ["the faster one: processor", { calibrate: async (device) => ({ decode: device === "cpu" ? 9 : 8, prefill: 1 }) }, "cpu", "faster", 3],
    ["no WebGPU", { machine: { ...MACHINE, webgpu: false, adapter: null } }, "cpu", "no-webgpu", 0],
    ["no adapter", { machine: { ...MACHINE, adapter: null } }, "cpu", "no-adapter", 0],
    ["a simulated adapter", { machine: { ...MACHINE, adapter: { ...ADAPTER, software: true } } }, "cpu", "software", 0],
    ["a simulated adapter that the reader wants", { wish: "webgpu", machine: { ...MACHINE, adapter: { ...ADAPTER, software: true } } }, "webgpu", "chosen", 1],
    ["a missing feature", { needs: { features: ["timestamp-query", "shader-f16"] } }, "cpu", "missing-feature", 0],
    ["a limit too small", { needs: { limits: { maxStorageBufferBindingSize: 138 << 20 } } }, "cpu", "too-small", 0],
    ["wrong results", { knownAnswer: async () => false }, "cpu", "wrong-answer", 1],
    ["wrong results, though the reader wants it", { wish: "webgpu", knownAnswer: async () => false }, "cpu", "wrong-answer", 1],
    ["a check that fails", { knownAnswer: fails }, "cpu", "failed", 1],
    ["a check that fails at once", { knownAnswer: () => { throw new Error("no luck"); } }, "cpu", "failed", 1],
    ["a check that never ends", { knownAnswer: never }, "cpu", "silent", 1],
    ["a calibration that fails", { calibrate: fails }, "cpu", "not-calibrated", 3],
    ["a calibration that never ends", { calibrate: never }, "cpu", "not-calibrated", 3],
    ["a speed that is no number", { calibrate: async () => ({ decode: NaN }) }, "cpu", "not-calibrated", 3],
    ["the reader's processor", { wish: "cpu" }, "cpu", "chosen", 0],
  ];
  for (const [what, changes, device, code, calls] of cases) {
    test(what, async () => {
      const known = checks(changes);
      const choice = await chooseDevice(known);
      assert.deepEqual([choice.device, choice.reason.code, known.calls.length], [device, code, calls]);
      assert.doesNotMatch(deviceReasons[code](choice.reason), /undefined|NaN/);
    });
  }

  test("is remembered until something changes", async () => {
    const first = checks();
    const choice = await chooseDevice(first);
    const memory = new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries(first.memory)))));
    const second = checks({ memory });
    assert.deepEqual(await chooseDevice(second), choice);
    assert.deepEqual(second.calls, []);
    for (const change of [{ versions: ["2"] }, { machine: { ...MACHINE, adapter: { ...ADAPTER, key: "other" } } }]) {
      const other = checks({ memory, ...change });
      await chooseDevice(other);
      assert.equal(other.calls.length, 3);
    }
  });

  test("with wrong results is remembered, one that was only silent is tried again", async () => {
    for (const [knownAnswer, calls] of [[async () => false, 1], [never, 2], [fails, 2]]) {
      const known = checks({ knownAnswer });
      await chooseDevice(known);
      assert.equal((await chooseDevice(known)).device, "cpu");
      assert.equal(known.calls.length, calls);
    }
  });

  test("with wrong results for a model is not tried again", async () => {
    const known = checks();
    await chooseDevice(known);
    rememberWrong(known);
    assert.deepEqual(await chooseDevice(known), { device: "cpu", reason: { code: "wrong-answer" }, speeds: {} });
  });

  test("is not chosen further once the reader stops, and nothing is remembered of it", async () => {
    for (const after of [1, 2, 3]) {
      const known = checks();
      known.throwIfStopped = async () => {
        if (known.calls.length === after) {
          throw Object.assign(new Error("stopped"), { code: "cancelled" });
        }
      };
      await assert.rejects(chooseDevice(known), { code: "cancelled" });
      assert.deepEqual([known.calls.length, known.memory.size], [after, 0]);
    }
  });

  test("that was lost twice is not tried again", async () => {
    const known = checks();
    assert.equal((await chooseDevice(known)).device, "webgpu");
    rememberLoss(known);
    assert.equal((await chooseDevice(known)).device, "webgpu");
    rememberLoss(known);
    assert.deepEqual(await chooseDevice(known), { device: "cpu", reason: { code: "lost" }, speeds: {} });
  });
});

describe("the number of threads", () => {
  const ISOLATED = { cores: 8, isolated: true };

  /** Speeds by the number of threads, with each measurement written down. */
  const measuring = (speeds) => {
    const measured = [];
    return { measured, measure: async (threads) => {
      measured.push(threads);
      const [decode, prefill] = speeds[threads];
      return { decode, prefill };
    } };
  };
  const cases = [
    ["all cores, where that is fastest", ISOLATED, { 1: [10, 90], 8: [30, 500], 4: [28, 300] }, 8, [1, 8, 4]],
    ["half of them, where all are slower", ISOLATED, { 1: [10, 90], 8: [12, 500], 4: [28, 300] }, 4, [1, 8, 4]],
    ["one, where more write slower", ISOLATED, { 1: [10, 90], 8: [9, 500], 4: [8, 300] }, 1, [1, 8, 4]],
    ["one, where more read slower", ISOLATED, { 1: [10, 90], 8: [30, 80], 4: [30, 89] }, 1, [1, 8, 4]],
    ["two cores", { cores: 2, isolated: true }, { 1: [10, 90], 2: [18, 170] }, 2, [1, 2]],
    ["one core", { cores: 1, isolated: true }, {}, 1, []],
    ["no isolation", { cores: 8, isolated: false }, {}, 1, []],
    ["what can't be measured", ISOLATED, {}, 1, [1]],
  ];
  for (const [what, machine, speeds, threads, expected] of cases) {
    test(what, async () => {
      const { measured, measure } = measuring(speeds);
      assert.equal((await chooseThreads(machine, measure)).threads, threads);
      assert.deepEqual(measured, expected);
    });
  }

  test("is remembered until something changes", async () => {
    const memory = new Map();
    const { measured, measure } = measuring({ 1: [10, 90], 8: [30, 500], 4: [28, 300] });
    for (const versions of [["1"], ["1"], ["2"]]) {
      assert.deepEqual(await chooseThreads(ISOLATED, measure, { versions, memory }), { threads: 8, speed: { decode: 30, prefill: 500 } });
    }
    assert.deepEqual(measured, [1, 8, 4, 1, 8, 4]);
  });

  test("is not measured further once the reader stops", async () => {
    const memory = new Map();
    const { measured, measure } = measuring({ 1: [10, 90], 8: [30, 500], 4: [28, 300] });
    const throwIfStopped = async () => {
      if (measured.length === 2) {
        throw Object.assign(new Error("stopped"), { code: "cancelled" });
      }
    };
    await assert.rejects(chooseThreads(ISOLATED, measure, { memory, throwIfStopped }), { code: "cancelled" });
    assert.deepEqual([measured, memory.size], [[1, 8], 0]);
  });

  test("is measured again where the module for several did not come", async () => {
    const memory = new Map();
    let missing = true;
    const { measured, measure } = measuring({ 1: [10, 90], 8: [30, 500], 4: [28, 300] });
    const trying = async (count) => {
      if (missing && count > 1) {
        throw Object.assign(new Error("status 404"), { code: "no-threads" });
      }
      return measure(count);
    };
    assert.equal((await chooseThreads(ISOLATED, trying, { memory })).threads, 1);
    assert.equal(memory.size, 0);
    missing = false;
    assert.equal((await chooseThreads(ISOLATED, trying, { memory })).threads, 8);
    assert.deepEqual(measured, [1, 1, 8, 4]);
  });
});

test("a thread that crashes ends the worker that waits for it", async (t) => {
  const hold = (changes) => {
    for (const [name, value] of Object.entries(changes)) {
      const before = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
      t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
    }
  };
  const workers = [];
  hold({ Worker: class extends EventTarget {
    ended = false;

    constructor(_url, { name }) {
      super();
      this.name = name;
      workers.push(this);
    }

    postMessage() {}

    terminate() {
      this.ended = true;
    }
  } });
  const model = new LocalModel();
  const loading = model.load({ key: "key" });
  const [{ name: trouble }] = workers;
  let begin;
  hold({ addEventListener: (_name, hear) => (begin = hear), postMessage() {} });
  await import("../../www/seealso/model/kernels-worker.js");
  t.mock.method(WebAssembly, "Instance", class {
    exports = {
      __stack_pointer: {},
      __wasm_init_tls() {},
      worker_loop() {
        throw new WebAssembly.RuntimeError("unreachable");
      },
    };
  });
  const channels = [];
  const { BroadcastChannel: Channel } = globalThis;
  hold({ BroadcastChannel: class extends Channel {
    constructor(name) {
      super(name);
      channels.push(this);
    }
  } });
  t.after(() => channels.forEach((channel) => channel.close()));
  assert.throws(() => begin({ data: { trouble } }), WebAssembly.RuntimeError);
  await assert.rejects(loading, { code: "crashed" });
  assert.deepEqual(workers.map(({ ended }) => ended), [true]);
});

describe("the module for several threads", () => {
  /** A module that exports one page of memory. */
  const WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 10, 1, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0]);

  test("may be missing, and is then asked for again", async (t) => {
    const asked = [];
    let status = 404;
    const stand = { fetch: globalThis.fetch, crossOriginIsolated: globalThis.crossOriginIsolated, Worker: globalThis.Worker };
    t.after(() => Object.assign(globalThis, stand));
    Object.assign(globalThis, {
      crossOriginIsolated: true,
      Worker: class {},
      fetch: async (url) => {
        asked.push(new URL(url).pathname);
        return new Response(WASM, { status: String(url).includes("threads") ? status : 200 });
      },
    });
    t.mock.method(WebAssembly, "validate", () => true);
    const compiled = await compileKernels("https://site.example/");
    assert.equal((await Kernels.start(compiled, { threads: 8 })).threads, 1);
    await assert.rejects(compiled.threaded(), { code: "no-threads", message: /404/ });
    status = 200;
    assert.ok(await compiled.threaded() instanceof WebAssembly.Module);
    await compiled.threaded();
    assert.deepEqual(asked, ["/kernels-relaxed.wasm", ...Array(3).fill("/kernels-threads.wasm")]);
  });
});

describe("probing", () => {
  const gpu = (adapter) => ({ requestAdapter: async () => adapter });
  const limits = { maxBufferSize: 5, maxStorageBufferBindingSize: 4, other: 1 };
  const adapter = (info, more = {}) => ({ info, features: new Set(["b", "a"]), limits, ...more });

  test("tells what there is", async () => {
    const check = async (navigator, expected) => {
      const { webgpu, adapter, memory, cores } = await probe({ navigator, isolated: false });
      assert.deepEqual([webgpu, adapter && [adapter.key, adapter.software], memory, cores], expected);
    };
    await check({}, [false, null, null, 1]);
    await check({ gpu: gpu(null), deviceMemory: 8, hardwareConcurrency: 4 }, [true, null, 8, 4]);
    await check({ gpu: { requestAdapter: () => Promise.reject(new Error()) } }, [true, null, null, 1]);
    await check({ gpu: gpu(adapter({ vendor: "v", architecture: "a" })) }, [true, ["v/a//", false], null, 1]);
    await check({ gpu: gpu(adapter({ vendor: "google", architecture: "swiftshader" })) }, [true, ["google/swiftshader//", true], null, 1]);
    await check({ gpu: gpu(adapter({ isFallbackAdapter: true })) }, [true, ["///", true], null, 1]);
    await check({ gpu: gpu(adapter(undefined, { isFallbackAdapter: true })) }, [true, ["///", true], null, 1]);
  });
});

test("every reason and error has words for the reader", () => {
  const detail = new Proxy({}, { get: (_, name) => ({ reason: {} }[name] ?? 1000) });
  for (const texts of [errors, deviceReasons, tierReasons]) {
    for (const [code, text] of Object.entries(texts)) {
      assert.match(text(detail), /^.*\.$/s, code);
    }
  }
});
