// A reader sees where a page comes from: the sources in its front matter, their files in the pack, and how the pack says that
// pages are written. What the browser stored of packs and index can be removed.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ask, openSources } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

const PACK = join(SITE, "packs-static/plants");

describe("where a page comes from", () => {
  let browser, server, page, turn, source;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
    ({ page } = await newPage(browser));
    await page.goto(server.url);
    turn = await ask(page, "What is photosynthesis?");
    await openSources(turn);
    source = turn.locator(".source").first();
    await source.locator("> summary").click();
    await source.locator(".page-body").waitFor();
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  test("nothing of it is fetched before it is opened", async () => {
    assert.deepEqual(server.log.filter(({ path }) => /raw\/|schema\.md/.test(path)), []);
  });

  test("the sources in its front matter are listed, and shown from the pack's folder raw", async () => {
    await source.getByText("Where this page comes from", { exact: true }).click();
    const text = await readFile(join(PACK, "wiki/concepts/photosynthesis.md"), "utf8");
    const path = /raw\/articles\/[\w.-]+\.md/.exec(text)[0];
    await source.getByText(path, { exact: true }).click();
    const shown = source.locator(".origin pre").first();
    await shown.waitFor();
    assert.equal(await shown.textContent(), await readFile(join(PACK, path), "utf8"));
  });

  test("what the pack says of its pages is shown as text", async () => {
    await source.getByText("How pages of this pack are written (schema.md)", { exact: true }).click();
    const schema = await readFile(join(PACK, "wiki/schema.md"), "utf8");
    await source.locator(".origin pre", { hasText: schema.split("\n").find((line) => line.startsWith("# ")) }).waitFor();
    assert.ok((await source.locator(".origin pre").allTextContents()).includes(schema));
  });

  test("a file that is not there is said to be missing", async (t) => {
    t.after(() => server.faults.clear());
    server.faults.set("/packs-static/plants/wiki/schema.md", (response) => send(response, 404, "Not found.\n"));
    const other = turn.locator(".source").nth(1);
    await other.locator("> summary").click();
    await other.getByText("Where this page comes from", { exact: true }).click();
    await other.getByText("How pages of this pack are written (schema.md)", { exact: true }).click();
    await other.getByText("This pack has no schema.md.").waitFor();
  });

  test("stored copies of packs and index can be removed", async () => {
    const stored = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("seealso-")));
    assert.equal((await stored()).length, 1);
    await turn.getByText("How this was found").click();
    await turn.getByRole("button", { name: "Remove stored copies of packs and index" }).click();
    await turn.getByText("Removed. They are fetched again when they are needed.").waitFor();
    assert.deepEqual(await stored(), []);
    server.log.length = 0;
    await page.reload();
    await ask(page, "What is photosynthesis?");
    assert.ok(server.log.some(({ path }) => path.endsWith("/wiki/concepts/photosynthesis.md")), "the page is fetched again");
  });
});

test("sources in front matter are read however they are written", async () => {
  const browser = await launch();
  const server = await serve(SITE);
  try {
    const { page } = await newPage(browser);
    await page.goto(server.url);
    for (const [text, expected] of [
      ['---\nsources: [raw/a.md, "https://x.org/a", \'b c.md\'] # all\ntags: [q]\n---\n', ["raw/a.md", "https://x.org/a", "b c.md"]],
      ["---\nsources:\n  - raw/a.md\n  - url: https://y.org\n    hash: abc\n- https://z.org#part # remark\n---\n", ["raw/a.md", "https://y.org", "https://z.org#part"]],
      ["---\nsources: raw/one.md\n---\n", ["raw/one.md"]],
      ["---\nsources: []\n---\n", []],
      ["sources: [raw/a.md]\n", []],
    ]) {
      const found = await page.evaluate(async (text) => (await import("./seealso/origins/origins.js")).sourcesOf(text), text);
      assert.deepEqual(found, expected);
    }
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});
