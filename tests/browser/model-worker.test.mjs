// The worker that runs a model, with a scripted one in the model's place: nothing is loaded before it is wanted, text
// streams no faster than it is read, stopping stops, and a lost device or a crash is got over.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { SIMULATED_GPU, launch, newPage } from "./support/browser.mjs";
import { missing, send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { MIB, broken, downloadIn, entryOf, randomWeights, ranged } from "./support/weights.mjs";

const ENGINE = "/seealso/model/module.js";

describe("the model's worker", () => {
  let browser, server, scripted;

  before(async () => {
    [browser, server, scripted] = await Promise.all([
      launch(...SIMULATED_GPU, "--host-resolver-rules=MAP wiki.example 127.0.0.1"), serve(SITE), readFile(new URL("support/scripted-model.js", import.meta.url)),
    ]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  /** A page with stored weights of two files. */
  const open = async (t) => {
    server.faults.set(ENGINE, (response) => send(response, 200, scripted));
    const files = [6 * MIB, 10].map((size, at) => randomWeights(size, `/models/${at}.bin`));
    files.forEach((weights) => server.faults.set(weights.path, ranged(weights)));
    const { page, context } = await newPage(browser);
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    await page.goto(server.url);
    const entry = entryOf("a", ...files);
    const { stored } = await downloadIn(page, entry);
    return { page, entry, key: stored.key };
  };

  const load = (page, wanted) => page.evaluate(async (wanted) => {
    globalThis.told = [];
    const { entry } = wanted;
    if (entry) {
      entry.files.forEach((file) => {
        file.url = new URL(file.url, location.href).href;
      });
    }
    return globalThis.model.load(wanted, { onProgress: (progress) => globalThis.told.push(progress) })
      .catch(({ code, message }) => ({ code, message }));
  }, wanted);

  /** All that is generated, and the outcome. */
  const generate = (page, content, max_tokens = 9) => page.evaluate(async ([content, max_tokens]) => {
    globalThis.told = [];
    const answer = globalThis.model.generate([{ role: "user", content }], { max_tokens }, { onProgress: (progress) => globalThis.told.push(progress) });
    let text = "";
    try {
      for (;;) {
        const { done, value } = await answer.next();
        if (done) {
          return { text, reason: value.reason };
        }
        text += value;
      }
    } catch ({ code }) {
      return { text, code };
    }
  }, [content, max_tokens]);

  const stats = (page) => page.evaluate(() => globalThis.model.stats());

  test("loads the engine only when a model is loaded, streams its weights, and then its text", async (t) => {
    server.log.length = 0;
    const { page, key } = await open(t);
    assert.deepEqual(server.log.filter(({ path }) => path === ENGINE), []);
    const { device, reason, info, machine } = await load(page, { key });
    assert.deepEqual([device, reason.code], ["cpu", "software"]);
    assert.deepEqual(info.files, [6 * MIB, 10]);
    assert.equal(info.threads, 1);
    assert.equal(machine.isolated, false);
    const told = await page.evaluate(() => globalThis.told);
    assert.deepEqual(told.map(({ stage, bytes }) => [stage, bytes]), [["choosing", undefined], ["loading", 4 * MIB], ["loading", 6 * MIB], ["loading", 6 * MIB + 10]]);
    assert.deepEqual(await generate(page, "count"), { text: "1 2 3 4 5 6 7 8 9 ", reason: "length" });
    assert.deepEqual((await page.evaluate(() => globalThis.told)).map(({ stage, done }) => [stage, done]), [1, 2, 3, 4].map((done) => ["prefill", done]));
    assert.deepEqual(await page.evaluate(() => globalThis.model.score([{ role: "user", content: "?" }], ["yes", "no"])), [-3, -2]);
    const reading = () => ({ layers: 3, weights: new Float32Array(2), bias: 0.5 });
    assert.equal(await page.evaluate(`globalThis.model.judge([{ role: "user", content: "?" }], (${reading})())`), 6.5);
  });

  test("waits where its text is not read", async (t) => {
    const { page, key } = await open(t);
    await load(page, { key });
    const counts = await page.evaluate(async () => {
      const answer = globalThis.model.generate([{ role: "user", content: "count" }], { max_tokens: 1000 });
      const read = (await answer.next()).value.trim().split(" ").length;
      const seen = [];
      for (let times = 0; times < 200; times++) {
        seen.push((await globalThis.model.stats()).tokens);
      }
      await answer.return();
      return { read, most: seen.at(-1) };
    });
    assert.ok(counts.most <= counts.read + 33, JSON.stringify(counts));
    assert.equal((await generate(page, "count")).reason, "length", "the next one is not held up");
  });

  test("starts no worker for what is left of an answer once it was closed", async (t) => {
    const { page, key } = await open(t);
    await load(page, { key });
    const after = await page.evaluate(async () => {
      const answer = globalThis.model.generate([{ role: "user", content: "count" }], { max_tokens: 1e9 });
      const read = (await answer.next()).value.trim().split(" ").length;
      // The worker writes on once it hears of the reading; what it wrote before a reply is there with the reply.
      while ((await globalThis.model.stats()).tokens <= read) {
        // Asked again.
      }
      let started = 0;
      const { Worker } = globalThis;
      globalThis.Worker = class extends Worker {
        constructor(...given) {
          super(...given);
          started++;
        }
      };
      globalThis.model.close();
      const rest = (await answer.next()).value;
      const code = await answer.next().catch((error) => error.code);
      return { started, rest: rest.length > 0, code };
    });
    assert.deepEqual(after, { started: 0, rest: true, code: "closed" });
  });

  test("stops while it reads the prompt, while it writes, and where its reader leaves", async (t) => {
    const { page, key } = await open(t);
    await load(page, { key });
    const stopAt = (content) => page.evaluate(async (content) => {
      const control = new AbortController();
      const answer = globalThis.model.generate([{ role: "user", content }], { max_tokens: 1e9 },
        { signal: control.signal, onProgress: () => content === "read much" && control.abort() });
      let text = "";
      for (;;) {
        const { done, value } = await answer.next();
        if (done) {
          return { reason: value.reason, text };
        }
        text += value;
        control.abort();
      }
    }, content);
    assert.deepEqual(await stopAt("read much"), { reason: "aborted", text: "" });
    assert.equal((await stats(page)).tokens, 0);
    const stopped = await stopAt("count");
    assert.equal(stopped.reason, "aborted");
    await page.evaluate(async () => {
      for await (const _ of globalThis.model.generate([{ role: "user", content: "count" }], { max_tokens: 1e9 })) {
        break;
      }
    });
    assert.equal((await generate(page, "count", 3)).text, "1 2 3 ");
  });

  test("goes on on the processor where the graphics device is lost, and remembers", async (t) => {
    const { page, key } = await open(t);
    const { device, reason } = await load(page, { key, device: "webgpu" });
    assert.deepEqual([device, reason.code], ["webgpu", "chosen"]);
    assert.deepEqual(await generate(page, "lose the device at 5"), { text: "1 2 3 4 5 6 7 8 9 ", reason: "length" });
    const { loaded, loaders, freed } = await stats(page);
    assert.deepEqual([loaded.device, loaded.reason.code, loaders, freed], ["cpu", "lost", 2, 1]);
    const told = await page.evaluate(() => globalThis.told);
    assert.deepEqual(told.filter(({ stage }) => stage === "device"), [{ stage: "device", device: "cpu", reason: { code: "lost" } }]);
    assert.equal((await generate(page, "count", 2)).text, "1 2 ");
    const remembered = await page.evaluate(() => Object.values(JSON.parse(localStorage.getItem("seealso-model-devices"))));
    assert.deepEqual(remembered, [{ right: true, losses: 1 }]);
  });

  test("that crashed says so, and is started anew", async (t) => {
    const { page, key } = await open(t);
    await load(page, { key });
    assert.deepEqual(await generate(page, "trap"), { text: "", code: "crashed" });
    assert.deepEqual(await generate(page, "count"), { text: "", code: "not-loaded" });
    await load(page, { key });
    assert.equal((await generate(page, "count", 1)).text, "1 ");
  });

  test("says what is missing: the engine, then the weights", async (t) => {
    const { page, key } = await open(t);
    server.faults.set(ENGINE, missing);
    assert.equal((await load(page, { key })).code, "no-engine");
    server.faults.set(ENGINE, (response) => send(response, 200, scripted));
    assert.equal((await load(page, { key: "0".repeat(32) })).code, "not-stored");
    assert.equal((await load(page, { key })).device, "cpu");
  });

  test("runs a model that is not kept, once its hash is right", async (t) => {
    const { page } = await open(t);
    const weights = randomWeights(9 * MIB, "/models/passing.bin");
    server.faults.set(weights.path, ranged(weights));
    const { info } = await load(page, { entry: entryOf("b", weights) });
    assert.deepEqual(info.files, [9 * MIB]);
    const wrong = { ...entryOf("c", weights), files: [{ ...weights.file, sha256: "0".repeat(64) }] };
    assert.equal((await load(page, { entry: wrong })).code, "wrong-hash");
    assert.deepEqual(await generate(page, "count"), { text: "", code: "not-loaded" });
  });

  test("runs a model where nothing can be kept: on a page that is not secure", async (t) => {
    await open(t);
    const { page, context } = await newPage(browser);
    t.after(() => context.close());
    await page.goto(`http://wiki.example:${server.port}/`);
    const weights = randomWeights(5 * MIB, "/models/passing.bin");
    server.faults.set(weights.path, ranged(weights, { instead: [broken] }));
    assert.equal((await downloadIn(page, entryOf("b", weights))).code, "no-storage");
    assert.deepEqual((await load(page, { entry: entryOf("b", weights) })).info.files, [5 * MIB]);
    assert.equal((await generate(page, "count", 2)).text, "1 2 ");
  });

  test("does not let a model be removed while it is loaded from, nor damage be loaded", async (t) => {
    const { page, key } = await open(t);
    const ending = await page.evaluate(async (key) => {
      const { Store } = await import("./seealso/model/store.js");
      const store = await Store.open();
      let removed;
      await store.together(key, () => new Promise((resolve) => {
        removed = store.remove(key).catch(({ code }) => code);
        removed.then(resolve);
      }));
      return removed;
    }, key);
    assert.equal(ending, "busy");
    await page.evaluate(async (key) => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("seealso-models");
      const file = await (await folder.getDirectoryHandle(key)).getFileHandle("0");
      const writable = await file.createWritable({ keepExistingData: true });
      await writable.write({ type: "truncate", size: 5_000_000 });
      await writable.close();
    }, key);
    assert.equal((await load(page, { key })).code, "damaged");
  });
});
