// The encoder in the browser, on a tiny model: downloaded, stored and loaded like any other, it gives the vectors that it
// gives natively, stops where it is told to, and says what is wrong with files and calls. On the real model, where
// SEEALSO_MODELS names its folder, vectors begin as another implementation's do.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, newPage } from "./support/browser.mjs";
import { lacks, modelFolder } from "./support/models.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { tinyEncoder } from "./support/tiny-encoder.mjs";
import { tinyModel, weightsOf } from "./support/tiny.mjs";
import { downloadIn, entryOf, ranged } from "./support/weights.mjs";

// As crates/model/tests/browser.rs has them.
const TEXTS = ["A river runs to the sea.", "unknown"];
const VECTORS = [
  [-0.644293, -0.512884, 0.176913, 0.179861, 0.471878, 0.013197, 0.140905, -0.124464],
  [-0.53326, -0.639233, 0.261184, 0.13893, 0.283395, 0.36446, 0.027747, -0.074715],
];

// As crates/model/src/encoder/tests/minilm.rs has them.
const PARIS = ["What is the capital of France?", [0.082048, 0.036055, -0.003893, -0.004881, 0.025651, -0.057143]];

const encoderOf = (name, ...weights) => ({ ...entryOf(name, ...weights), kind: "encoder", architecture: "bert" });

const near = (got, expected, most) => {
  assert.equal(got.length, expected.length);
  got.forEach((value, at) => assert.ok(Math.abs(value - expected[at]) < most, `${got}, not ${expected}`));
};

describe("the encoder", async () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  /** A page in which this model is stored; its key. */
  const stored = async (t, entry, weights) => {
    weights.forEach((each) => server.faults.set(each.path, ranged(each)));
    const { page, context } = await newPage(browser);
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    await page.goto(server.url);
    const { stored } = await downloadIn(page, entry);
    return { page, key: stored.key };
  };

  const load = (page, wanted) => page.evaluate(
    (wanted) => globalThis.model.load(wanted).catch(({ code, message }) => ({ code, message })), wanted);

  const embed = (page, texts) => page.evaluate(async (texts) => {
    try {
      return (await globalThis.model.embed(texts)).map((vector) => [...vector]);
    } catch ({ code }) {
      return { code };
    }
  }, texts);

  test("gives the vectors that it gives natively, also from what is stored", async (t) => {
    const weights = tinyEncoder();
    const { page, key } = await stored(t, encoderOf("tiny", ...weights), weights);
    const { device, reason, info } = await load(page, { key });
    assert.deepEqual([device, reason], ["cpu", { code: "encoder" }]);
    const { space, ...shape } = info;
    assert.equal(space, `tiny:${weights[2].file.sha256.slice(0, 16)}`);
    const bytes = weights.reduce((sum, each) => sum + each.bytes.length, 0);
    assert.deepEqual(shape, { architecture: "bert", dimensions: 8, context: 16, vocabulary: 12, layers: 2, bytes });
    (await embed(page, TEXTS)).forEach((vector, at) => near(vector, VECTORS[at], 1e-5));
    assert.deepEqual(await embed(page, []), []);

    server.faults.clear();
    await page.reload();
    await page.evaluate(async () => {
      const { LocalModel } = await import("./seealso/model/client.js");
      globalThis.model = new LocalModel();
    });
    await load(page, { key });
    (await embed(page, TEXTS)).forEach((vector, at) => near(vector, VECTORS[at], 1e-5));
  });

  test("many texts come in their order, with progress, and can be stopped", async (t) => {
    const weights = tinyEncoder();
    const { page, key } = await stored(t, encoderOf("tiny", ...weights), weights);
    await load(page, { key });
    const { same, told, stopped } = await page.evaluate(async (texts) => {
      const many = Array.from({ length: 30 }, (_, at) => texts[at % 2]);
      const told = [];
      const vectors = await globalThis.model.embed(many, { onProgress: (progress) => told.push(progress) });
      const differences = vectors.map((vector, at) => Math.max(...vector.map((value, place) => Math.abs(value - vectors[at % 2][place]))));
      const control = new AbortController();
      const stopped = await globalThis.model
        .embed(many, { signal: control.signal, onProgress: () => control.abort() })
        .catch(({ code }) => code);
      return { same: Math.max(...differences) < 1e-5, told, stopped };
    }, TEXTS);
    assert.ok(same);
    assert.deepEqual(told.at(0), { stage: "embed", done: 4, total: 30 });
    assert.deepEqual(told.at(-1), { stage: "embed", done: 30, total: 30 });
    assert.equal(stopped, "cancelled");
    assert.equal((await embed(page, TEXTS)).length, 2);
  });

  test("a model of the one kind is not taken for one of the other", async (t) => {
    const weights = tinyEncoder();
    const { page, key } = await stored(t, encoderOf("tiny", ...weights), weights);
    await load(page, { key });
    const code = await page.evaluate(() => globalThis.model.score("a", ["b"]).catch(({ code }) => code));
    assert.equal(code, "wrong-kind");
    assert.deepEqual(await embed(page, "one text"), { code: "bad-call" });
    const decoder = weightsOf(await tinyModel(), "/models/tiny.gguf");
    server.faults.set(decoder.path, ranged(decoder));
    const { stored: other } = await downloadIn(page, { ...entryOf("writer", decoder), format: "gguf" });
    const loaded = await load(page, { key: other.key, device: "cpu" });
    assert.equal(loaded.info.architecture, "llama");
    assert.deepEqual(await embed(page, TEXTS), { code: "wrong-kind" });
  });

  test("files that are cut, missing or in another order are refused with a reason", async (t) => {
    const [config, tokenizer, weights] = tinyEncoder();
    const cut = (each) => weightsOf(each.bytes.subarray(0, each.bytes.length - 1), each.path);
    for (const [files, expected] of [
      [[config, tokenizer, cut(weights)], /safetensors|tensor/],
      [[config, cut(tokenizer), weights], /tokenizer\.json/],
      [[config, tokenizer], /model\.safetensors: it is missing/],
      [[tokenizer, config, weights], /config\.json/],
      [[config, tokenizer, weights, config], /more than three files/],
    ]) {
      const { page, key } = await stored(t, encoderOf("bad", ...files), files);
      const { code, message } = await load(page, { key });
      assert.equal(code, "bad-model", message);
      assert.match(message, expected);
      assert.deepEqual(await embed(page, TEXTS), { code: "not-loaded" });
    }
  });

  test("all-MiniLM-L6-v2 gives the vectors that it should", { skip: await lacks("minilm"), timeout: 300_000 }, async (t) => {
    const names = ["config.json", "tokenizer.json", "safetensors"].map((ending) => `all-minilm-l6-v2.${ending}`);
    const files = await Promise.all(names.map(async (name) => weightsOf(await readFile(join(modelFolder(), name)), `/models/${name}`)));
    files.forEach(({ path, bytes }) => server.faults.set(path, (response) => send(response, 200, bytes)));
    const { page, context } = await newPage(browser);
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    await page.goto(server.url);
    page.setDefaultTimeout(300_000);
    const { stored } = await downloadIn(page, encoderOf("all-MiniLM-L6-v2", ...files));
    await load(page, { key: stored.key });
    const [vector] = await embed(page, [PARIS[0]]);
    assert.equal(vector.length, 384);
    near(vector.slice(0, 6), PARIS[1], 5e-6);
  });
});
