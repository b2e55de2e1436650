// The element in somebody's page: its attributes, its events, its methods, the engine without it.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, newPage } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";
import { box, ready, settled } from "./support/chat.mjs";
import { copySite, temporary } from "./support/site.mjs";

/** A page below the root, whose policy lets nothing be written inline. */
const page = (attributes) => `<!doctype html>
<html lang="en">
<title>A handbook</title>
<link rel="icon" href="../favicon.svg">
<script type="module" src="../seealso/see-also.js"></script>
<see-also packs="../packs-static" ${attributes}></see-also>
</html>
`;

describe("embedding", () => {
  let browser, home, server;

  before(async () => {
    home = await temporary();
    await copySite(home.folder);
    [browser, server] = await Promise.all([launch(), serve(home.folder)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await home.remove();
  });

  const open = async (attributes) => {
    const name = "packs-static/page.html";
    await writeFile(join(home.folder, name), page(attributes));
    const notes = await newPage(browser);
    await notes.page.goto(`${server.url}${name}`);
    await notes.page.locator("see-also:defined").waitFor();
    return notes;
  };

  test("loads no engine before it is wanted", async () => {
    const { page, requests } = await open("");
    await box(page).waitFor();
    assert.deepEqual(requests.filter((url) => /wasm|worker|catalog/.test(url)), []);
    await box(page).focus();
    await page.getByText(/^\d+ pages in \d+ packs$/).waitFor();
  });

  test("a time limit that no clock can keep costs no page", async () => {
    const { page } = await open("");
    const notices = await page.evaluate(async (limits) => {
      const { Engine } = await import("../seealso/engine.js");
      const packs = new URL("../packs-static/", location.href).href;
      return Promise.all(limits.map(async (timeout_ms) => {
        const engine = new Engine(packs, { timeout_ms, cache: false });
        const { notices } = await engine.ask("What is photosynthesis?");
        engine.close();
        return notices;
      }));
    }, [NaN, -5, 1e12, Infinity]);
    assert.deepEqual(notices, [[], [], [], []]);
  });

  test("asks its question attribute, and every change of it", async () => {
    const { page } = await open('question="What is photosynthesis?"');
    await settled(page, 0);
    await page.locator("see-also").evaluate((element) => {
      element.question = "Who was Augustus?";
    });
    await settled(page, 1);
    assert.deepEqual(await page.getByRole("heading", { level: 3 }).allTextContents(), [
      "What is photosynthesis?", "Who was Augustus?",
    ]);
  });

  test("tells scripts of the packs, the answer and errors", async () => {
    const { page } = await open("");
    const heard = await page.locator("see-also").evaluate(async (element) => {
      const events = [];
      for (const name of ["ready", "answer", "error"]) {
        document.addEventListener(`see-also:${name}`, ({ type, detail }) => events.push({ type, detail }));
      }
      const answer = await element.ask("What is photosynthesis?");
      const refusal = await element.ask("   ").catch(({ code }) => code);
      return { events, answer, refusal, busy: element.busy, packs: element.info.packs.map(({ path }) => path) };
    });
    assert.deepEqual(heard.events.map(({ type }) => type), ["see-also:ready", "see-also:answer", "see-also:error"]);
    assert.deepEqual(heard.events[1].detail, heard.answer);
    assert.equal(heard.refusal, "empty-question");
    assert.equal(heard.busy, false);
    assert.ok(heard.packs.includes("history/roman-emperors"));
  });

  test("an answer holds its sentences, sources and trace as data", async () => {
    const { page } = await open("");
    const answer = await page.locator("see-also").evaluate((element) => element.ask("Compare Roman emperors with Neanderthals"));
    assert.equal(answer.status, "answered");
    assert.deepEqual(answer.sub_queries.map(({ text }) => text), ["Roman emperors", "Neanderthals"]);
    for (const { source, sub_query: part } of answer.sentences) {
      assert.equal(answer.sources[source - 1].cited, true);
      assert.ok(part === 0 || part === 1);
    }
    assert.deepEqual(answer.sources.map(({ number }) => number), answer.sources.map((_, at) => at + 1));
    assert.ok(answer.context_chars > 0 && answer.context_chars <= 8000);
    assert.equal(answer.trace.length, 7);
    assert.deepEqual(answer.notices, []);
  });

  test("the engine searches and opens pages without the element", async () => {
    const { page } = await open("");
    const found = await page.evaluate(async () => {
      const { Engine } = await import("../seealso/engine.js");
      const engine = new Engine(new URL("./", location.href).href);
      const hits = await engine.search("Hadrian, Roman emperor", { k: 3 });
      const opened = await engine.page(hits[0].page);
      const lost = await engine.page("history/roman-emperors/concepts/nobody").catch(({ code }) => code);
      engine.close();
      return { hits, opened, lost };
    });
    assert.equal(found.hits.length, 3);
    assert.deepEqual({ ...found.hits[0], summary: "", score: 0, marks: { ...found.hits[0].marks, summary: [] } }, {
      page: "history/roman-emperors/concepts/hadrian", pack: "history/roman-emperors", title: "Hadrian", summary: "", score: 0, marks: { title: [[0, 7]], summary: [] },
      url: `${server.url}packs-static/history/roman-emperors/wiki/concepts/hadrian.md`, site: "",
    });
    const scores = found.hits.map(({ score }) => score);
    assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
    assert.equal(found.opened.title, "Hadrian");
    assert.deepEqual(found.opened.nodes[0].children, ["Hadrian"]);
    assert.equal(found.lost, "no-page");
  });

  test("an element without packs says how to name them", async () => {
    const { page } = await open("");
    const message = await page.evaluate(() => document.createElement("see-also").open().catch(({ message: text }) => text));
    assert.match(message, /Set its packs attribute to the folder that holds catalog\.json/);
  });

  test("an element that is removed while it answers ends its worker", async () => {
    const { page } = await open("eager");
    await ready(page);
    const [worker] = page.workers();
    const closed = worker.waitForEvent("close");
    const code = await page.locator("see-also").evaluate((element) => {
      const asked = element.ask("What is photosynthesis?").catch(({ code: why }) => why);
      element.remove();
      return asked;
    });
    assert.equal(code, "closed");
    await closed;
  });

  test("an element that is removed ends who goes on after its answer, and one that is moved does not", async () => {
    const { page } = await open("");
    const ended = await page.locator("see-also").evaluate(async (element) => {
      let signal = null;
      element.deliberator = (_answer, _turn, given) => {
        signal = given;
        return new Promise((resolve) => given.addEventListener("abort", resolve));
      };
      await element.ask("What is photosynthesis?");
      const home = element.parentNode;
      const after = [];
      for (const again of [true, false]) {
        element.remove();
        again && home.append(element);
        await new Promise((resolve) => setTimeout(resolve));
        after.push(signal.aborted);
      }
      return [...after, element.busy];
    });
    assert.deepEqual(ended, [false, true, false]);
  });
});
