// The browser's own model, where the browser has one: a reader may choose it, it plays the roles as any model does, and
// what fails leaves the quoted answer. The browser of the tests has none, so one is scripted in its place.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { TWO_DOMAINS, ask, quotedAnswer, read, settled } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { reply } from "./support/scripted-writer.js";
import { serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

const NAME = "This browser’s own model";

describe("the browser's own model", () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  /** The chat page in a browser that has such a model, in that state; its settings are open. */
  const open = async (t, { state = "available", fails = "" } = {}) => {
    const { page, context, requests } = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => context.close());
    await page.exposeFunction("scriptedReply", reply);
    await page.addInitScript(scripted, { state, fails });
    await page.goto(`${server.url}#model`);
    return { page, requests };
  };
  const choose = async (page) => {
    await page.getByRole("radio", { name: new RegExp(`^${NAME}`) }).check();
  };

  test("is not offered where the browser has none, or can't run it", async (t) => {
    const offered = async (page) => {
      await page.getByRole("radio", { name: /^Processor/ }).waitFor();
      return page.locator("[part=writers]").getByRole("radio").evaluateAll((radios) => radios.map(({ value }) => value));
    };
    const { page, context } = await newPage(browser);
    t.after(() => context.close());
    await page.goto(`${server.url}#model`);
    assert.deepEqual(await offered(page), ["none", "local", "node"]);
    assert.deepEqual(await offered((await open(t, { state: "unavailable" })).page), ["none", "local", "node"]);
    assert.deepEqual(await offered((await open(t)).page), ["none", "local", "browser", "node"]);
  });

  test("plays the three roles once it is chosen, and asks no other origin", async (t) => {
    const { page, requests } = await open(t);
    await choose(page);
    await page.getByText("It is ready.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    const turn = await ask(page, TWO_DOMAINS);
    await turn.getByText("Written by this browser’s own model on this device, each sentence checked against the pages").waitFor();
    const answer = turn.locator(".deliberated .answer");
    assert.doesNotMatch(await answer.innerText(), /4711 bytes/);
    assert.ok((await answer.locator(".cite").count()) >= 2);
    const { systems, sessions, destroyed } = await page.evaluate(() => globalThis.noted);
    assert.ok(systems.length >= 2 && systems.every((system) => system.length > 0), String(systems));
    assert.equal(destroyed, sessions);
    assert.deepEqual(requests.filter((url) => !url.startsWith(server.url)), []);
  });

  test("is downloaded by the browser after the reader's word alone", async (t) => {
    const { page } = await open(t, { state: "downloadable" });
    await choose(page);
    await page.getByText(/^The browser has to download it first/).waitFor();
    assert.equal(await page.evaluate(() => globalThis.noted.sessions), 0);
    await page.getByRole("button", { name: "Let the browser download its model" }).click();
    await page.getByText("It is ready.").waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.noted.sessions), 1);
  });

  test("that is not ready, or fails, leaves the quoted answer, and the page says why", async (t) => {
    const check = async (options, says) => {
      const { page } = await open(t, options);
      await page.evaluate(() => localStorage.setItem("seealso-model", JSON.stringify({ writer: "browser" })));
      await page.goto(`${server.url}?`);
      const turn = await ask(page, TWO_DOMAINS);
      await turn.locator(".setback").waitFor();
      assert.equal(await turn.locator(".setback").innerText(), says);
      assert.ok((await read(turn)).citations >= 2);
    };
    await check({ state: "unavailable" }, "The answer of this browser’s own model failed: it is not there, or not ready; the settings say more. The quoted answer stands.");
    await check({ fails: "The device is too warm." }, "The answer of this browser’s own model failed: The device is too warm. The quoted answer stands.");
  });

  test("is asked also where a question comes before the reader's choices hold", async (t) => {
    const { page, context } = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => context.close());
    await page.addInitScript(scripted, { state: "unavailable", fails: "" });
    await page.addInitScript((question) => {
      localStorage.setItem("seealso-model", JSON.stringify({ writer: "browser" }));
      customElements.whenDefined("see-also").then(() => document.querySelector("see-also").ask(question));
    }, TWO_DOMAINS);
    await page.goto(server.url);
    const turn = await settled(page);
    await turn.locator(".setback").waitFor();
    assert.ok((await read(turn)).citations >= 2);
  });

  test("is stopped with the reader's stop", async (t) => {
    const { page } = await open(t, { fails: "never" });
    await choose(page);
    await page.getByRole("button", { name: "Close" }).click();
    const turn = await ask(page, TWO_DOMAINS);
    const words = await quotedAnswer(turn).textContent();
    await turn.locator("[data-stage=expert]").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await turn.getByText("The model was stopped. The quoted answer stands.").waitFor();
    assert.equal(await quotedAnswer(turn).textContent(), words);
    await page.waitForFunction(() => globalThis.noted.aborted === 1);
  });
});

/** Runs in the page before its scripts: a browser with a model that says what the scripted writer says. */
function scripted({ state, fails }) {
  const noted = { systems: [], sessions: 0, destroyed: 0, aborted: 0 };
  let availability = state;
  const pieces = (text, signal) => new ReadableStream({
    async start(stream) {
      if (fails === "never") {
        signal.addEventListener("abort", () => {
          noted.aborted++;
          stream.error(new DOMException("aborted", "AbortError"));
        });
        return;
      }
      for (const piece of (await globalThis.scriptedReply(text)).split(/(?<= )/)) {
        stream.enqueue(piece);
      }
      stream.close();
    },
  });
  globalThis.noted = noted;
  globalThis.LanguageModel = class LanguageModel {
    static availability = async () => availability;

    static async create({ initialPrompts = [], monitor } = {}) {
      noted.sessions++;
      if (monitor) {
        const target = new EventTarget();
        monitor(target);
        target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded: 0.5 }));
        availability = "available";
      } else {
        noted.systems.push(initialPrompts[0]?.content ?? "");
      }
      if (fails && fails !== "never") {
        throw new DOMException(fails, "NotSupportedError");
      }
      return {
        promptStreaming: (text, { signal }) => pieces(text, signal),
        destroy: () => noted.destroyed++,
      };
    }
  };
}
