// What tests of models do in a page: store a tiny model, load it, let it answer.

import { newPage } from "./browser.mjs";
import { weightsOf } from "./tiny.mjs";
import { downloadIn, entryOf, ranged } from "./weights.mjs";

/** A page in which these bytes are stored as a model; its key. The page and what the server was told end with the test. */
export async function pageWith(t, browser, server, bytes) {
  const weights = weightsOf(bytes, "/models/tiny.gguf");
  server.faults.set(weights.path, ranged(weights));
  const { page, context } = await newPage(browser);
  t.after(() => {
    server.faults.delete(weights.path);
    return context.close();
  });
  page.setDefaultTimeout(120_000);
  await page.goto(server.url);
  const { stored } = await downloadIn(page, { ...entryOf("tiny", weights), format: "gguf" });
  return { page, key: stored.key };
}

/** The model's worker of a page, started. */
export async function workerOf(page) {
  await page.evaluate(() => globalThis.model.stats());
  return page.workers().find((worker) => worker.url().endsWith("/model-worker.js"));
}

/** Loads a stored model; gives what it runs on, or its error. */
export function load(page, wanted) {
  return page.evaluate(
    (wanted) => globalThis.model.load(wanted).catch(({ code, message }) => ({ code, message })), wanted);
}

/** Lets the model answer; gives the text and the outcome. */
export function generate(page, messages, options) {
  return page.evaluate(async ([messages, options]) => {
    const answer = globalThis.model.generate(messages, options);
    let text = "";
    for (;;) {
      const { done, value } = await answer.next();
      if (done) {
        return { text, ...value };
      }
      text += value;
    }
  }, [messages, options]);
}

/** What the tiny model in a page has in mind at messages' end, read through adapters before so many layers; an error's code where it refuses. */
export function readThroughAdapters(page, messages, layers = 1) {
  return page.evaluate(([messages, layers]) => {
    const weights = Float32Array.from({ length: 64 }, (_, at) => (at % 7) - 3);
    const numbers = Float32Array.from({ length: layers * 3 * 64 }, (_, at) => ((at * 29 + 1) % 41) / 100 - 0.2);
    const reading = { layers: 2, read: 1, weights, units: new Float32Array(), bias: 0.5, adapters: { layers, units: 1, numbers } };
    return globalThis.model.judge(messages, reading).catch(({ code }) => code);
  }, [messages, layers]);
}
