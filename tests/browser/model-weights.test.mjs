// Weights of a local model on their way into the browser's storage: complete and as promised, or an error that says
// what to do; and what came before a reload or a broken connection is not downloaded again.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, launchPersistent, newPage } from "./support/browser.mjs";
import { missing, send, serve, webPage } from "./support/server.mjs";
import { SITE, temporary } from "./support/site.mjs";
import { MIB, beginDownload, broken, downloadIn, entryOf, held, listIn, randomWeights, ranged, readIn, sha256, short } from "./support/weights.mjs";

const SIZE = 9 * MIB + 17;

describe("weights", () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  /** A page of its own storage, and weights that its server has. */
  const open = async (t, options, size = SIZE) => {
    const weights = randomWeights(size, "/models/a.bin");
    server.faults.set(weights.path, ranged(weights, options));
    const { page, context } = await newPage(browser);
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    await page.goto(server.url);
    return { page, context, weights, entry: entryOf("a", weights) };
  };

  test("are stored, and read as they were sent", async (t) => {
    const asked = [];
    const { page, weights, entry } = await open(t, { asked });
    const { stored } = await downloadIn(page, entry);
    const expected = { name: "a", complete: true, got: SIZE, bytes: SIZE, sha256: [weights.file.sha256] };
    assert.deepEqual({ ...stored, key: undefined, entry: undefined }, { ...expected, key: undefined, entry: undefined });
    assert.deepEqual(await listIn(page), [expected]);
    assert.deepEqual(await readIn(page), [weights.file.sha256]);
    const progress = await page.evaluate(() => globalThis.progress);
    assert.deepEqual({ ...progress.at(-1), rate: 0 }, { name: "a", stage: "downloading", bytes: SIZE, total: SIZE, rate: 0 });
    assert.ok(progress.every(({ bytes }, at) => at === 0 || bytes >= progress[at - 1].bytes));
    await downloadIn(page, entry);
    assert.deepEqual(asked, [null], "what is stored is not asked for again");
  });

  test("do not wait for leave to be kept", async (t) => {
    const { page, entry } = await open(t);
    await page.evaluate(() => {
      StorageManager.prototype.persist = () => new Promise(() => {});
    });
    const { stored } = await downloadIn(page, entry);
    assert.equal(stored.complete, true);
  });

  test("of several files are kept apart", async (t) => {
    const { page } = await open(t);
    const files = [5 * MIB, 3, 4 * MIB].map((size, at) => randomWeights(size, `/models/b-${at}.bin`));
    const asked = files.map(() => []);
    files.forEach((weights, at) => server.faults.set(weights.path, ranged(weights, { asked: asked[at], instead: at === 2 ? [held] : [] })));
    await page.evaluate(beginDownload, { entry: entryOf("b", ...files) });
    await page.waitForFunction((bytes) => globalThis.progress.at(-1)?.bytes > bytes, 5 * MIB + 3);
    await page.evaluate(() => globalThis.control.abort());
    assert.equal((await page.evaluate(() => globalThis.ending)).code, "cancelled");
    const { stored } = await downloadIn(page, entryOf("b", ...files));
    assert.deepEqual(stored.sha256, files.map(({ file }) => file.sha256));
    assert.deepEqual(await readIn(page), files.map(({ file }) => file.sha256));
    assert.deepEqual(asked.slice(0, 2), [[null], [null]], "complete files are not asked for again");
    assert.match(asked[2][1], /^bytes=[1-9]\d*-$/);
  });

  test("go on after a reload in the middle", async (t) => {
    const asked = [];
    const { page, weights, entry } = await open(t, { asked, instead: [held] });
    await page.evaluate(beginDownload, { entry });
    await page.waitForFunction((bytes) => globalThis.progress.at(-1)?.bytes > bytes, MIB);
    await page.reload();
    const [part] = await listIn(page);
    assert.ok(!part.complete && part.got >= MIB && part.got < SIZE, JSON.stringify(part));
    const { stored, message } = await downloadIn(page, entry);
    assert.ok(stored?.complete, message);
    const [, range] = asked;
    assert.ok(Number(/^bytes=(\d+)-$/.exec(range)[1]) >= part.got, range);
    assert.deepEqual(await readIn(page), [weights.file.sha256]);
  });

  describe("go on by themselves where", () => {
    for (const [what, fault] of [["the connection breaks", broken], ["the server ends early", short], ["the server is busy", (response) => send(response, 503, "Later.\n")]]) {
      test(what, async (t) => {
        const asked = [];
        const { page, entry } = await open(t, { asked, instead: [fault] });
        const { stored, message } = await downloadIn(page, entry);
        assert.ok(stored?.complete, message);
        assert.equal(asked.length, 2);
      });
    }
  });

  test("begin anew where the file has changed, or ranges are not understood", async (t) => {
    const { page, weights } = await open(t);
    const entry = entryOf("a", { file: { ...weights.file, sha256: null, bytes: null } });
    const ask = async (first, second) => {
      server.faults.set(weights.path, ranged(weights, { ...first, instead: [held] }));
      await page.evaluate(beginDownload, { entry });
      await page.waitForFunction(() => globalThis.progress.at(-1)?.bytes > 0);
      await page.evaluate(() => globalThis.control.abort());
      await page.evaluate(() => globalThis.ending);
      server.faults.set(weights.path, second);
      const { stored, message } = await downloadIn(page, entry);
      assert.deepEqual(stored?.sha256, [weights.file.sha256], message);
      await page.evaluate(async () => {
        const { Store } = await import("./seealso/model/store.js");
        await (await Store.open()).clear();
      });
    };
    const asked = [];
    await ask({ etag: '"old"' }, ranged(weights, { etag: '"new"', asked }));
    assert.match(asked[0], /^bytes=/);
    assert.equal(asked[1], null);
    await ask({}, (response) => send(response, 200, weights.bytes));
    // Without a validator nothing tells that it is the same file, so no range is asked for.
    const blind = [];
    await ask({ etag: null }, ranged(weights, { etag: null, asked: blind }));
    assert.deepEqual(blind, [null]);
  });

  describe("are refused where", () => {
    const cases = [
      ["a bit is flipped", (response, bytes) => {
        const flipped = Buffer.from(bytes);
        flipped[SIZE >> 1] ^= 4;
        send(response, 200, flipped);
      }, "wrong-hash", /is not the file that was promised/],
      ["there is more than promised", (response, bytes) => send(response, 200, Buffer.concat([bytes, bytes])), "too-long", /more than the 9.4 MB/],
      ["a web page comes instead", webPage, "web-page", /sent a web page/],
      ["a web page comes that does not say so", (response) => send(response, 200, `<!DOCTYPE html>\n${" ".repeat(SIZE - 16)}`), "web-page", /sent a web page/],
      ["there is none", missing, "status", /status 404/],
    ];
    for (const [what, fault, code, message] of cases) {
      test(what, async (t) => {
        const { page, entry } = await open(t, { instead: [fault] });
        const ending = await downloadIn(page, entry);
        assert.equal(ending.code, code);
        assert.match(ending.message, message);
        assert.deepEqual(await listIn(page), []);
        const { stored } = await downloadIn(page, entry);
        assert.ok(stored.complete, "the next try gets the right one");
      });
    }
  });

  test("that never come whole say so, and the part stays", async (t) => {
    const { page, entry } = await open(t, { instead: Array(20).fill((response) => response.destroy()) });
    await page.clock.install();
    await page.evaluate(beginDownload, { entry });
    const { code, message } = await page.evaluate(() => globalThis.ending);
    assert.equal(code, "network");
    assert.match(message, /can't be reached.*Check the connection/s);
  });

  test("that stop fitting half-way keep the part, and go on when there is room", async (t) => {
    const asked = [];
    const { page, context, weights } = await open(t, { asked, etag: '"v1"' });
    // Nothing tells beforehand how much it is.
    const entry = entryOf("a", { file: { ...weights.file, sha256: null, bytes: null } });
    const devtools = await context.newCDPSession(page);
    const quota = (quotaSize) => devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(server.url).origin, quotaSize });
    await quota(4 * MIB);
    const { code, message } = await downloadIn(page, entry);
    assert.equal(code, "no-space", message);
    assert.match(message, /storage for this page is full/);
    const [part] = await listIn(page);
    assert.ok(part.got > 0 && part.got <= 4 * MIB, JSON.stringify(part));
    await quota(64 * MIB);
    const { stored } = await downloadIn(page, entry);
    assert.deepEqual(stored.sha256, [weights.file.sha256]);
    assert.equal(asked[1], `bytes=${part.got}-`);
  });

  test("that are damaged on the disk are found out chunk by chunk", async (t) => {
    const { page, entry } = await open(t);
    await downloadIn(page, entry);
    await page.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("seealso-models");
      const [[, model]] = await Array.fromAsync(folder.entries());
      const file = await model.getFileHandle("0");
      const writable = await file.createWritable({ keepExistingData: true });
      const at = 5_000_000;
      const byte = new Uint8Array(await (await file.getFile()).slice(at, at + 1).arrayBuffer());
      byte[0] ^= 1;
      await writable.write({ type: "write", position: at, data: byte });
      await writable.close();
    });
    const { code, message } = await readIn(page);
    assert.equal(code, "damaged");
    assert.match(message, /near byte 4,194,304/);
  });

  test("from the reader's disk are hashed and kept", async (t) => {
    const { page } = await open(t);
    const content = `GGUF${"x".repeat(100)}`;
    const entry = await page.evaluate(async (content) => {
      const { entryOfFile } = await import("./seealso/model/catalog.js");
      return entryOfFile(new File([content], "mine.gguf"));
    }, content);
    const { stored } = await downloadIn(page, entry, content);
    assert.deepEqual(stored.sha256, [sha256(content)]);
    const changed = { ...entry, files: [{ ...entry.files[0], url: "file:mine.gguf?2" }] };
    await page.evaluate(async (entry) => {
      // What an interrupted copy of an older file leaves.
      const { Store, keyOf } = await import("./seealso/model/store.js");
      const file = { bytes: 104, validator: "0", sha256: null, chunks: [], complete: false };
      const store = await Store.open();
      await store.keep({ version: 1, key: keyOf(entry), entry, files: [file], complete: false });
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("seealso-models");
      const handle = await (await folder.getDirectoryHandle(keyOf(entry))).getFileHandle("0", { create: true });
      const writable = await handle.createWritable();
      await writable.write(`GGUF${"o".repeat(100)}`);
      await writable.close();
    }, changed);
    const again = await downloadIn(page, changed, content);
    assert.deepEqual(again.stored?.sha256, [sha256(content)], again.message);
    const refused = await downloadIn(page, { ...entry, name: "other", files: [{ ...entry.files[0], url: "file:other" }] }, "no weights at all, but a text of some length");
    assert.equal(refused.code, "not-gguf");
  });

  test("in one tab are not written by another, and are removed one by one or all together", async (t) => {
    const { page, context, entry } = await open(t, { instead: [held] });
    await page.evaluate(beginDownload, { entry });
    await page.waitForFunction(() => globalThis.progress.at(-1)?.bytes > 0);
    const other = await context.newPage();
    await other.goto(server.url);
    assert.equal((await downloadIn(other, entry)).code, "busy");
    await page.evaluate(() => globalThis.control.abort());
    await page.evaluate(() => globalThis.ending);
    const second = randomWeights(100, "/models/second.bin");
    server.faults.set(second.path, ranged(second));
    await downloadIn(page, entryOf("second", second));
    assert.deepEqual((await listIn(page)).map(({ name, complete }) => [name, complete]), [["a", false], ["second", true]]);
    await page.evaluate(async () => {
      const { Store } = await import("./seealso/model/store.js");
      const store = await Store.open();
      const [{ key }] = await store.list();
      await store.remove(key);
    });
    assert.deepEqual((await listIn(page)).map(({ name }) => name), ["second"]);
    await page.evaluate(async () => {
      const { Store } = await import("./seealso/model/store.js");
      await (await Store.open()).clear();
    });
    assert.deepEqual(await listIn(page), []);
  });

  test("have no place where the reader forbids all site data", async (t) => {
    const { folder, remove } = await temporary();
    await mkdir(join(folder, "Default"));
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(folder, "Default/Preferences"), JSON.stringify(settings));
    const context = await launchPersistent(folder);
    t.after(async () => {
      await context.close();
      await remove();
    });
    const page = await context.newPage();
    await page.goto(server.url);
    const { code, message } = await downloadIn(page, entryOf("a", randomWeights(10, "/models/a.bin")));
    assert.equal(code, "no-storage");
    assert.match(message, /keeps no files for this page/);
  });
});
