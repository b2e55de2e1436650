// A real model in a real page, SmolLM2 in the folder that SEEALSO_MODELS names: a question of two domains is answered
// from quotations at once, then by the model, and everything that it did is open to view. How long that took is told, not judged.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { weightsOf as realWeights } from "../../bench/model/models.mjs";
import { box, openSources, packs, read } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { lacks } from "./support/models.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { weightsOf } from "./support/tiny.mjs";
import { downloadIn, entryOf } from "./support/weights.mjs";

// Of both subjects this model writes sentences that pages support.
const QUESTION = "What is an MCP server, and what are stomata?";
const DOMAINS = ["agent-protocols", "plants"];

describe("a real model", async () => {
  const skip = await lacks("smollm2");
  let browser, server;

  before(async () => {
    if (!skip) {
      [browser, server] = await Promise.all([launch(), serve(SITE)]);
    }
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  test("answers a question of two domains, with a citation of each", { skip, timeout: 600_000 }, async (t) => {
    const { folder, file } = await realWeights("smollm2");
    const weights = weightsOf(await readFile(join(folder, file)), "/models/real.gguf");
    server.faults.set(weights.path, (response) => send(response, 200, weights.bytes));
    const { page, context } = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => context.close());
    page.setDefaultTimeout(600_000);
    await page.goto(server.url);
    const { stored } = await downloadIn(page, { ...entryOf("SmolLM2", weights), format: "gguf" });
    await page.evaluate((model) => localStorage.setItem("seealso-model", JSON.stringify({ model })), stored.key);
    await page.reload();
    await page.getByText(/^\d+ pages in/).waitFor();

    await page.evaluate(watch);
    await box(page).fill(QUESTION);
    await page.evaluate(() => globalThis.begin());
    await box(page).press("Enter");
    const turn = page.getByRole("article").last();
    await turn.locator(".deliberated .answer, [data-kept]").waitFor();
    const times = await page.evaluate(() => globalThis.times);
    t.diagnostic(`milliseconds to the quoted answer, the first drafted word and the end: ${JSON.stringify(times)}`);

    const quoted = await read(turn);
    assert.deepEqual(await turn.locator("[data-kept]").allTextContents(), []);
    const text = await turn.locator(".deliberated .answer").innerText();
    const numbers = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
    t.diagnostic(text);
    assert.deepEqual(packs([...new Set(numbers.map((number) => quoted.sources[number - 1]))]), DOMAINS);

    await openSources(turn);
    await turn.getByText("How this answer came about").click();
    const panel = turn.locator("[part=exchange]");
    assert.notEqual(await panel.locator("[part=draft]").first().innerText(), "");
    assert.ok((await panel.locator("[part=review] li").count()) > 0);
    t.diagnostic((await panel.getByText(/was known from before/).allTextContents()).join());
  });
});

/** Runs in the page: notes when the quoted answer, the first drafted word and the end are there. */
function watch() {
  const { shadowRoot } = document.querySelector("see-also");
  const marks = { quoted: ".answer", drafted: "[part=unchecked]:not([hidden])", ended: ".deliberated .answer, [data-kept]" };
  let begun = 0;
  globalThis.times = {};
  globalThis.begin = () => {
    begun = performance.now();
    new MutationObserver(() => {
      for (const [name, selector] of Object.entries(marks)) {
        if (!(name in globalThis.times) && shadowRoot.querySelector(selector)) {
          globalThis.times[name] = Math.round(performance.now() - begun);
        }
      }
    }).observe(shadowRoot, { subtree: true, childList: true, attributes: true });
  };
}
