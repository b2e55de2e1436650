// Expert, Critic and Synthesizer on a graphics processor: the real engine on Chromium's simulated one, with a tiny model of
// random weights. What such a model writes bears nothing out, so the quoted answer stands.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ask, read } from "./support/chat.mjs";
import { SIMULATED_GPU, launch, newPage } from "./support/browser.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { tinyModel, weightsOf } from "./support/tiny.mjs";
import { downloadIn, entryOf, ranged } from "./support/weights.mjs";

/** In tokens, which are a byte each: every role's prompt fits, and what it writes. */
const CONTEXT = 4096;
const JUDGE = { auc: 0.9, supports: 1, rejects: -1 };

const ENGINE = "seealso/model/module.js";
const ENGINE_ITSELF = "seealso/model/engine-itself.js";
/**
 * The engine, in whose hands a role writes 12 tokens at most, since a simulated processor draws two or three a second, and then a
 * sentence, since random bytes are no claim that could be judged.
 */
const BRIEF = `
  import { ModelLoader } from "./engine-itself.js";
  export * from "./engine-itself.js";
  export { default } from "./engine-itself.js";
  const { finish } = ModelLoader.prototype;
  ModelLoader.prototype.finish = async function () {
    const model = await finish.call(this);
    const { generate } = model;
    model.generate = async (messages, options, onEvent) => {
      const outcome = await generate.call(model, messages, { ...options, max_tokens: 12 }, onEvent);
      await onEvent({ token: ". Stomata are always green and weigh 17 kg." });
      return { ...outcome, reason: "end" };
    };
    globalThis.kernels = model.info().kernels;
    return model;
  };
`;

describe("the three roles on a graphics processor", { timeout: 900_000 }, () => {
  let browser, server, weights;

  before(async () => {
    [browser, server, weights] = await Promise.all([
      launch(...SIMULATED_GPU), serve(SITE), tinyModel(CONTEXT).then((bytes) => weightsOf(bytes, "/models/tiny.gguf")),
    ]);
    server.faults.set(weights.path, ranged(weights));
    const engine = await readFile(join(SITE, ENGINE));
    server.faults.set(`/${ENGINE_ITSELF}`, (response) => send(response, 200, engine));
    server.faults.set(`/${ENGINE}`, (response) => send(response, 200, BRIEF));
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  test("draft, judge and integrate, each with its kernels", async (t) => {
    const { page, context, said } = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => context.close());
    page.setDefaultTimeout(300_000);
    await page.goto(server.url);
    const { stored } = await downloadIn(page, { ...entryOf("Tiny", weights), format: "gguf", context: CONTEXT, judge: JUDGE });
    const chosen = { model: stored.key, device: "webgpu", tier: "micro" };
    await page.evaluate((chosen) => localStorage.setItem("seealso-model", JSON.stringify(chosen)), chosen);
    await page.reload();

    const started = page.waitForEvent("worker", (worker) => worker.url().endsWith("/model-worker.js"));
    const turn = await ask(page, "What is photosynthesis?");
    const worker = await started;
    await worker.evaluate(countSubmits);
    const before = await read(turn);
    const submits = {};
    for (const stage of ["expert", "critic", "synthesize", "verify"]) {
      await turn.locator(`[data-stage=${stage}]`).waitFor({ state: "attached" });
      submits[stage] = await worker.evaluate(() => globalThis.submits);
    }
    assert.equal(await worker.evaluate(() => globalThis.kernels), "webgpu");
    // Each role had commands executed before the next began.
    const { expert, critic, synthesize, verify } = submits;
    assert.ok(expert < critic && critic < synthesize && synthesize < verify, JSON.stringify(submits));

    const exchange = turn.locator("[part=exchange]");
    await exchange.waitFor({ state: "attached" });
    assert.match(await exchange.locator("[data-stage=expert] .note").textContent(), /^\d+ tokens/);
    assert.match(await exchange.locator("[data-stage=critic] .note").textContent(), /^\d+ claims?: 0 supported/);
    assert.match(await exchange.locator("[data-stage=synthesize] .note").textContent(), /^\d+ tokens/);
    assert.notEqual(await exchange.locator("[part=draft]").first().textContent(), "");
    assert.deepEqual(await exchange.locator("[data-failed]").allTextContents(), []);
    assert.match(await turn.locator("[data-kept]").innerText(), /^The quoted answer stands: /);
    assert.deepEqual(await read(turn), before);
    assert.deepEqual(said, []);
  });
});

/** Runs in the worker: `submits` counts what the graphics processor is given to execute. */
function countSubmits() {
  const { submit } = GPUQueue.prototype;
  globalThis.submits = 0;
  GPUQueue.prototype.submit = function (...commands) {
    globalThis.submits += 1;
    return submit.apply(this, commands);
  };
}
