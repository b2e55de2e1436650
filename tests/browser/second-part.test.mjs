// The engine's wasm comes in two parts: with the page, what opens packs and searches; before the first question or page, what
// answers and renders.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { ask, box, ready, read } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { missing, send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

const SECOND = "/seealso/seealso_answer_bg.wasm.deflate";
const QUESTION = "What is photosynthesis?";

/** What the server does with the second part: it sends that of another build, which differs in its name. */
const ofAnotherBuild = (response, bytes) => {
  const wasm = inflateRawSync(bytes);
  const name = /[0-9a-f]{8}0(?=\x02)/.exec(wasm.toString("latin1"));
  wasm[name.index] ^= 1;
  send(response, 200, deflateRawSync(wasm));
};

/** Runs in the page: keeps what waits for an idle moment, which never comes. */
const neverIdle = () => {
  window.waiting = [];
  window.requestIdleCallback = (work) => window.waiting.push(work);
};

describe("the second part of the engine", () => {
  let browser;

  before(async () => {
    browser = await launch();
  });

  after(() => browser?.close());

  const open = async (t, { fault, address = "" } = {}) => {
    const server = await serve(SITE);
    if (fault) {
      server.faults.set(SECOND, fault);
    }
    const { page, context, said } = await newPage(browser);
    t.after(async () => {
      await context.close();
      await server.close();
    });
    await page.addInitScript(neverIdle);
    await page.goto(server.url + address);
    return { page, server, said, fetched: () => server.log.filter(({ path }) => path === SECOND).length };
  };

  test("does not come with the page, but in its first idle moment", async (t) => {
    const { page, fetched } = await open(t);
    await ready(page);
    await page.waitForFunction(() => window.waiting.length > 0);
    assert.equal(fetched(), 0);
    const asked = page.waitForResponse((response) => response.url().endsWith(SECOND));
    await page.evaluate(() => window.waiting.forEach((work) => work()));
    await (await asked).finished();
    await box(page).focus();
    assert.ok((await read(await ask(page, QUESTION))).citations > 0);
    assert.equal(fetched(), 1, "it comes once");
  });

  test("comes when the box gets the focus", async (t) => {
    const { page, fetched } = await open(t);
    await ready(page);
    assert.equal(fetched(), 0);
    const asked = page.waitForRequest((request) => request.url().endsWith(SECOND));
    await box(page).focus();
    await asked;
  });

  test("comes with a question that nobody typed", async (t) => {
    const { page, fetched } = await open(t, { address: `#q=${encodeURIComponent(QUESTION)}` });
    await page.locator(".cite").first().waitFor();
    assert.equal(fetched(), 1);
  });

  test("is not needed to search", async (t) => {
    const { page, said } = await open(t, { fault: missing });
    const queries = [
      ["photosyn", { prefix: true }], ["photosyntesis", {}], ['"cave art"', {}], ["emperor Hadrian", { k: 1 }], ["MCP servers", { tags: ["mcp"] }],
      ["the", {}], ["ﬁrst-person", {}], ["What is it?", {}], ["plant", { packs: ["plants"], languages: ["en"] }], ["x".repeat(3000), {}], ["日本", { prefix: true }],
    ];
    const found = await page.evaluate(async (queries) => {
      const { Engine } = await import("./seealso/engine.js");
      const engine = new Engine(new URL("packs-static/", location.href).href);
      const counts = [];
      for (const [query, options] of queries) {
        counts.push((await engine.search(query, options)).length);
      }
      return counts;
    }, queries);
    assert.ok(found.slice(0, 4).every((count) => count > 0), found.join(" "));
    // The same in the page.
    await ready(page);
    await box(page).pressSequentially("photosyn");
    await page.getByRole("option").first().waitFor();
    assert.deepEqual(said.filter((line) => !line.includes("404")), []);
  });

  for (const [what, fault, why] of [
    ["that is not there", missing, /status 404/],
    ["that is of another build", ofAnotherBuild, /memory import/],
  ]) {
    test(`${what} is an error that passes`, async (t) => {
      const { page, server } = await open(t, { fault });
      const turn = await ask(page, QUESTION);
      assert.equal(await turn.locator(".error").getAttribute("data-code"), "engine");
      const message = await turn.locator(".error").innerText();
      assert.match(message, /seealso_answer_bg\.wasm\.deflate lie beside see-also\.js/);
      assert.match(message, why);
      server.faults.clear();
      await turn.getByRole("button", { name: "Try again" }).click();
      await turn.locator(".cite").first().waitFor();
    });
  }

  describe("is loaded by the class itself", () => {
    const openClass = async (t) => {
      const { page, server } = await open(t);
      await page.evaluate(async () => {
        const { default: init, SeeAlso } = await import("./seealso/seealso.js");
        await init();
        window.Class = SeeAlso;
        window.engine = await SeeAlso.open(new URL("packs-static/", location.href).href);
      });
      return { page, server, wasms: () => server.log.map(({ path }) => path).filter((path) => path.endsWith(".wasm")) };
    };

    test("once, for questions and pages", async (t) => {
      const { page, wasms } = await openClass(t);
      const came = await page.evaluate(async (question) => {
        const [answer, opened] = await Promise.all([engine.ask(question, () => {}), engine.page("plants/concepts/photosynthesis")]);
        return { sources: answer.sources.length, title: opened.title };
      }, QUESTION);
      assert.ok(came.sources > 0);
      assert.equal(came.title, "Photosynthesis");
      assert.deepEqual(wasms(), ["/seealso/seealso_bg.wasm", "/seealso/seealso_answer_bg.wasm"]);
    });

    test("while which questions are stopped as ever", async (t) => {
      const { page } = await openClass(t);
      const codes = await page.evaluate(async (question) => {
        const code = (asked) => asked.then(() => "answered", (error) => error.code);
        const first = code(engine.ask(question, () => {}));
        const second = code(engine.ask(question, () => {}));
        const both = await Promise.all([first, second]);
        const third = code(engine.ask(question, () => {}));
        engine.cancel();
        return [...both, await third];
      }, QUESTION);
      assert.deepEqual(codes, ["cancelled", "answered", "cancelled"]);
    });

    test("anew where it did not come", async (t) => {
      const { page, server } = await openClass(t);
      const path = "/seealso/seealso_answer_bg.wasm";
      server.faults.set(path, missing);
      const failed = await page.evaluate(async () => {
        const error = await engine.page("plants/concepts/photosynthesis").catch((error) => error);
        return { code: error.code, message: error.message };
      });
      assert.equal(failed.code, "engine");
      assert.match(failed.message, /seealso_answer_bg\.wasm: status 404/);
      server.faults.clear();
      assert.equal(await page.evaluate(async () => (await engine.page("plants/concepts/photosynthesis")).title), "Photosynthesis");
    });

    test("ahead, and from where a page says", async (t) => {
      const { page, wasms } = await openClass(t);
      const answered = await page.evaluate(async (question) => {
        const bytes = await (await fetch("./seealso/seealso_answer_bg.wasm?mine")).arrayBuffer();
        await Class.loadAnswering(bytes);
        return (await engine.ask(question, () => {})).sources.length;
      }, QUESTION);
      assert.ok(answered > 0);
      assert.equal(wasms().length, 2);
    });
  });
});
