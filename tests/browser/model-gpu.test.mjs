// The real decoder on a graphics processor: Chromium's simulated one, which is slow and right. It says what the CPU
// says; where it is lost, wrong or too small, or there is none, the CPU takes over and the reason is told.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { weightsOf } from "../../bench/model/models.mjs";
import { SIMULATED_GPU, launch, newPage } from "./support/browser.mjs";
import { generate, load, pageWith, readThroughAdapters, workerOf } from "./support/model-page.mjs";
import { lacks } from "./support/models.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { tinyModel } from "./support/tiny.mjs";

// As crates/model/tests/browser.rs has them.
const TOKENS = [151, 6, 93, 51, 57, 74, 101, 138];
const HELLO = [{ role: "user", content: "Hello" }];

describe("the decoder on a graphics processor", { timeout: 900_000 }, async () => {
  let browser, server, tiny;

  before(async () => {
    [browser, server, tiny] = await Promise.all([launch(...SIMULATED_GPU), serve(SITE), tinyModel()]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  const open = (t) => pageWith(t, browser, server, tiny);

  test("says what it says natively", async (t) => {
    const { page, key } = await open(t);
    const { device, reason, info } = await load(page, { key, device: "webgpu" });
    assert.deepEqual([device, reason.code, info.kernels], ["webgpu", "chosen", "webgpu"]);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
    const again = await generate(page, HELLO, { max_tokens: 8 });
    assert.deepEqual([again.ids, again.reused_tokens], [TOKENS, again.prompt_tokens - 1]);
  });

  test("is read through adapters as it is natively", async (t) => {
    const { page, key } = await open(t);
    const { device } = await load(page, { key, device: "webgpu" });
    const read = await readThroughAdapters(page, [{ role: "system", content: "Be brief." }, ...HELLO]);
    assert.ok(device === "webgpu" && Math.abs(read - 4.942) < 0.05, `${device}: ${read} and not 4.942`);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("that is lost in the middle of an answer leaves the rest to the CPU", async (t) => {
    const { page, key } = await open(t);
    const worker = await workerOf(page);
    await worker.evaluate(keepDevices);
    await load(page, { key, device: "webgpu" });
    await page.evaluate((messages) => {
      globalThis.answer = globalThis.model.generate(messages, { max_tokens: 60 }, { onProgress: (told) => (globalThis.told = told) });
    }, HELLO);
    // Nobody reads on, so the answer waits for its reader long before its end.
    const first = await page.evaluate(async () => (await globalThis.answer.next()).value);
    await worker.evaluate(() => globalThis.devices.at(-1).destroy());
    const whole = await page.evaluate(async (first) => {
      let text = first;
      for (;;) {
        const { done, value } = await globalThis.answer.next();
        if (done) {
          return { text, told: globalThis.told, stats: await globalThis.model.stats(), ...value };
        }
        text += value;
      }
    }, first);
    assert.deepEqual([whole.reason, whole.tokens], ["length", 60]);
    assert.deepEqual([whole.stats.loaded.device, whole.stats.loaded.reason], ["cpu", { code: "lost" }]);
    // The CPU alone.
    assert.deepEqual(whole.ids.slice(0, 8), TOKENS);
    const { page: other, key: otherKey } = await open(t);
    await load(other, { key: otherKey, device: "cpu" });
    const expected = await generate(other, HELLO, { max_tokens: 60 });
    assert.deepEqual([whole.ids, whole.text], [expected.ids, expected.text]);
    // A device that was lost once is tried again, opened anew.
    const { device } = await load(page, { key, device: "webgpu" });
    assert.equal(device, "webgpu");
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("gives its memory back with the model", async (t) => {
    const collecting = await launch(...SIMULATED_GPU, "--js-flags=--expose-gc");
    t.after(() => collecting.close());
    const { page, key } = await pageWith(t, collecting, server, tiny);
    const worker = await workerOf(page);
    await worker.evaluate(keepBuffers);
    await load(page, { key, device: "webgpu" });
    await generate(page, HELLO, { max_tokens: 2 });
    const used = await worker.evaluate(() => globalThis.bytes());
    await page.evaluate(() => globalThis.model.unload());
    const left = await worker.evaluate(() => globalThis.bytes());
    // A few small buffers are kept, of parameters and of reading back.
    assert.ok(used > tiny.length && left < used / 10, `${used} bytes, then ${left}`);
  });

  test("that computes wrongly is found out, and not used", async (t) => {
    const { page, key } = await open(t);
    await (await workerOf(page)).evaluate(changeShaders, ["return masked(word, vec4<i32>(0xf,", "return 1.01 * masked(word, vec4<i32>(0xf,"]);
    const { device, reason } = await load(page, { key, device: "webgpu" });
    assert.deepEqual([device, reason.code], ["cpu", "wrong-answer"]);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("that refuses a program is not used", async (t) => {
    const { page, key } = await open(t);
    await (await workerOf(page)).evaluate(changeShaders, ["fn nibbles(", "fn nibbles and more("]);
    const { device, reason } = await load(page, { key, device: "webgpu" });
    assert.deepEqual([device, reason.code], ["cpu", "failed"]);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("that can't bind a matrix is not used", async (t) => {
    const { page, key } = await open(t);
    await (await workerOf(page)).evaluate(bindAtMost, 20_000);
    const { device, reason } = await load(page, { key, device: "webgpu" });
    assert.deepEqual([device, reason.code], ["cpu", "refused"], reason.detail);
    assert.match(reason.detail, /takes 65552 bytes, and this GPU binds at most 20000 at once/);
    assert.deepEqual((await generate(page, HELLO, { max_tokens: 8 })).ids, TOKENS);
  });

  test("is measured, and left alone where the CPU is faster", async (t) => {
    const { page } = await newPage(browser);
    t.after(() => page.context().close());
    page.setDefaultTimeout(300_000);
    await page.goto(server.url);
    const { device, reason, speeds } = await page.evaluate(chosenByMeasure);
    assert.deepEqual([device, reason.code, reason.device], ["cpu", "faster", "cpu"]);
    assert.ok(speeds.cpu.decode > 2 * speeds.webgpu.decode, JSON.stringify(speeds));
    assert.ok(speeds.webgpu.decode > 0.1 && speeds.webgpu.prefill > 0.1, JSON.stringify(speeds));
  });

  test("is not looked for where there is none", async (t) => {
    const without = await launch("--disable-gpu");
    t.after(() => without.close());
    const { page, key } = await pageWith(t, without, server, tiny);
    for (const wish of ["auto", "webgpu"]) {
      const { device, reason } = await load(page, { key, device: wish });
      assert.deepEqual([device, reason.code], ["cpu", "no-adapter"]);
    }
  });

  for (const [name, expected] of [
    ["smollm2", [[504, 30.606], [38634, 28.941]]],
    ["qwen", [[785, 21.378], [59604, 20.262]]],
  ]) {
    test(`${name} begins as it should`, { skip: await lacks(name) }, async (t) => {
      const { folder, file } = await weightsOf(name);
      const bytes = await readFile(join(folder, file));
      server.faults.set("/models/real.gguf", (response) => send(response, 200, bytes));
      const { page } = await newPage(browser);
      t.after(() => {
        server.faults.clear();
        return page.context().close();
      });
      page.setDefaultTimeout(600_000);
      await page.goto(server.url);
      const candidates = await page.evaluate(firstTokens);
      assert.equal(candidates[0].token, expected[0][0]);
      for (const [token, logit] of expected) {
        const found = candidates.find((candidate) => candidate.token === token);
        assert.ok(Math.abs(found.logit - logit) < 0.3, `token ${token}: ${found.logit} and not ${logit}`);
      }
    });
  }
});

/** Runs in the worker: keeps the devices that are opened. */
function keepDevices() {
  const { prototype } = GPUAdapter;
  const { requestDevice } = prototype;
  globalThis.devices = [];
  prototype.requestDevice = async function (...wanted) {
    const device = await requestDevice.apply(this, wanted);
    globalThis.devices.push(device);
    return device;
  };
}

/** Runs in the worker: `bytes` counts those of the device's buffers that somebody still holds. */
function keepBuffers() {
  const { createBuffer } = GPUDevice.prototype;
  const buffers = [];
  GPUDevice.prototype.createBuffer = function (...wanted) {
    const buffer = createBuffer.apply(this, wanted);
    buffers.push(new WeakRef(buffer));
    return buffer;
  };
  globalThis.bytes = async () => {
    await globalThis.gc({ type: "major", execution: "async" });
    return buffers.reduce((sum, buffer) => sum + (buffer.deref()?.size ?? 0), 0);
  };
}

/** Runs in the worker: programs come to the device with a text replaced. */
function changeShaders([text, other]) {
  const { prototype } = GPUDevice;
  const { createShaderModule } = prototype;
  prototype.createShaderModule = function ({ code, ...rest }) {
    return createShaderModule.call(this, { code: code.replace(text, other), ...rest });
  };
}

/** Runs in the worker: the adapter seems to bind no more bytes at once. */
function bindAtMost(bytes) {
  Object.defineProperty(GPUSupportedLimits.prototype, "maxStorageBufferBindingSize", { get: () => bytes });
}

/** Runs in the page: the choice for this machine, as if its graphics processor were a real one. */
async function chosenByMeasure() {
  const [module, { chooseDevice }, { probe }] = await Promise.all(
    ["module", "device", "probe"].map((name) => import(`./seealso/model/${name}.js`)));
  await module.default();
  const machine = await probe();
  machine.adapter.software = false;
  return chooseDevice({
    machine, needs: module.needs(), checkMs: 280_000,
    knownAnswer: () => module.knownAnswer(), calibrate: (device) => module.calibrate(device),
  });
}

/** Runs in the page: the likeliest first tokens of an answer. */
async function firstTokens() {
  const module = await import("./seealso/model/module.js");
  await module.default();
  const loader = new module.ModelLoader({ device: "webgpu", context: 128 });
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
