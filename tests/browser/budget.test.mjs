// What a cold question costs: until the ranked list is there, the catalog and the index and no more;
// and after it, the pages that are read, each once.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { TWO_DOMAINS, ask, read } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

const REQUESTS = 4;
const BYTES = 60_000;

describe("a cold question", () => {
  let browser, server;

  before(async () => {
    browser = await launch();
  });

  after(() => browser?.close());

  const open = async (t) => {
    server = await serve(SITE);
    const { page, context } = await newPage(browser);
    t.after(async () => {
      await context.close();
      await server.close();
    });
    await page.goto(server.url);
    return page;
  };

  const ofPacks = () => server.log.filter(({ path }) => path.startsWith("/packs-static/"));
  const isPage = ({ path }) => path.endsWith(".md");
  const bytes = (files) => files.reduce((sum, file) => sum + file.bytes, 0);

  test(`has its ranked list in at most ${REQUESTS} requests and ${BYTES} bytes`, async (t) => {
    const page = await open(t);
    const hits = await page.evaluate(async (question) => {
      const { Engine } = await import("./seealso/engine.js");
      const engine = new Engine(new URL("packs-static/", location.href).href, { cache: false });
      return engine.search(question, { k: 8 });
    }, TWO_DOMAINS);
    assert.equal(hits.length, 8);
    // The chat page opened the same packs for itself, so everything came twice.
    const files = ofPacks();
    t.diagnostic(`${files.length / 2} requests, ${bytes(files) / 2} bytes`);
    assert.deepEqual(files.filter(isPage), []);
    assert.ok(files.length / 2 <= REQUESTS, files.map(({ path }) => path).join(", "));
    assert.ok(bytes(files) / 2 <= BYTES, `${bytes(files) / 2} bytes`);
  });

  test("that is asked in the page costs the same, and each page that is read once", async (t) => {
    const page = await open(t);
    const answer = await read(await ask(page, TWO_DOMAINS));
    const files = ofPacks();
    const index = files.filter((file) => !isPage(file));
    assert.ok(index.length <= REQUESTS, index.map(({ path }) => path).join(", "));
    assert.ok(bytes(index) <= BYTES, `${bytes(index)} bytes`);
    const pages = files.filter(isPage).map(({ path }) => path);
    assert.deepEqual(pages, [...new Set(pages)]);
    const kept = answer.sources.map((path) => `/packs-static/${path.replace("/concepts/", "/wiki/concepts/")}`);
    assert.deepEqual(kept.filter((path) => !pages.includes(path)), []);
    // Sixteen are read to be compared; of those put aside See Also may bring some back, beside others.
    assert.ok(pages.length >= kept.length && pages.length <= 16 + 4 * new Set(kept.map((path) => path.split("/")[2])).size, pages.join(", "));
  });

  test("loads each script and the engine once", async (t) => {
    const page = await open(t);
    await ask(page, "What is photosynthesis?");
    const scripts = server.log.filter(({ path }) => /\.(js|wasm)$/.test(path)).map(({ path }) => path);
    assert.deepEqual(scripts.toSorted(), [...new Set(scripts)].toSorted());
  });
});
