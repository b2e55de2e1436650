// Every answer shows what it was made from: the Sources panel, whole pages inside it, the cited
// sentence marked, and links that lead on to other pages of the pack.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ask, openSources, read } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE, copySite, temporary, writePack } from "./support/site.mjs";

const HUSBANDRY = `---
title: Quokka husbandry
summary: Quokka husbandry is the keeping of quokkas.
---

# Quokka husbandry

Quokka husbandry is the keeping of quokkas in pairs. See [their food](<food, water + salt & more; $5 @home=ok.md#leaves>).
`;

const FOOD = `---
title: Rations
summary: What to buy.
---

# Rations

## Leaves

Fresh ones.
`;

describe("sources", () => {
  let browser, server, page, turn;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
    ({ page } = await newPage(browser));
    await page.goto(server.url);
    turn = await ask(page, "What is photosynthesis?");
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  test("are collapsed at first", async () => {
    assert.equal(await turn.locator(".source").first().isVisible(), false);
  });

  test("name the path, the beginning and the part played by every page that was read", async () => {
    await openSources(turn);
    const { sources, cited } = await read(turn);
    assert.equal(sources[0], "plants/concepts/photosynthesis.md");
    assert.ok(cited.includes("plants/concepts/photosynthesis.md"));
    assert.equal(await turn.getByText(`Sources (${sources.length})`).count(), 1);
    const snippets = await turn.locator(".snippet").allTextContents();
    assert.equal(snippets.length, sources.length);
    for (const snippet of snippets) {
      assert.ok(snippet.length > 20 && [...snippet].length <= 200, snippet);
    }
    assert.ok((await turn.locator(".badge").allTextContents()).includes("via See Also"));
  });

  test("expand to the whole page, rendered", async () => {
    const source = turn.locator(".source").first();
    await source.locator("> summary").click();
    const body = source.locator(".page-body");
    await body.waitFor();
    const file = await readFile(join(SITE, "packs-static/plants/wiki/concepts/photosynthesis.md"), "utf8");
    const written = [...file.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(await body.getByRole("heading").allTextContents(), written);
    const address = await source.getByRole("link", { name: "Open the file" }).getAttribute("href");
    assert.equal(address, `${server.url}packs-static/plants/wiki/concepts/photosynthesis.md`);
  });

  test("lead on to other pages of the pack, and back", async () => {
    const source = turn.locator(".source").first();
    const link = source.locator(".page-body a[href*='/plants/wiki/concepts/']").first();
    const name = await link.getAttribute("href");
    await link.click();
    const back = source.getByRole("button", { name: "Back to Photosynthesis" });
    await back.waitFor();
    const opened = await source.getByRole("link", { name: "Open the file" }).getAttribute("href");
    assert.equal(opened, name);
    assert.equal(page.context().pages().length, 1);
    await back.click();
    await source.locator("[data-level='1']", { hasText: /^Photosynthesis$/ }).waitFor();
  });

  test("open at the cited sentence, and lead back to the citation", async () => {
    await page.goto(server.url);
    turn = await ask(page, "What is chlorophyll?");
    const citation = turn.getByRole("button", { name: /^\[1\] / }).first();
    const sentence = await citation.evaluate((button) => button.closest("p").textContent.split("[1]")[0]);
    await citation.click();
    const marked = turn.locator(".marked");
    await marked.waitFor();
    const squeeze = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
    assert.ok(squeeze(await marked.textContent()).includes(squeeze(sentence)), sentence);
    await turn.locator("[data-level]:focus").waitFor();
    await turn.getByRole("button", { name: "Back to the answer" }).click();
    assert.ok(await citation.evaluate((button) => button.getRootNode().activeElement === button));
  });

  test("show links to the web as such, without telling where the reader came from", async () => {
    const links = turn.locator(".page-body a[href^='https://']");
    for (const link of await links.all()) {
      assert.equal(await link.getAttribute("rel"), "noopener noreferrer nofollow");
      assert.equal(await link.getAttribute("target"), "_blank");
    }
    assert.ok((await links.count()) > 0);
  });
});

test("pages lead on to each other whatever characters their names hold", async (t) => {
  const { folder, remove } = await temporary();
  await copySite(folder);
  await writePack(join(folder, "packs-static"), "quokkas", {
    "manifest.yaml": "name: quokkas\ntitle: Quokkas\nversion: 1.0.0\nlanguage: en\nsummary: Keeping quokkas.\n",
    "wiki/concepts/quokkas & co (a+b, c=d).md": HUSBANDRY,
    "wiki/concepts/food, water + salt & more; $5 @home=ok.md": FOOD,
  });
  const [browser, server] = await Promise.all([launch(), serve(folder)]);
  t.after(async () => {
    await Promise.all([browser.close(), server.close()]);
    await remove();
  });
  const { page } = await newPage(browser);
  await page.goto(server.url);
  const turn = await ask(page, "What is quokka husbandry?");
  await openSources(turn);
  const source = turn.locator(".source", { hasText: "quokkas/concepts/quokkas & co (a+b, c=d).md" }).first();
  await source.locator("> summary").click();
  await source.getByRole("link", { name: "their food" }).click();
  await source.getByRole("button", { name: "Back to Quokka husbandry" }).waitFor();
  assert.deepEqual(await source.locator(".page-body").getByRole("heading").allTextContents(), ["Rations", "Leaves"]);
  assert.equal(page.context().pages().length, 1);
});

test("a page and a trace whose scripts do not come can be opened again", async (t) => {
  const [browser, server] = await Promise.all([launch(), serve(SITE)]);
  t.after(() => Promise.all([browser.close(), server.close()]));
  server.faults.set("/seealso/details/details.js", (response) => send(response, 503, ""));
  const { page } = await newPage(browser);
  await page.goto(server.url);
  const turn = await ask(page, "What is photosynthesis?");
  await openSources(turn);
  await turn.locator(".source summary").first().click();
  const failure = turn.getByRole("alert").filter({ hasText: "This part of the page could not be loaded." });
  await failure.waitFor();
  await turn.getByText("How this was found").click();
  await failure.nth(1).waitFor();
  server.faults.clear();
  await page.reload();
  const again = await ask(page, "What is photosynthesis?");
  await openSources(again);
  await again.locator(".source summary").first().click();
  await again.locator(".page-body h4").first().waitFor();
  await again.getByText("How this was found").click();
  await again.getByRole("columnheader", { name: "What happened" }).waitFor();
});
