// The CPU's kernels on several threads: where the page is cross-origin isolated they share one memory and say what one
// thread says; they end with the model. Elsewhere there is one thread.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch } from "./support/browser.mjs";
import { generate, load, pageWith, workerOf } from "./support/model-page.mjs";
import { missing, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { tinyModel } from "./support/tiny.mjs";

// As crates/model/tests/browser.rs has them.
const TOKENS = [151, 6, 93, 51, 57, 74, 101, 138];
const HELLO = [{ role: "user", content: "Hello" }];
const LONG = [{ role: "user", content: "a river runs to the sea ".repeat(30) }];

describe("the decoder on several threads", () => {
  let browser, isolated, plain, tiny;

  before(async () => {
    [browser, isolated, plain, tiny] = await Promise.all([launch(), serve(SITE, { isolated: true }), serve(SITE), tinyModel()]);
  });

  after(() => Promise.all([browser?.close(), isolated?.close(), plain?.close()]));

  const asked = (server, name) => server.log.filter(({ path }) => path.endsWith(name)).length;
  /** How many threads were begun and ended in the model's worker. */
  const counts = async (page) => (await workerOf(page)).evaluate(() => globalThis.counts);

  const open = async (t, server) => {
    const { page, key } = await pageWith(t, browser, server, tiny);
    await (await workerOf(page)).evaluate(countWorkers);
    return { page, key };
  };

  test("says what one thread says, and ends with the model", async (t) => {
    const { page, key } = await open(t, isolated);
    const { info } = await load(page, { key, device: "cpu", threads: 3 });
    assert.deepEqual([info.kernels, info.threads], ["threads", 3]);
    assert.deepEqual(await counts(page), { begun: 2, ended: 0 });
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
    const many = await generate(page, LONG, { max_tokens: 40 });
    await page.evaluate(() => globalThis.model.unload());
    assert.deepEqual(await counts(page), { begun: 2, ended: 2 });
    const alone = await load(page, { key, device: "cpu", threads: 1 });
    assert.deepEqual([alone.info.kernels, alone.info.threads], ["relaxed", 1]);
    assert.deepEqual((await generate(page, LONG, { max_tokens: 40 })).ids, many.ids);
  });

  test("has as many as were measured to be faster, and remembers", async (t) => {
    const { page, key } = await open(t, isolated);
    const first = await load(page, { key, device: "cpu" });
    const remembered = await page.evaluate(() => Object.entries(JSON.parse(localStorage.getItem("seealso-model-devices"))));
    const [[name, { threads, speed }]] = remembered;
    assert.match(name, /^threads\|/);
    assert.equal(first.info.threads, threads);
    assert.ok(speed.decode > 0 && speed.prefill > 0);
    const { begun } = await counts(page);
    const again = await load(page, { key, device: "cpu" });
    assert.equal(again.info.threads, threads);
    // Nothing was measured: the model's own threads alone were begun.
    assert.equal((await counts(page)).begun - begun, threads - 1);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("that can't be started is done without", async (t) => {
    isolated.faults.set("/seealso/model/kernels-worker.js", missing);
    const { page, key } = await open(t, isolated);
    t.after(() => isolated.faults.clear());
    const { info } = await load(page, { key, device: "cpu", threads: 2 });
    assert.deepEqual([info.kernels, info.threads], ["relaxed", 1]);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("is one where memory may not be shared", async (t) => {
    const { page, key } = await open(t, plain);
    const { info } = await load(page, { key, device: "cpu", threads: 2 });
    assert.deepEqual([info.kernels, info.threads], ["relaxed", 1]);
    assert.deepEqual([await counts(page), asked(plain, "kernels-threads.wasm")], [{ begun: 0, ended: 0 }, 0]);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });
});

/** Runs in the model's worker: counts the workers that it begins and ends. */
function countWorkers() {
  const { Worker } = globalThis;
  const counts = (globalThis.counts = { begun: 0, ended: 0 });
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      counts.begun++;
    }

    terminate() {
      super.terminate();
      counts.ended++;
    }
  };
}
