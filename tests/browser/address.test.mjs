// The question stands in the page's address, and is never sent with it: on reload, Back, Forward, by a bookmark and by a
// link to a file, the host sees it neither in a query nor in a Referer.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ask, openSources, questionInAddress, settled } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

const PLANTS = "What is photosynthesis?";
const EMPERORS = "Who was Augustus?";
const IN_QUERY = "?q=What+is+photosynthesis%3F";
const IN_FRAGMENT = "#q=What+is+photosynthesis%3F";

describe("the question in the address", () => {
  let browser;

  before(async () => {
    browser = await launch();
  });

  after(() => browser?.close());

  const open = async (t, address = "") => {
    const server = await serve(SITE);
    const { page, context, said } = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => Promise.all([context.close(), server.close()]));
    await page.goto(server.url + address);
    return { page, context, said, server };
  };
  /** The requests that tell the host more than which file is wanted. */
  const telling = ({ log }) => log.filter(({ url, referer = "" }) => /[?#]/.test(url + referer));
  const heading = async (page) => (await settled(page)).getByRole("heading", { level: 3 }).textContent();
  const elsewhere = (server) => `${server.url}chat.css`;

  const WAYS = {
    "a reload": ({ page }) => page.reload(),
    "Back and Forward": async ({ page, server }) => {
      await page.goto(elsewhere(server));
      await page.goBack();
      await page.goForward();
      await page.goBack();
    },
    "a reload, then Back": async ({ page, server }) => {
      await page.reload();
      await page.goto(elsewhere(server));
      await page.goBack();
    },
    "a bookmark": async ({ page }) => {
      const bookmark = page.url();
      await page.goto("about:blank");
      await page.goto(bookmark);
    },
    "a link to a page's file": async ({ page }) => {
      await openSources(await settled(page));
      await page.locator(".source > summary").first().click();
      await page.getByRole("link", { name: "Open the file" }).first().evaluate((link) => (link.target = "_self"));
      await page.getByRole("link", { name: "Open the file" }).first().click();
      await page.goBack();
    },
  };
  for (const [way, go] of Object.entries(WAYS)) {
    test(`is not sent by ${way}`, async (t) => {
      const { page, context, server } = await open(t);
      // Nothing of the page is kept alive: Back has to load it anew.
      await context.addInitScript(() => addEventListener("unload", () => {}));
      await ask(page, PLANTS);
      await page.waitForURL(/#q=/);
      await go({ page, server });
      assert.equal(await heading(page), PLANTS);
      assert.equal(questionInAddress(page), PLANTS);
      assert.deepEqual(telling(server), []);
    });
  }

  test("is not the key of anything that the browser keeps", async (t) => {
    const { page } = await open(t);
    await ask(page, PLANTS);
    await page.reload();
    await settled(page);
    const kept = await page.evaluate(async () => {
      const requests = (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url));
      return (await Promise.all(requests)).flat();
    });
    assert.deepEqual(kept.filter((url) => /[?#]/.test(url)), []);
  });

  const OLD_LINKS = [
    [IN_QUERY, "", PLANTS],
    ["?q=Who%20was%20Augustus%3F", "", EMPERORS],
    [`?from=mail&q=Who+was+Augustus%3F&page=2`, "?from=mail&page=2", EMPERORS],
    ["?q=Who+was+Augustus%3F&q=twice", "", EMPERORS],
    ["?q=%20%20Who+was+Augustus%3F%20", "", EMPERORS],
    [`index.html?q=Who+was+Augustus%3F`, "", EMPERORS],
    [`?q=Who+was+Augustus%3F${IN_FRAGMENT}`, "", PLANTS],
  ];
  for (const [link, query, question] of OLD_LINKS) {
    test(`of an old link is read once: ${link}`, async (t) => {
      const { page, server } = await open(t, link);
      assert.equal(await heading(page), question);
      assert.deepEqual([new URL(page.url()).search, questionInAddress(page)], [query, question]);
      assert.deepEqual(telling(server).map(({ url, referer }) => [url, referer]), [[`/${link.replace(/#.*/, "")}`, undefined]], "the link itself");
      server.log.length = 0;
      await page.reload();
      await settled(page);
      await page.goto(elsewhere(server));
      await page.goBack();
      assert.equal(await heading(page), question);
      assert.deepEqual(server.log.filter(({ url, referer = "" }) => /[?&#]q=/.test(`${url} ${referer}`)), []);
    });
  }

  test("of another link is asked, with the page loaded anew", async (t) => {
    const { page, server } = await open(t);
    await ask(page, PLANTS);
    await page.waitForURL(/#q=/);
    await page.evaluate(() => location.assign("#q=Who+was+Augustus%3F"));
    await page.getByRole("heading", { level: 3, name: EMPERORS }).waitFor();
    await page.getByRole("article").last().locator(".answer").waitFor();
    // Back is a link to the question before.
    await page.goBack();
    await page.waitForURL(/photosynthesis/);
    await page.getByRole("heading", { level: 3, name: PLANTS }).last().waitFor();
    assert.deepEqual(telling(server), []);
  });

  test("stays there while the settings are open, and is not asked again when they close or by Back", async (t) => {
    const { page, server } = await open(t);
    await ask(page, PLANTS);
    await page.getByRole("link", { name: "Choose who writes the answers" }).click();
    await page.getByRole("button", { name: "Close" }).waitFor();
    assert.match(new URL(page.url()).hash, /^#model=&q=/);
    await page.getByRole("button", { name: "Close" }).click();
    assert.equal(new URL(page.url()).hash, IN_FRAGMENT);
    await page.evaluate(() => (globalThis.isSame = true));
    await page.goBack();
    assert.equal(questionInAddress(page), PLANTS);
    assert.deepEqual([await page.evaluate(() => globalThis.isSame), await page.getByRole("article").count()], [true, 1]);

    // A reload with the settings open opens them again.
    await page.getByRole("link", { name: "Choose who writes the answers" }).click();
    await ask(page, EMPERORS);
    await page.reload();
    await page.getByRole("button", { name: "Close" }).waitFor();
    assert.equal(questionInAddress(page), EMPERORS);
    assert.deepEqual(telling(server), []);
  });

  const HOSTILE = [
    ["#q=100%", "100%"],
    ["#q=%E0%A4%A", "\uFFFD%A"],
    ["#q=%FF%FE", "\uFFFD\uFFFD"],
    ["#q=%u0041%zz", "%u0041%zz"],
    ["#q=<img+src=x+onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["#q=a%00b", "a\u0000b"],
    ["#q=%F0%9F%8D%B5&q=b&__proto__=c", "\u{1F375}"],
    [`#q=${"x".repeat(2000)}%2520`, `${"x".repeat(2000)}%20`],
    [`#q=${"y+".repeat(500_000)}`, "y ".repeat(2000)],
  ];
  for (const [fragment, question] of HOSTILE) {
    test(`that is hostile is text, and is bounded: ${fragment.slice(0, 40)}`, async (t) => {
      const { page, said } = await open(t, fragment);
      assert.equal(await heading(page), question.trim());
      assert.deepEqual(said, []);
    });
  }

  for (const fragment of ["#", "#q=", "#q=%20%0A", "#q", "#=x", "#%", "#turn-1-history", "#&&&=", "#models"]) {
    test(`is none in ${fragment}`, async (t) => {
      const { page, said } = await open(t, fragment);
      await page.getByText(/^\d+ pages in/).waitFor();
      assert.equal(await page.getByRole("article").count(), 0);
      assert.deepEqual(said, []);
    });
  }
});
