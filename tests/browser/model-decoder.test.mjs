// The real decoder in the browser, on a tiny model of random weights: it says what it says natively, stops where it is
// told to, scores, and refuses a file that was cut. On real models, where SEEALSO_MODELS names their folder, it begins as
// another implementation does.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { weightsOf as realWeights } from "../../bench/model/models.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { readThroughAdapters } from "./support/model-page.mjs";
import { lacks } from "./support/models.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { tinyModel, weightsOf } from "./support/tiny.mjs";
import { downloadIn, entryOf, ranged } from "./support/weights.mjs";

// As crates/model/tests/browser.rs has them.
const TOKENS = [151, 6, 93, 51, 57, 74, 101, 138];
const SCORES = [-19.579, -13.118];
const READ = 8.451;
const READ_THROUGH_ADAPTERS = 4.942;

const HELLO = [{ role: "user", content: "Hello" }];
const LONG = [{ role: "user", content: "a river runs to the sea ".repeat(30) }];

/** What of a site is a model's. */
const isModels = ({ path }) => /seealso_model|\/model\/(kernels|module)/.test(path);

describe("the decoder", async () => {
  let browser, server, tiny;

  before(async () => {
    [browser, server, tiny] = await Promise.all([launch(), serve(SITE), tinyModel()]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  const pageOf = async (t) => {
    const { page, context } = await newPage(browser);
    t.after(() => context.close());
    await page.goto(server.url);
    return page;
  };

  /** A page in which the tiny model, or these bytes in its place, is stored; its key. */
  const stored = async (t, bytes = tiny) => {
    const weights = weightsOf(bytes, "/models/tiny.gguf");
    server.faults.set(weights.path, ranged(weights));
    t.after(() => server.faults.clear());
    const page = await pageOf(t);
    const { stored } = await downloadIn(page, { ...entryOf("tiny", weights), format: "gguf" });
    return { page, key: stored.key };
  };

  const load = (page, key) => page.evaluate(
    (key) => globalThis.model.load({ key, device: "cpu" }).catch(({ code, message }) => ({ code, message })), key);

  const generate = (page, messages, options) => page.evaluate(async ([messages, options]) => {
    const answer = globalThis.model.generate(messages, options);
    for (;;) {
      const { done, value } = await answer.next();
      if (done) {
        return value;
      }
    }
  }, [messages, options]);

  test("nothing of a model is fetched before it is loaded", async (t) => {
    server.log.length = 0;
    const { page, key } = await stored(t);
    await page.waitForLoadState("networkidle");
    assert.deepEqual(server.log.filter(isModels), []);
    const { device, info } = await load(page, key);
    assert.deepEqual([device, info.architecture, info.layers, info.vocabulary], ["cpu", "llama", 2, 264]);
    const kernels = server.log.filter(({ path }) => /kernels-.*wasm$/.test(path));
    assert.equal(kernels.length, 1);
  });

  test("says what it says natively, also after the page was opened anew", async (t) => {
    const { page, key } = await stored(t);
    await load(page, key);
    const outcome = await generate(page, HELLO, { max_tokens: 8 });
    assert.deepEqual(outcome.ids, TOKENS);
    server.faults.clear();
    await page.reload();
    await page.evaluate(async () => {
      const { LocalModel } = await import("./seealso/model/client.js");
      globalThis.model = new LocalModel();
    });
    await load(page, key);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("does not read again what it has read", async (t) => {
    const { page, key } = await stored(t);
    await load(page, key);
    await generate(page, HELLO, { max_tokens: 1 });
    const again = await generate(page, HELLO, { max_tokens: 8 });
    assert.equal(again.reused_tokens, again.prompt_tokens - 1);
    assert.deepEqual(again.ids, TOKENS);
    await generate(page, LONG, { max_tokens: 1, prefix: "river" });
    await generate(page, HELLO, { max_tokens: 1 });
    const river = await generate(page, LONG, { max_tokens: 1 });
    assert.equal(river.reused_tokens, river.prompt_tokens - 1);
  });

  test("scores what could follow", async (t) => {
    const { page, key } = await stored(t);
    await load(page, key);
    const scores = await page.evaluate((messages) => globalThis.model.score(messages, ["yes", "no"]), HELLO);
    scores.forEach((score, at) => assert.ok(Math.abs(score - SCORES[at]) < 0.02, `${score} and not ${SCORES[at]}`));
  });

  test("is read before it says anything, and refuses what was made for another", async (t) => {
    const { page, key } = await stored(t);
    await load(page, key);
    const judge = (layers, width, read = 1) => page.evaluate(([messages, layers, width, read]) => {
      const weights = Float32Array.from({ length: width * read }, (_, at) => ((at % width) % 7) - 3);
      return globalThis.model.judge(messages, { layers, read, weights, bias: 0.5 }).catch(({ code }) => code);
    }, [HELLO, layers, width, read]);
    assert.ok(Math.abs((await judge(1, 64)) - READ) < 0.02, `${await judge(1, 64)} and not ${READ}`);
    // Behind two layers it is the sum of both, with the bias once.
    const both = (await judge(1, 64)) + (await judge(2, 64)) - 0.5;
    assert.ok(Math.abs((await judge(2, 64, 2)) - both) < 0.01, `${await judge(2, 64, 2)} and not ${both}`);
    // One unit says the hyperbolic tangent of the sum.
    const unit = await page.evaluate((messages) => {
      const weights = Float32Array.from({ length: 64 }, (_, at) => ((at % 7) - 3) / 16);
      return globalThis.model.judge(messages, { layers: 1, weights, units: new Float32Array([0.25, 2]), bias: 0.5 });
    }, HELLO);
    const said = 2 * Math.tanh(0.25 + (READ - 0.5) / 16) + 0.5;
    assert.ok(Math.abs(unit - said) < 0.01, `${unit} and not ${said}`);
    assert.deepEqual([await judge(9, 64), await judge(1, 63), await judge(1, 64, 2)], ["bad-call", "bad-call", "bad-call"]);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("is read through adapters, its question alone, and writes as it did", async (t) => {
    const { page, key } = await stored(t);
    await load(page, key);
    const asked = [{ role: "system", content: "Be brief." }, ...HELLO];
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
    const read = await readThroughAdapters(page, asked);
    assert.ok(Math.abs(read - READ_THROUGH_ADAPTERS) < 0.02, `${read} and not ${READ_THROUGH_ADAPTERS}`);
    const later = [{ role: "user", content: "What?" }, { role: "assistant", content: "No." }, ...HELLO];
    assert.equal(await readThroughAdapters(page, [asked[0], ...later]), read);
    // A model of two layers has room for them before its second alone.
    assert.equal(await readThroughAdapters(page, asked, 2), "bad-call");
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("stops while it writes, and then works on", async (t) => {
    const { page, key } = await stored(t);
    await load(page, key);
    // Nobody reads, so that it waits for its reader long before the end.
    const reason = await page.evaluate(async (messages) => {
      const control = new AbortController();
      const answer = globalThis.model.generate(messages, { max_tokens: 900 }, { signal: control.signal });
      await answer.next();
      control.abort();
      for (;;) {
        const { done, value } = await answer.next();
        if (done) {
          return value.reason;
        }
      }
    }, HELLO);
    assert.equal(reason, "aborted");
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("stops between two passes over a prompt, and at any token", async (t) => {
    server.faults.set("/models/tiny.gguf", (response) => send(response, 200, tiny));
    t.after(() => server.faults.clear());
    const page = await pageOf(t);
    const { mid, token, whole } = await page.evaluate(async ([hello, long]) => {
      const module = await import("./seealso/model/module.js");
      await module.default();
      const loader = new module.ModelLoader({ device: "cpu", context: 1024 });
      await loader.feed(new Uint8Array(await (await fetch("/models/tiny.gguf")).arrayBuffer()));
      const model = await loader.finish();
      const steps = [];
      const mid = await model.generate(long, { max_tokens: 8 }, async ({ prefill }) => {
        steps.push(prefill.done);
        return prefill.done === 0;
      });
      let tokens = 0;
      const token = await model.generate(hello, { max_tokens: 8 }, async (event) => !("token" in event && ++tokens === 3));
      const whole = await model.generate(hello, { max_tokens: 8 }, async () => true);
      model.free();
      return { mid: { ...mid, steps }, token, whole };
    }, [HELLO, LONG]);
    assert.deepEqual([mid.reason, mid.steps, mid.tokens], ["aborted", [0, 128], 0]);
    assert.deepEqual([token.reason, token.ids], ["aborted", TOKENS.slice(0, 3)]);
    assert.deepEqual(whole.ids, TOKENS);
  });

  test("a file that was cut, or is no model, is refused with a reason", async (t) => {
    for (const bytes of [tiny.subarray(0, tiny.length - 9), tiny.subarray(0, 4000)]) {
      const { page, key } = await stored(t, Buffer.from(bytes));
      const { code, message } = await load(page, key);
      assert.equal(code, "bad-model", message);
    }
  });

  for (const [name, expected] of [
    ["smollm2", [[504, 30.606], [38634, 28.941]]],
    ["qwen", [[785, 21.378], [59604, 20.262]]],
  ]) {
    test(`${name} begins as it should`, { skip: await lacks(name), timeout: 300_000 }, async (t) => {
      const { folder, file } = await realWeights(name);
      const bytes = await readFile(join(folder, file));
      server.faults.set("/models/real.gguf", (response) => send(response, 200, bytes));
      t.after(() => server.faults.clear());
      const page = await pageOf(t);
      page.setDefaultTimeout(300_000);
      const candidates = await page.evaluate(firstTokens);
      assert.equal(candidates[0].token, expected[0][0]);
      for (const [token, logit] of expected) {
        const found = candidates.find((candidate) => candidate.token === token);
        assert.ok(Math.abs(found.logit - logit) < 0.3, `token ${token}: ${found.logit} and not ${logit}`);
      }
    });
  }
});

/** Runs in the page: the likeliest first tokens of an answer. */
async function firstTokens() {
  const module = await import("./seealso/model/module.js");
  await module.default();
  const loader = new module.ModelLoader({ device: "cpu", context: 128 });
  const reader = (await fetch("/models/real.gguf")).body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    await loader.feed(read.value);
  }
  const model = await loader.finish();
  const messages = [
    { role: "system", content: "You are a helpful assistant." },
    { role: "user", content: "What is the capital of France? Answer in one sentence." },
  ];
  return model.candidates(messages, 5);
}
