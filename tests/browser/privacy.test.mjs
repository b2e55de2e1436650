// Nothing leaves the browser: neither the page nor its worker asks any other origin for anything. The
// strict policy holds, sent with every file and written into the page, and nothing is logged.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { TWO_DOMAINS, ask, openSources } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { POLICY, serve } from "./support/server.mjs";
import { SITE, copySite, temporary } from "./support/site.mjs";

const HOST_PAGE = `<!doctype html>
<html lang="en">
<title>A page of somebody's site, without any policy</title>
<link rel="icon" href="favicon.svg">
<script type="module" src="seealso/see-also.js"></script>
<see-also packs="packs-static"></see-also>
</html>
`;

describe("privacy", () => {
  let browser;

  before(async () => {
    browser = await launch();
  });

  after(() => browser?.close());

  test("the chat page asks its own origin alone, and says nothing on the console", async (t) => {
    const server = await serve(SITE);
    t.after(server.close);
    const notes = await useEverything(browser, server.url);
    assertAtHome(notes, server);
    assert.deepEqual(notes.said, []);
  });

  test("an element in a page without a policy asks its own origin alone, too", async (t) => {
    const { folder, remove } = await temporary();
    t.after(remove);
    await copySite(folder);
    await writeFile(join(folder, "page.html"), HOST_PAGE);
    const server = await serve(folder, { policy: null });
    t.after(server.close);
    const notes = await useEverything(browser, `${server.url}page.html`);
    assertAtHome(notes, server);
    assert.deepEqual(notes.said, []);
  });

  test("the page forbids itself what the policy forbids, whatever the server sends", async (t) => {
    const server = await serve(SITE, { policy: null });
    t.after(server.close);
    const { page } = await newPage(browser);
    await page.goto(server.url);
    const written = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    for (const directive of POLICY.split("; ")) {
      assert.ok(written.split("; ").includes(directive), `${directive} is missing in ${written}`);
    }
    assert.deepEqual(await page.evaluate(tryForbidden, "http://127.0.0.1:1/"), {
      violated: ["connect-src", "img-src", "script-src-elem", "style-src-elem"], ran: false,
    });
  });
});

/** Asks, opens each source and the trace, asks on. */
async function useEverything(browser, url) {
  const notes = await newPage(browser);
  await notes.page.goto(url);
  const turn = await ask(notes.page, TWO_DOMAINS);
  await openSources(turn);
  const sources = turn.locator(".source");
  for (const source of await sources.all()) {
    await source.locator("> summary").click();
    await source.locator(".page-body").waitFor();
  }
  await turn.getByText("How this was found").click();
  await ask(notes.page, "What is photosynthesis?");
  await notes.page.getByRole("button", { name: /^\[1\] / }).last().click();
  await notes.page.locator(".turn").last().locator(".page-body").waitFor();
  return notes;
}

function assertAtHome({ requests }, server) {
  assert.deepEqual(requests.filter((url) => !url.startsWith(server.url)), []);
  // The record would be worth nothing if it held only what the page itself asks for.
  const fromWorker = ["seealso/seealso_bg.wasm.deflate", "packs-static/catalog.json"].map((path) => server.url + path);
  assert.deepEqual(fromWorker.filter((url) => !requests.includes(url)), []);
}

/** Runs in the page: tries what an injected script would try. Says which directives refused it. */
async function tryForbidden(elsewhere) {
  const violated = new Set();
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => violated.add(effectiveDirective));
  const add = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
  add("script", { textContent: "window.injected = true" });
  add("style", { textContent: "body { display: none }" });
  add("img", { src: elsewhere });
  await fetch(elsewhere).catch(() => {});
  // The events come as tasks of their own, after what they tell of.
  while (violated.size < 4) {
    await new Promise((resolve) => addEventListener("securitypolicyviolation", resolve, { once: true }));
  }
  return { violated: [...violated].sort(), ran: window.injected === true };
}
