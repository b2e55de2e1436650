// Copies of what was read are kept in the browser, where it lets us: a second visit asks the server
// for no page again. Where it does not, answers are the same, only never from a copy.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { ask, packs, read } from "./support/chat.mjs";
import { launch, launchOptions, newPage, watched } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";
import { SITE, temporary } from "./support/site.mjs";

const QUESTION = "What is photosynthesis?";

describe("storage", () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch("--host-resolver-rules=MAP wiki.example 127.0.0.1"), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  const answered = async ({ page, said }, url = server.url) => {
    await page.goto(url);
    const answer = await read(await ask(page, QUESTION));
    assert.deepEqual(packs(answer.cited), ["plants"], answer.text);
    assert.deepEqual(said, []);
    return answer;
  };

  test("a second visit asks for no page and no index again", async () => {
    const first = await newPage(browser);
    const fresh = await answered(first);
    await first.page.close();
    server.log.length = 0;
    const second = await watched(first.context);
    assert.deepEqual(await answered(second), fresh);
    const asked = server.log.map(({ path }) => path).filter((path) => path.startsWith("/packs-static/"));
    assert.deepEqual(asked, ["/packs-static/catalog.json"]);
  });

  test("a copy serves where the server cannot be reached", async () => {
    const notes = await newPage(browser);
    const online = await answered(notes);
    server.faults.set("/packs-static/*", (response) => response.destroy());
    await notes.page.goto(server.url);
    assert.deepEqual(await read(await ask(notes.page, QUESTION)), online);
    server.faults.clear();
  });

  test("a full storage costs the copies, not the answer", async () => {
    const notes = await newPage(browser);
    const devtools = await notes.context.newCDPSession(notes.page);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(server.url).origin, quotaSize: 1 });
    await answered(notes);
    assert.equal(await notes.page.evaluate(keep), "QuotaExceededError");
  });

  test("a page that is not secure has no storage, and answers", async () => {
    const notes = await newPage(browser);
    await answered(notes, `http://wiki.example:${server.port}/`);
    assert.equal(await notes.page.evaluate(keep), "no storage");
  });

  test("a reader who forbids all site data is answered", async (t) => {
    const { folder, remove } = await temporary();
    await mkdir(join(folder, "Default"));
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(folder, "Default/Preferences"), JSON.stringify(settings));
    const context = await chromium.launchPersistentContext(folder, launchOptions());
    t.after(async () => {
      await context.close();
      await remove();
    });
    const notes = await watched(context);
    await answered(notes);
    assert.notEqual(await notes.page.evaluate(keep), "kept");
  });
});

/** Runs in the page: what comes of keeping a copy there. */
async function keep() {
  if (!("caches" in globalThis)) {
    return "no storage";
  }
  try {
    const cache = await caches.open("trial");
    await cache.put("/trial", new Response("trial".repeat(1000)));
    return "kept";
  } catch (error) {
    return error.name;
  }
}
