// The history stays in the browser: it is shown again when the page is opened anew, can be saved as a file with its
// citations, and cleared; where a browser keeps nothing, what is on the screen stays.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { TWO_DOMAINS, ask, openSources, questionInAddress, read } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { serveNode } from "./support/node.mjs";
import { POLICY, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

const PLANTS = "What is photosynthesis?";

describe("the history", () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  const open = async (t, { before: script = null, url = server.url, screen = {} } = {}) => {
    const notes = await newPage(browser, { reducedMotion: "reduce", ...screen });
    t.after(() => notes.context.close());
    if (script) {
      await notes.page.addInitScript(script);
    }
    await notes.page.goto(url);
    return notes;
  };
  /** Waits until so many turns are kept, and so many of them with what a model made of them. */
  const kept = (page, count, deliberated = 0) => page.waitForFunction(async ([count, deliberated]) => {
    const { HistoryStore } = await import("./history/store.js");
    const turns = await (await HistoryStore.open()).all(new URL("packs-static/", location.href).href);
    return turns.length === count && turns.filter(({ deliberation }) => deliberation).length === deliberated;
  }, [count, deliberated]);
  const questions = (page) => page.getByRole("article").locator("h3").allTextContents();

  test("who asked nothing loads nothing of it", async (t) => {
    const { page, requests } = await open(t);
    await page.getByText(/^\d+ pages in/).waitFor();
    assert.deepEqual(requests.filter((url) => url.includes("/history/")), []);
    assert.equal(await page.getByRole("group", { name: "History" }).count(), 0);
  });

  test("is there again when the page is opened anew, and asks nothing twice", async (t) => {
    const { page, said, requests } = await open(t);
    await ask(page, TWO_DOMAINS);
    const first = await read(await ask(page, PLANTS));
    await kept(page, 2);
    await page.reload();
    await page.getByRole("article").nth(1).locator(".answer").waitFor();
    assert.deepEqual(await questions(page), [TWO_DOMAINS, PLANTS]);
    const turn = page.getByRole("article").nth(1);
    assert.deepEqual(await read(turn), first);

    // Its pages are read when one is opened.
    await openSources(turn);
    await turn.locator(".source > summary").first().click();
    await turn.locator(".page-body").first().waitFor();
    // A question goes on from one of this visit alone.
    assert.equal(await (await ask(page, "Where does it happen?")).locator("[part=asked-as]").count(), 0);
    await ask(page, PLANTS);
    const next = await ask(page, "Where does it happen?");
    assert.equal(await next.locator("[part=asked-as] q").innerText(), "Where does photosynthesis happen?");
    assert.deepEqual(requests.filter((url) => !url.startsWith(server.url)), []);
    assert.deepEqual(said, []);
  });

  test("has what a model made of an answer, with each verdict", async (t) => {
    const node = await serveNode();
    const open_ = await serve(SITE, { policy: `${POLICY}; connect-src 'self' ${node.origin}` });
    t.after(() => Promise.all([node.close(), open_.close()]));
    const { page } = await open(t, { url: `${open_.url}#model` });
    await page.getByText("A model elsewhere (a node)").last().click();
    await page.getByLabel("Base URL").fill(node.base);
    await page.getByLabel("Base URL").press("Enter");
    await page.getByRole("button", { name: /^Agree/ }).click();
    await page.getByText("scripted answers there").waitFor();
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator(".deliberated .answer").waitFor();
    const written = await turn.locator(".judged").allTextContents();
    await kept(page, 1, 1);
    node.asked.length = 0;
    await page.goto(`${open_.url}?`);
    const again = page.getByRole("article").first();
    await again.locator(".deliberated .answer").waitFor();
    assert.ok(written.length >= 2);
    assert.deepEqual(await again.locator(".judged").allTextContents(), written);
    await again.getByText(`Written by scripted at ${node.origin}, as you agreed`).waitFor();
    assert.deepEqual(node.asked, []);
  });

  test("is saved as Markdown and as JSON, with its citations", async (t) => {
    const { page } = await open(t);
    await ask(page, PLANTS);
    const saved = async (name) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
    };
    const markdown = await saved("Save as Markdown");
    assert.equal(markdown.name, "seealso-history.md");
    const [title, , heading, , by] = markdown.text.split("\n");
    assert.deepEqual([title, heading], ["# Questions and answers", `## ${PLANTS}`]);
    assert.match(by, /^\*\d{4}-\d\d-\d\dT[\d:.]+Z, quoted from the pages\*$/);
    assert.ok(markdown.text.includes(`- [1] [Photosynthesis](${server.url}packs-static/plants/wiki/concepts/photosynthesis.md), plants/concepts/photosynthesis.md\n`), markdown.text);
    const json = await saved("Save as JSON");
    assert.equal(json.name, "seealso-history.json");
    const { format, version, turns } = JSON.parse(json.text);
    assert.deepEqual([format, version, turns.map(({ answer }) => answer.question)], ["seealso-history", 1, [PLANTS]]);
    assert.equal(turns[0].answer.sources[0].page, "plants/concepts/photosynthesis");
  });

  test("keeps questions that found nothing, which are saved as lines of JSON and sent nowhere", async (t) => {
    const { page, requests } = await open(t);
    await ask(page, PLANTS);
    await kept(page, 1);
    const button = page.getByRole("button", { name: "Save questions that found nothing" });
    assert.equal(await button.count(), 0);
    for (const question of ["Xyzzy plugh?", "Qwghlm frobnicate?", "Xyzzy plugh?"]) {
      await ask(page, question);
    }
    await kept(page, 4);
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    assert.equal(download.suggestedFilename(), "seealso-misses.jsonl");
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n").map((line) => JSON.parse(line));
    const packs = `${server.url}packs-static/`;
    assert.deepEqual(lines.map(({ at, ...miss }) => miss), [
      { packs, question: "Qwghlm frobnicate?" }, { packs, question: "Xyzzy plugh?" },
    ]);
    assert.ok(lines.every(({ at }) => !Number.isNaN(Date.parse(at))));
    assert.deepEqual(requests.filter((url) => /xyzzy|qwghlm/i.test(url)), []);
    // No more of them are kept than two hundred.
    const most = await page.evaluate(async () => {
      const { misses, noteMiss } = await import("./history/misses.js");
      for (let at = 0; at < 300; at++) {
        noteMiss({ status: "empty", question: `${at}`.padEnd(1000, "x"), notices: [] }, "packs", "now");
      }
      return misses().map(({ question }) => [question.length, question.slice(0, 4)]);
    });
    assert.deepEqual([most.length, most[0], most.at(-1)], [200, [400, "100x"], [400, "299x"]]);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("button", { name: "Clear them" }).click();
    await page.waitForFunction(() => localStorage.getItem("seealso-misses") === null);
  });

  test("is cleared after a second word, by the keyboard alone", async (t) => {
    const { page } = await open(t);
    await ask(page, PLANTS);
    await kept(page, 1);
    await page.getByRole("button", { name: "Clear", exact: true }).press("Enter");
    await page.getByText("Take this question and its answer off the screen and out of this browser?").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Clear them");
    await page.getByRole("button", { name: "Keep them" }).press("Enter");
    assert.deepEqual(await questions(page), [PLANTS]);
    await page.getByRole("button", { name: "Clear", exact: true }).press("Enter");
    await page.keyboard.press("Enter");
    await page.getByRole("article").waitFor({ state: "detached" });
    await kept(page, 0);
    assert.equal(questionInAddress(page), null);
    await page.waitForFunction(() => localStorage.getItem("seealso-history") === null);
    await page.reload();
    await page.getByText(/^\d+ pages in/).waitFor();
    assert.deepEqual(await questions(page), []);
  });

  test("that can't be kept loses nothing of what is on the screen, and the page says why", async (t) => {
    const check = async (script, says) => {
      const { page, said } = await open(t, { before: script });
      await ask(page, TWO_DOMAINS);
      await ask(page, PLANTS);
      await page.getByText(says).waitFor();
      assert.deepEqual(await questions(page), [TWO_DOMAINS, PLANTS]);
      assert.deepEqual(said, []);
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as JSON" }).click()]);
      assert.equal(JSON.parse(await readFile(await download.path(), "utf8")).turns.length, 2);
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await page.getByRole("button", { name: "Clear them" }).click();
      await page.getByRole("article").first().waitFor({ state: "detached" });
    };
    await check(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("not here", "InvalidStateError");
      };
    }, "This browser keeps no history for the page, as in a private window: answers stay on the screen until it is closed.");
    await check(() => {
      IDBObjectStore.prototype.add = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    }, "This browser’s storage for the page is full: new answers stay on the screen until the page is closed. Clear the history, or save it first.");
  });

  test("that can't be cleared says so, and is there again", async (t) => {
    const { page } = await open(t, { before: () => {
      IDBObjectStore.prototype.clear = () => {
        throw new DOMException("not now", "UnknownError");
      };
    } });
    await ask(page, PLANTS);
    await kept(page, 1);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("button", { name: "Clear them" }).click();
    await page.getByText("The history could not be cleared in this browser").waitFor();
    await page.reload();
    await page.getByRole("article").first().locator(".answer").waitFor();
    assert.deepEqual(await questions(page), [PLANTS]);
  });

  test("that another page cleared is not brought back", async (t) => {
    const { page } = await open(t);
    const left = await page.evaluate(async () => {
      const { HistoryStore } = await import("./history/store.js");
      const [here, elsewhere] = await Promise.all([HistoryStore.open(), HistoryStore.open()]);
      const turn = { packs: "p", answer: {} };
      const key = await here.add(turn);
      await here.replace(key, { ...turn, deliberation: {} });
      const [replaced] = await here.all("p");
      await elsewhere.clear();
      await here.replace(key, turn);
      return [Boolean(replaced.deliberation), (await here.all("p")).length];
    });
    assert.deepEqual(left, [true, 0]);
  });

  test("shows all other turns where one can't be shown", async (t) => {
    const { page, said } = await open(t);
    await ask(page, PLANTS);
    await kept(page, 1);
    await page.evaluate(async () => {
      const { HistoryStore } = await import("./history/store.js");
      const packs = new URL("packs-static/", location.href).href;
      await (await HistoryStore.open()).add({ packs, answer: { question: "Odd?", text: 7, spans: "none", sources: null } });
    });
    await ask(page, TWO_DOMAINS);
    await kept(page, 3);
    await page.reload();
    const article = (question) => page.getByRole("article").filter({ has: page.getByRole("heading", { name: question }) });
    await article(PLANTS).locator(".answer").waitFor();
    await article(TWO_DOMAINS).locator(".answer").waitFor();
    assert.ok(said.some((line) => line.includes("A turn of an earlier visit can't be shown.")), said.join("\n"));
    assert.equal(await article("Odd?").locator(".answer").count(), 0);
  });

  for (const [width, colorScheme] of [[1280, "light"], [375, "dark"]]) {
    test(`can be used at ${width} pixels, ${colorScheme}`, async (t) => {
      const { page } = await open(t, { screen: { viewport: { width, height: 800 }, colorScheme } });
      await ask(page, PLANTS);
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target.flat().join(" "))}`), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "the page scrolls sideways");
    });
  }
});
