// How much is read for a question is the reader's choice: the overviews of the packs, what a search finds, or twice as much.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { box } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { missing, serve } from "./support/server.mjs";
import { copySite, temporary, writePack } from "./support/site.mjs";

const STAGES_WASM = "/seealso/seealso_stages_web_bg.wasm.deflate";
const QUESTION = "What is a lantern made of?";

const host = (attributes) => `<!doctype html>
<html lang="en">
<title>A handbook</title>
<link rel="icon" href="favicon.svg">
<script type="module" src="seealso/see-also.js"></script>
<main><h1>A handbook</h1><see-also packs="packs-lanterns" ${attributes}></see-also></main>
</html>
`;

const page = (title, text) => `---\ntype: page\ntitle: ${title}\ndescription: ${text}\n---\n\n# ${title}\n\n${text}\n`;

/** More pages about one thing than are read in the standard mode, and an overview. */
const FILES = {
  "index.md": "---\ntitle: Lanterns\n---\n\n# Lanterns\n",
  "overview.md": page("Overview", "A lantern is made of a frame, panes and a light."),
  ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`lantern-${at}.md`, page(`Lantern of kind ${at}`, `A lantern of kind ${at} is made of brass.`)])),
};

describe("modes", () => {
  let browser, home, server;

  before(async () => {
    home = await temporary();
    await copySite(home.folder);
    await writePack(join(home.folder, "packs-lanterns"), "lanterns", FILES);
    for (const [name, attributes] of [["plain.html", ""], ["deep.html", 'depth="deep"'], ["other.html", 'depth="abyss"']]) {
      await writeFile(join(home.folder, name), host(attributes));
    }
    [browser, server] = await Promise.all([launch(), serve(home.folder)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await home?.remove();
  });

  const open = async (t, name = "plain.html") => {
    const { page, context, said } = await newPage(browser);
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    server.log.length = 0;
    await page.goto(server.url + name);
    await box(page).focus();
    await page.getByText(/^\d+ pages in 1 pack$/).waitFor();
    return { page, said };
  };

  const depth = (page) => page.getByLabel("Read", { exact: true });

  const ask = (page) => page.locator("see-also").evaluate(async (element, question) => {
    const { status, sources, notices } = await element.ask(question);
    return { status, pages: sources.map(({ page }) => page), notices };
  }, QUESTION);

  const loadedStages = () => server.log.some(({ path }) => path === STAGES_WASM);

  test("the standard and the deep one are the engine's own, and the deep one reads more", async (t) => {
    const { page, said } = await open(t);
    assert.equal(await depth(page).inputValue(), "standard");
    const standard = await ask(page);
    await depth(page).selectOption("deep");
    const deep = await ask(page);
    assert.ok(standard.pages.length <= 12 && deep.pages.length > standard.pages.length, `${standard.pages.length}, ${deep.pages.length}`);
    assert.equal(loadedStages(), false);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id }) => id), []);
    assert.deepEqual(said, []);
  });

  test("the quick one reads the overview of each pack and searches nothing", async (t) => {
    const { page, said } = await open(t);
    await depth(page).selectOption("quick");
    const { status, pages, notices } = await ask(page);
    assert.deepEqual([status, pages, notices], ["answered", ["lanterns/overview"], []]);
    assert.equal(loadedStages(), true);
    assert.deepEqual(server.log.map(({ path }) => path).filter((path) => path.endsWith(".md")), ["/packs-lanterns/lanterns/overview.md"]);
    assert.deepEqual(said, []);
  });

  test("where what reads overviews does not come, pages are searched, and a sentence says so", async (t) => {
    const { page } = await open(t);
    server.faults.set(STAGES_WASM, missing);
    await depth(page).selectOption("quick");
    const { status, pages, notices } = await ask(page);
    assert.ok(status === "answered" && pages.length > 1, pages.join());
    assert.deepEqual(notices.map(({ code }) => code), ["no-stages"]);
  });

  test("a site says which one its readers find chosen", async (t) => {
    const deep = await open(t, "deep.html");
    assert.equal(await depth(deep.page).inputValue(), "deep");
    // Another attribute does not undo the reader's choice.
    await depth(deep.page).selectOption("standard");
    await deep.page.locator("see-also").evaluate((element) => element.setAttribute("placeholder", "Ask away"));
    assert.equal(await depth(deep.page).inputValue(), "standard");
    const other = await open(t, "other.html");
    assert.equal(await depth(other.page).inputValue(), "standard");
  });
});
