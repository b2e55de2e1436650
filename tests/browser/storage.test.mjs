// Copies of what was read are kept in the browser, where it lets us: a second visit asks the server
// for no page again. Where it does not, answers are the same, only never from a copy. What is kept is
// proven, is not let grow, and serves when the server is in trouble.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { ask, packs, read } from "./support/chat.mjs";
import { launch, launchOptions, newPage, watched } from "./support/browser.mjs";
import { send, serve, silent, webPage } from "./support/server.mjs";
import { SITE, temporary } from "./support/site.mjs";

const QUESTION = "What is photosynthesis?";
const CATALOG = "/packs-static/catalog.json";
const PHOTOSYNTHESIS = "/packs-static/plants/wiki/concepts/photosynthesis.md";

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
    assert.deepEqual(asked, [CATALOG]);
  });

  describe("a copy serves where the server", () => {
    const cases = [
      ["cannot be reached", (response) => response.destroy()],
      ["fails", (response) => send(response, 503, "Come again later.\n")],
      ["stays silent", silent],
    ];
    for (const [what, fault] of cases) {
      test(what, async (t) => {
        const notes = await newPage(browser);
        const online = await answered(notes);
        t.after(() => server.faults.clear());
        server.faults.set("/packs-static/*", fault);
        await notes.page.goto(server.url);
        await notes.page.locator("see-also").evaluate((element) => element.setAttribute("timeout-ms", 400));
        assert.deepEqual(await read(await ask(notes.page, QUESTION)), online);
      });
    }
  });

  test("the catalog is asked for again, whatever the server lets the browser keep", async (t) => {
    const notes = await newPage(browser);
    t.after(() => server.faults.clear());
    server.faults.set("/packs-static/*", (response, bytes) => {
      response.setHeader("cache-control", "max-age=3600");
      send(response, 200, bytes);
    });
    await answered(notes);
    server.log.length = 0;
    await answered(notes);
    assert.deepEqual(server.log.map(({ path }) => path).filter((path) => path.startsWith("/packs-static/")), [CATALOG]);
  });

  test("an error page sent as a success takes the place of no copy", async (t) => {
    const notes = await newPage(browser);
    t.after(() => server.faults.clear());
    server.faults.set(PHOTOSYNTHESIS, webPage);
    await answered(notes);
    const kept = (await notes.page.evaluate(keptPaths)).filter((path) => path.endsWith(".md"));
    assert.ok(kept.length > 0 && !kept.includes(PHOTOSYNTHESIS), kept.join(", "));

    server.faults.set(CATALOG, webPage);
    await notes.page.goto(server.url);
    await notes.page.locator(".error[data-code=bad-catalog]").waitFor();
    server.faults.clear();
    server.faults.set(CATALOG, (response) => response.destroy());
    await answered(notes);
  });

  test("a build takes the place of the one before it, and of no other site's", async () => {
    const notes = await newPage(browser);
    await answered(notes);
    const catalog = JSON.parse(await readFile(join(SITE, CATALOG), "utf8"));
    const current = `/packs-static/${catalog.index.path}`;
    const others = ["/packs-static/inner/index/0.idx", "/elsewhere/index/0.idx"];
    const keep = (paths) => notes.page.evaluate(async (paths) => {
      const cache = await caches.open("seealso-1");
      await Promise.all(paths.map((path) => cache.put(path, new Response("old"))));
    }, paths);
    const kept = async () => (await notes.page.evaluate(keptPaths)).filter((path) => path.endsWith(".idx")).toSorted();
    const same = ["/packs-static/index/0.idx", "/packs-static/index/1.idx"];
    await keep([...same, ...others]);
    // Files of the build that is there still stay.
    await answered(notes);
    assert.deepEqual(await kept(), [current, ...same, ...others].toSorted());

    catalog.index.sha256 = "0".repeat(64);
    await notes.page.evaluate(async ([path, text]) => (await caches.open("seealso-1")).put(path, new Response(text)), [CATALOG, JSON.stringify(catalog)]);
    await answered(notes);
    assert.deepEqual(await kept(), [current, ...others].toSorted());
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

/** Runs in the page: the paths that copies are kept of. */
async function keptPaths() {
  const cache = await caches.open("seealso-1");
  return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}

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
