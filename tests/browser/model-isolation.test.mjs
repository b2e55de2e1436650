// The chat page's service worker: with it the page and its workers are cross-origin isolated on a host that sends no
// headers, and everything works as before; nothing else of the site is touched, and it can be switched off.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ask, packs, read } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { missing, serve } from "./support/server.mjs";
import { SITE, copySite, temporary } from "./support/site.mjs";

/** What Chromium says where it has no graphics processor. */
const ADAPTERS = /^warning: No available adapters\.$/;
/** A worker that starts another one, as a pool of threads does. */
const OUTER = 'new Worker("inner.js").onmessage = ({ data }) => postMessage(data);';
const THREADS = "Use all processor cores";

describe("isolation", () => {
  let browser;

  before(async () => {
    browser = await launch();
  });

  after(() => browser?.close());

  const open = async (t) => {
    const { folder, remove } = await temporary();
    await copySite(folder);
    await Promise.all(["models", "other"].map((name) => mkdir(join(folder, name), { recursive: true })));
    await writeFile(join(folder, "models/models.json"), '{ "models": [] }');
    await writeFile(join(folder, "other/index.html"), "<!doctype html><title>Another page</title>");
    await writeFile(join(folder, "other/outer.js"), OUTER);
    await writeFile(join(folder, "other/inner.js"), "postMessage(crossOriginIsolated);");
    const server = await serve(folder);
    const { page, context, said } = await newPage(browser);
    t.after(async () => {
      await context.close();
      await server.close();
      await remove();
    });
    return { page, server, said };
  };
  const isolated = (page) => page.evaluate(() => crossOriginIsolated);

  test("is not asked for by a page that is only read", async (t) => {
    const { page, server } = await open(t);
    await page.goto(server.url);
    await ask(page, "What is photosynthesis?");
    assert.equal(await isolated(page), false);
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
    assert.deepEqual(server.log.filter(({ path }) => /model|service-worker/.test(path)), []);
  });

  test("is switched on and off by the reader, and the chat works with it", async (t) => {
    const { page, server, said } = await open(t);
    await page.goto(`${server.url}#model`);
    await Promise.all([page.waitForEvent("load"), page.getByLabel(THREADS).click()]);
    await page.waitForFunction(() => crossOriginIsolated);
    const answer = await read(await ask(page, "What is photosynthesis?"));
    assert.deepEqual(packs(answer.cited), ["plants"]);
    assert.equal(await page.getByLabel(THREADS).isChecked(), true);
    // Whether a worker is isolated, and has memory to share, shows in what it can make.
    assert.equal(await page.evaluate(() => {
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      return memory.buffer instanceof SharedArrayBuffer;
    }), true);
    await Promise.all([page.waitForEvent("load"), page.getByLabel(THREADS).click()]);
    await page.waitForFunction(() => !crossOriginIsolated);
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
    assert.deepEqual(said.filter((line) => !ADAPTERS.test(line)), []);
  });

  test("reaches the workers of the chat page, and no other page of the site", async (t) => {
    const { page, server } = await open(t);
    await page.goto(`${server.url}#model`);
    await Promise.all([page.waitForEvent("load"), page.getByLabel(THREADS).click()]);
    await page.waitForFunction(() => crossOriginIsolated);
    const inWorkers = await page.evaluate(async () => {
      const { LocalModel } = await import("./seealso/model/client.js");
      const { isolated } = await new LocalModel().stats();
      const nested = await new Promise((resolve) => {
        new Worker("other/outer.js", { type: "module" }).onmessage = ({ data }) => resolve(data);
      });
      return [isolated, nested];
    });
    assert.deepEqual(inWorkers, [true, true]);
    await page.goto(`${server.url}other/index.html`);
    assert.equal(await isolated(page), false);
    assert.equal(await page.evaluate(async () => (await fetch(location.href)).headers.get("cross-origin-opener-policy")), null);
  });

  test("that can't be had says so", async (t) => {
    const { page, server } = await open(t);
    await page.goto(`${server.url}#model`);
    server.faults.set("/service-worker.js", missing);
    const box = page.getByLabel(THREADS);
    await box.click();
    await page.getByRole("alert").waitFor();
    assert.equal(await box.isChecked(), false);
    assert.equal(await isolated(page), false);
  });

  test("is left to a host that sends the headers", async (t) => {
    const { page, server } = await open(t);
    for (const path of ["/", "/seealso/worker.js"]) {
      server.faults.set(path, (response, bytes) => {
        response.setHeader("cross-origin-opener-policy", "same-origin");
        response.setHeader("cross-origin-embedder-policy", "require-corp");
        response.end(bytes);
      });
    }
    await page.goto(`${server.url}#model`);
    await page.getByText("It is measured when").or(page.getByText(/processor/)).first().waitFor();
    assert.equal(await isolated(page), true);
    assert.equal(await page.getByLabel(THREADS).count(), 0);
  });
});
