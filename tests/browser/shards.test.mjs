// An index in many files: it ranks as one file does, whatever becomes of single files, of the browser's
// copies and of the network, and a question asks for few of them.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { TWO_DOMAINS, ask, read, ready } from "./support/chat.mjs";
import { launch, newPage, watched } from "./support/browser.mjs";
import { missing, send, serve } from "./support/server.mjs";
import { SITE, copySite, readCatalog, splitIndex, temporary } from "./support/site.mjs";

/** Bytes of a file of the index: so few that the demo packs become hundreds of files. */
const FILE_BYTES = 256;
const INDEX = "/packs-static/index/*";

const SEARCHES = [
  ["What is photosynthesis?", {}],
  [TWO_DOMAINS, {}],
  ["Compare Roman emperors with Neanderthals", {}],
  ["how do servers and containers share files and networks", { k: 30 }],
  ["when was the wall of Hadrain built", {}],
  ["photosynth", { prefix: true }],
  ["chlorophyll in le", { prefix: true }],
  ["emperor cave leaf", { packs: ["history", "plants"] }],
  ["emperor cave leaf", { languages: ["en"], k: 3 }],
  ["the", {}],
  ["zxqvbn wvutsr", {}],
];

/** An empty page, so that what is asked for is what the test asks for. */
const BLANK = `<!doctype html>\n<html lang="en">\n<title>Nothing</title>\n<link rel="icon" href="favicon.svg">\n</html>\n`;

describe("an index in many files", () => {
  let browser, one, many, single, sharded;

  before(async () => {
    [one, many] = await Promise.all([temporary(), temporary()]);
    await Promise.all([one, many].map(async ({ folder }) => {
      await copySite(folder);
      await writeFile(join(folder, "blank.html"), BLANK);
    }));
    const { catalog } = await splitIndex(many.folder, FILE_BYTES);
    assert.ok(catalog.index.files > 100, `${catalog.index.files} files`);
    [browser, single, sharded] = await Promise.all([launch(), serve(one.folder), serve(many.folder)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), single?.close(), sharded?.close()]);
    await Promise.all([one?.remove(), many?.remove()]);
  });

  beforeEach(() => {
    sharded.faults.clear();
    sharded.log.length = 0;
  });

  const blank = async (server, context) => {
    const notes = context ? await watched(context) : await newPage(browser);
    await notes.page.goto(`${server.url}blank.html`);
    return notes;
  };

  /** What the searches of the page's one engine find, or the error of the first that fails. */
  const found = (page, searches, options = { cache: false }) => page.evaluate(async ([searches, options]) => {
    const { Engine } = await import("./seealso/engine.js");
    window.engine ??= new Engine(new URL("packs-static/", location.href).href, options);
    const all = [];
    for (const [query, how] of searches) {
      try {
        all.push((await window.engine.search(query, how)).map((hit) => ({ ...hit, url: new URL(hit.url).pathname })));
      } catch ({ code, message }) {
        return { code, message };
      }
    }
    return all;
  }, [searches, options]);

  const expected = async (searches = SEARCHES) => {
    const { page, context } = await blank(single);
    const hits = await found(page, searches);
    await context.close();
    return hits;
  };

  const answerOf = async (server, question) => {
    const { page, context } = await newPage(browser);
    await page.goto(server.url);
    const answer = await read(await ask(page, question));
    await context.close();
    return answer;
  };

  test("ranks as one file does", async () => {
    const { page } = await blank(sharded);
    const hits = await found(page, SEARCHES);
    assert.deepEqual(hits, await expected());
    assert.deepEqual(hits.map((rows) => rows.length > 0), SEARCHES.map(([query]) => !/^(the|zxqvbn)/.test(query)));
  });

  test("answers as one file does", async () => {
    for (const question of [TWO_DOMAINS, "Compare Roman emperors with Neanderthals"]) {
      assert.deepEqual(await answerOf(sharded, question), await answerOf(single, question));
    }
  });

  test("takes few requests and rounds for a cold question", async (t) => {
    const notes = await blank(sharded);
    const rounds = noteRounds(notes.page);
    await found(notes.page, [[TWO_DOMAINS, {}]]);
    const bytes = sharded.log.filter(({ path }) => path.startsWith("/packs-static/")).reduce((sum, file) => sum + file.bytes, 0);
    t.diagnostic(`${rounds.requests} requests in ${rounds.last} rounds, ${bytes} bytes`);
    assert.ok(rounds.last <= 5, `${rounds.last} rounds`);
    const before = rounds.requests;
    await found(notes.page, [[TWO_DOMAINS, {}]]);
    assert.equal(rounds.requests, before, "a warm question asks for nothing");
  });

  test("of which each fails twice and then answers, ranks the same", async () => {
    const tries = new Map();
    sharded.faults.set(INDEX, (response, bytes, path) => {
      tries.set(path, (tries.get(path) ?? 0) + 1);
      send(response, tries.get(path) <= 2 ? 503 : 200, tries.get(path) <= 2 ? "Come again.\n" : bytes);
    });
    const searches = SEARCHES.slice(0, 1);
    const { page } = await blank(sharded);
    assert.deepEqual(await found(page, searches), await expected(searches));
    assert.ok(tries.size > 0 && [...tries.values()].every((count) => count === 3));
  });

  test("of which some are not there, says so, and another try is enough", async () => {
    const { page } = await newPage(browser);
    await page.goto(sharded.url);
    await ready(page);
    sharded.faults.set(INDEX, missing);
    const turn = await ask(page, "What is photosynthesis?");
    assert.equal(await turn.locator(".error").getAttribute("data-code"), "index-lost");
    assert.match(await turn.locator(".error").innerText(), /a part of the index did not come \(index\/\w+\.idx: there is no such file.*ask again/s);
    sharded.faults.clear();
    await turn.getByRole("button", { name: "Try again" }).click();
    await turn.locator(".cite").first().waitFor();
    assert.deepEqual(await read(turn), await answerOf(single, "What is photosynthesis?"));
  });

  test("of which some are damaged, says so, and keeps no copy of them", async () => {
    const { page } = await blank(sharded);
    sharded.faults.set(INDEX, (response, bytes) => {
      const damaged = Buffer.from(bytes);
      damaged[damaged.length >> 1] ^= 1;
      send(response, 200, damaged);
    });
    const { code, message } = await found(page, SEARCHES, {});
    assert.equal(code, "index-lost");
    assert.match(message, /index\/\w+\.idx: not the bytes that the catalog names; upload it again, or rebuild with `seealso build`/);
    assert.deepEqual((await page.evaluate(keptPaths)).filter((path) => path.endsWith(".idx")), []);
    sharded.faults.clear();
    assert.deepEqual(await found(page, SEARCHES), await expected());
  });

  test("a second visit asks for the catalog alone", async () => {
    const { page } = await blank(sharded);
    const first = await found(page, SEARCHES, {});
    await page.reload();
    sharded.log.length = 0;
    assert.deepEqual(await found(page, SEARCHES, {}), first);
    assert.deepEqual(sharded.log.map(({ path }) => path).filter((path) => path.startsWith("/packs-static/")), ["/packs-static/catalog.json"]);
  });

  test("copies that are cleared midway cost requests, not results", async () => {
    const { page } = await blank(sharded);
    const hits = await found(page, SEARCHES.slice(0, 2), {});
    await page.evaluate(() => caches.delete("seealso-1"));
    hits.push(...(await found(page, SEARCHES.slice(2))));
    assert.deepEqual(hits, await expected());
    await page.reload();
    await page.evaluate(async () => {
      const cache = await caches.open("seealso-1");
      const keys = await cache.keys();
      await Promise.all(keys.filter((_, at) => at % 2).map((key) => cache.delete(key)));
    });
    assert.deepEqual(await found(page, SEARCHES, {}), await expected());
  });

  test("two tabs rank the same, at once and with one cache", async () => {
    const { page, context } = await blank(sharded);
    const other = await blank(sharded, context);
    const all = await Promise.all([page, other.page].map((tab) => found(tab, SEARCHES, {})));
    const rows = await expected();
    assert.deepEqual(all, [rows, rows]);
  });

  test("a tab goes on while the site is built anew; after the second time it opens it again", async (t) => {
    const { folder, remove } = await temporary();
    await copySite(folder);
    await writeFile(join(folder, "blank.html"), BLANK);
    await splitIndex(folder, FILE_BYTES);
    const server = await serve(folder);
    t.after(async () => {
      await server.close();
      await remove();
    });
    const rows = await expected();
    const { page, context } = await blank(server);
    const old = await found(page, SEARCHES.slice(0, 2), {});
    await splitIndex(folder, FILE_BYTES * 2);
    const other = await blank(server, context);
    assert.deepEqual(await found(other.page, SEARCHES, {}), rows);
    old.push(...(await found(page, SEARCHES.slice(2, 4))));
    assert.deepEqual(old, rows.slice(0, 4));
    // What the old build made is gone from the server by now.
    await splitIndex(folder, FILE_BYTES * 3);
    await page.evaluate(() => caches.delete("seealso-1"));
    const lost = await found(page, SEARCHES.slice(4));
    assert.equal(lost.code, "index-lost", JSON.stringify(lost).slice(0, 200));
    assert.deepEqual(await found(page, SEARCHES), rows);
  });

  test("a slow network shows how far the question is, and changes nothing", async (t) => {
    const { page, context } = await newPage(browser);
    await page.goto(sharded.url);
    await ready(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    // Chromium's "Slow 3G": 400 kbit/s and 400 ms.
    await devtools.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 });
    await page.evaluate(noteStages);
    const started = performance.now();
    const turn = await ask(page, "What is photosynthesis?");
    const ms = Math.round(performance.now() - started);
    t.diagnostic(`${ms} ms`);
    assert.ok(ms > 1200, `${ms} ms: the worker's requests are not slowed down`);
    assert.deepEqual(await read(turn), await answerOf(single, "What is photosynthesis?"));
    const stages = await page.evaluate(() => window.stages);
    assert.ok(stages.includes("search start") && stages.includes("fetch start"), stages.join());
  });

  test("lists its packs in a file of their own where they are many", async (t) => {
    const { folder, remove } = await temporary();
    await copySite(folder);
    const { catalog } = await readCatalog(SITE);
    await writeFile(join(folder, "packs-static/catalog.json"), JSON.stringify({ ...catalog, packs: [], packs_file: { path: "index/none.json", bytes: 2, sha256: "00" } }));
    const server = await serve(folder);
    t.after(async () => {
      await server.close();
      await remove();
    });
    const { page } = await newPage(browser);
    await page.goto(server.url);
    await ready(page);
    const info = await page.locator("see-also").evaluate((element) => element.info);
    assert.deepEqual([info.packs, info.pack_count], [[], catalog.pack_count]);
    assert.deepEqual(await read(await ask(page, "What is photosynthesis?")), await answerOf(single, "What is photosynthesis?"));
  });
});

/**
 * Counts the requests of a page for packs, and their rounds: a request that begins after another has come is of a
 * later round than that.
 */
function noteRounds(page) {
  const notes = { requests: 0, last: 0 };
  const rounds = new Map();
  let done = 0;
  page.on("request", (request) => {
    if (request.url().includes("/packs-static/")) {
      notes.requests += 1;
      rounds.set(request, done + 1);
      notes.last = Math.max(notes.last, done + 1);
    }
  });
  page.on("requestfinished", (request) => {
    done = Math.max(done, rounds.get(request) ?? 0);
  });
  return notes;
}

/** Runs in the page: notes each stage of a question as it is shown. */
function noteStages() {
  window.stages = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target.dataset?.stage) {
        window.stages.push(`${target.dataset.stage} ${target.dataset.state}`);
      }
    }
  }).observe(document.querySelector("see-also").shadowRoot, { subtree: true, childList: true, attributes: true });
}

/** Runs in the page: the paths that copies are kept of. */
async function keptPaths() {
  const cache = await caches.open("seealso-1");
  return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}
