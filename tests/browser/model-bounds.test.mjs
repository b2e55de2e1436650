// What a model may not do in the browser, whatever its file and however long the talk: trap on a file that was cut
// anywhere, or take more memory with every answer. The real engine, on a tiny model of random weights.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, newPage } from "./support/browser.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { tinyModel } from "./support/tiny.mjs";

const PATH = "/models/tiny.gguf";
/** So many cuts, evenly from nothing to all but the last byte. */
const CUTS = 200;
const ANSWERS = 10;

describe("a model in the browser", () => {
  let browser, server;

  before(async () => {
    const [tiny, ...started] = await Promise.all([tinyModel(), launch(), serve(SITE)]);
    [browser, server] = started;
    server.faults.set(PATH, (response) => send(response, 200, tiny));
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  const open = async (t) => {
    const { page, context, said } = await newPage(browser);
    t.after(() => context.close());
    page.setDefaultTimeout(120_000);
    await page.goto(server.url);
    return { page, said };
  };

  test("is refused with a reason wherever its file was cut", async (t) => {
    const { page, said } = await open(t);
    const { refused, taken, tokens } = await page.evaluate(cut, { path: PATH, cuts: CUTS });
    assert.deepEqual(taken, []);
    assert.equal(refused.length, CUTS);
    const odd = refused.filter(({ code, message, trapped }) => trapped || code !== "bad-model" || message.length < 10);
    assert.deepEqual(odd, []);
    // What was refused has left nothing behind that would harm the next one.
    assert.equal(tokens, 8);
    assert.deepEqual(said, []);
  });

  test("takes no more memory for ten answers than for two", async (t) => {
    const { page } = await open(t);
    const { grown, tokens } = await page.evaluate(answers, { path: PATH, count: ANSWERS });
    assert.equal(tokens.length, ANSWERS);
    assert.ok(tokens.every((count) => count === 64), String(tokens));
    assert.deepEqual(grown.slice(2), Array(ANSWERS - 2).fill(grown[1]));
  });
});

// What follows runs in the page.

async function cut({ path, cuts }) {
  const module = await import("./seealso/model/module.js");
  await module.default();
  const bytes = new Uint8Array(await (await fetch(path)).arrayBuffer());
  const load = async (part) => {
    const loader = new module.ModelLoader({ device: "cpu", context: 256 });
    try {
      await loader.feed(part);
      return await loader.finish();
    } catch (error) {
      loader.free();
      throw error;
    }
  };
  const refused = [];
  const taken = [];
  for (let at = 0; at < cuts; at++) {
    const length = at === cuts - 1 ? bytes.length - 1 : Math.floor((bytes.length * at) / cuts);
    try {
      (await load(bytes.subarray(0, length))).free();
      taken.push(length);
    } catch (error) {
      refused.push({ length, code: error.code, message: error.message, trapped: error instanceof WebAssembly.RuntimeError });
    }
  }
  const model = await load(bytes);
  const { tokens } = await model.generate([{ role: "user", content: "Hello" }], { max_tokens: 8 }, async () => true);
  return { refused, taken, tokens };
}

async function answers({ path, count }) {
  const module = await import("./seealso/model/module.js");
  await module.default();
  const loader = new module.ModelLoader({ device: "cpu", context: 1024 });
  await loader.feed(new Uint8Array(await (await fetch(path)).arrayBuffer()));
  const model = await loader.finish();
  const grown = [];
  const tokens = [];
  for (let at = 0; at < count; at++) {
    // Another beginning each time, and most of the context: nothing is read already, and every answer is as long.
    const content = `${at} ` + "a river runs to the sea ".repeat(20);
    const outcome = await model.generate([{ role: "user", content }], { max_tokens: 64 }, async () => true);
    const { kernel_bytes, wasm_bytes } = model.stats();
    grown.push(kernel_bytes + wasm_bytes);
    tokens.push(outcome.tokens);
  }
  return { grown, tokens };
}
