// Search by meaning: nothing of it is fetched before the reader agrees to an encoder of stated size; then questions find pages that
// say it in other words, on every page of the origin, without loading the encoder again. What fails costs a sentence, not the answer.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { box } from "./support/chat.mjs";
import { launch, newPage, watched } from "./support/browser.mjs";
import { missing, send, serve } from "./support/server.mjs";
import { copySite, runSeealso, temporary } from "./support/site.mjs";
import { held, ranged } from "./support/weights.mjs";
import { writeMeaningfulPacks } from "./support/word-encoder.mjs";

const page = (packs, attributes = "") => `<!doctype html>
<html lang="en">
<title>A handbook</title>
<link rel="icon" href="favicon.svg">
<script type="module" src="seealso/see-also.js"></script>
<main><h1>A handbook</h1><see-also packs="${packs}" ${attributes}></see-also></main>
</html>
`;

/** No page has the word; an encoder knows that it is a loaf. */
const QUESTION = "What is a cob?";
const STAGES_WASM = "/seealso/seealso_stages_web_bg.wasm.deflate";
const ENCODER_WASM = "/seealso/seealso_encoder_web_bg.wasm";

describe("search by meaning", () => {
  let browser, home, server, site, files;

  before(async () => {
    home = await temporary();
    site = await copySite(join(home.folder, "site"));
    await writeMeaningfulPacks(join(site, "packs-one"), home.folder);
    await writeMeaningfulPacks(join(site, "packs-two"), home.folder);
    await writeFile(join(site, "one.html"), page("packs-one"));
    await writeFile(join(site, "two.html"), page("packs-two"));
    await writeFile(join(site, "staged.html"), page("packs-one", 'stages="chunks"'));
    files = await published("packs-one");
    [browser, server] = await Promise.all([launch(), serve(site)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await home?.remove();
  });

  /** What the stages file of packs says: where its text is, its records, and the paths of the encoder's files. */
  const published = async (packs) => {
    const catalog = JSON.parse(await readFile(join(site, packs, "catalog.json"), "utf8"));
    const path = join(site, packs, catalog.stages_file.path);
    const stages = JSON.parse(await readFile(path, "utf8"));
    const vectors = stages.stages.find(({ name }) => name === "vectors");
    const at = (file) => `/${packs}/${file.path}`;
    return { catalog, path, stages, vectors, root: at(vectors.root), encoder: vectors.model.files.map(at), sizes: vectors.model.files.map(({ bytes }) => bytes) };
  };

  const open = async (t, name = "one.html", notes = null) => {
    const { page, context, said } = notes ?? await newPage(browser, { reducedMotion: "reduce" });
    if (!notes) {
      t.after(() => {
        server.faults.clear();
        return context.close();
      });
    }
    server.log.length = 0;
    await page.goto(server.url + name);
    await box(page).focus();
    await page.getByText(/^\d+ pages in 2 packs$/).waitFor();
    return { page, context, said };
  };

  const fetched = () => server.log.map(({ path }) => path);
  const meaning = (page) => page.getByRole("checkbox", { name: "Search by meaning" });

  /** Asks; gives what the page's scripts are told. */
  const ask = (page, question = QUESTION) => page.locator("see-also").evaluate(async (element, question) => {
    const { status, query_type, stages, sources, notices, trace } = await element.ask(question);
    return { status, query_type, used: stages?.used, pages: sources.map(({ page }) => page), notices, trace: trace.map(({ name }) => name) };
  }, question);

  /** Agrees to the encoder; resolves once it is at work. */
  const agree = async (page) => {
    await page.getByRole("button", { name: "Search by meaning" }).click();
    await page.getByRole("button", { name: /^Download .* from this site$/ }).click();
    await page.getByText(/^The encoder is stored here: /).waitFor();
  };

  test("is offered with its size, and nothing is fetched before the reader agrees", async (t) => {
    const { page, said } = await open(t);
    const plain = await ask(page);
    assert.deepEqual([plain.status, plain.query_type, plain.pages], ["empty", undefined, []]);
    const ofStages = (path) => path === STAGES_WASM || path.includes("/stages/") || path === ENCODER_WASM || path.startsWith("/seealso/model/");
    assert.deepEqual(fetched().filter(ofStages), []);
    await page.getByRole("button", { name: "Search by meaning" }).click();
    const kilobytes = Math.round(files.sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000);
    await page.getByText(`That takes words-0, an encoder of ${kilobytes} kB: it is loaded once for all pages of this site`).waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id }) => id), []);
    assert.deepEqual(fetched().filter((path) => path === ENCODER_WASM || files.encoder.includes(path)), []);
    await page.getByRole("button", { name: "Not now" }).click();
    assert.equal(await meaning(page).isChecked(), false);
    assert.deepEqual(said, []);
  });

  test("finds a page that says it in other words, and the trace says how", async (t) => {
    const { page, said } = await open(t);
    await agree(page);
    assert.deepEqual(fetched().filter((path) => files.encoder.includes(path)), files.encoder);
    const { query_type, used, pages, notices, trace } = await ask(page);
    assert.deepEqual([query_type, pages[0], notices], ["vector_search", "bakery/bread", []]);
    assert.ok(used.includes("vectors"), used.join());
    assert.ok(trace.includes("embed") && trace.includes("vectors"), trace.join());
    const turn = page.getByRole("article").last();
    await turn.getByText("How this was found").click();
    await turn.getByRole("rowheader", { name: "Finding passages by their meaning" }).waitFor();
    assert.deepEqual(said, []);
    await meaning(page).uncheck();
    assert.deepEqual((await ask(page)).query_type, undefined);
  });

  test("another page of the origin loads no byte of the encoder again, and it can be removed", async (t) => {
    const { page, context } = await open(t);
    await agree(page);
    await page.close();
    const second = await open(t, "two.html", await watched(context));
    assert.equal(await meaning(second.page).isChecked(), true);
    const { query_type, pages } = await ask(second.page);
    assert.deepEqual([query_type, pages[0]], ["vector_search", "bakery/bread"]);
    const twins = files.encoder.map((path) => path.replace("packs-one", "packs-two"));
    assert.deepEqual(fetched().filter((path) => twins.includes(path) || files.encoder.includes(path)), []);
    await second.page.getByRole("button", { name: "Remove it" }).click();
    await second.page.getByText("The encoder was removed.").waitFor();
    const left = await second.page.evaluate(async () => {
      const { Store } = await import("./seealso/model/store.js");
      return (await (await Store.open()).list()).length;
    });
    assert.equal(left, 0);
    assert.equal((await ask(second.page)).query_type, undefined);
  });

  test("a download can be stopped, and goes on where it was", async (t) => {
    const { page } = await open(t);
    const asked = [];
    const [, , weights] = files.encoder;
    const bytes = await readFile(join(site, weights));
    server.faults.set(weights, ranged({ bytes }, { asked, instead: [held] }));
    await page.getByRole("button", { name: "Search by meaning" }).click();
    await page.getByRole("button", { name: /^Download / }).click();
    // Half of the weights, after two smaller files.
    await page.getByText(/^5\d % downloaded$/).waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Stopped. What is here already is kept.").waitFor();
    await page.getByRole("button", { name: /^(Go on with|Download) / }).click();
    await page.getByText(/^The encoder is stored here: /).waitFor();
    assert.equal(asked.length, 2);
    assert.equal((await ask(page)).query_type, "vector_search");
  });

  test("an encoder that is another file than the one promised is refused in one sentence", async (t) => {
    const { page } = await open(t);
    server.faults.set(files.encoder[2], (response, bytes) => send(response, 200, Buffer.from(bytes).fill(7, bytes.length - 8)));
    await page.getByRole("button", { name: "Search by meaning" }).click();
    await page.getByRole("button", { name: /^Download / }).click();
    await page.getByRole("alert").getByText(/is not the file that was promised: its SHA-256 is/).waitFor();
    assert.deepEqual((await ask(page)).status, "empty");
  });

  /** The notices of an answer that is otherwise that of the words alone. */
  const plainWith = async (page, code, says) => {
    const { query_type, pages, notices } = await ask(page, "How is tea steeped?");
    assert.deepEqual([query_type, pages[0]], ["vector_fallback", "harbour/tea"]);
    assert.deepEqual(notices.map((notice) => notice.code), [code]);
    assert.match(notices[0].cause, says);
    await page.getByRole("article").last().getByText(notices[0].message).waitFor();
  };

  for (const [what, fault] of [
    ["missing", missing], ["damaged", (response, bytes) => send(response, 200, Buffer.from(bytes).fill(1, 40, 60))],
  ]) {
    test(`vectors that are ${what} cost a sentence`, async (t) => {
      const { page } = await open(t);
      await agree(page);
      server.faults.set(files.root, fault);
      const { query_type, pages, notices } = await ask(page, "How is tea steeped?");
      assert.deepEqual([query_type, pages[0]], ["bm25", "harbour/tea"]);
      assert.deepEqual(notices.map(({ code }) => code), ["stage-unreadable"]);
      assert.equal(notices[0].message, "A part of this site’s search data could not be read, so pages were found without it.");
      assert.match(notices[0].cause, /^The vectors of this site could not be used, so pages were found without: /);
      // The next question looks again.
      server.faults.clear();
      assert.equal((await ask(page)).query_type, "vector_search");
    });
  }

  test("an encoder of other vectors costs a sentence", async (t) => {
    // The stages file names other weights than those that the vectors were made with.
    const { catalog, stages } = structuredClone(files);
    const model = stages.stages.find(({ name }) => name === "vectors").model;
    model.sha256 = "ab".repeat(32);
    assert.notEqual(model.sha256, files.vectors.model.sha256);
    const text = JSON.stringify(stages);
    catalog.stages_file.bytes = text.length;
    catalog.stages_file.sha256 = createHash("sha256").update(text).digest("hex");
    server.faults.set("/packs-one/catalog.json", (response) => send(response, 200, JSON.stringify(catalog)));
    server.faults.set(`/packs-one/${catalog.stages_file.path}`, (response) => send(response, 200, text));
    const { page } = await open(t);
    await agree(page);
    await plainWith(page, "other-encoder", /^The vectors are of words-0@.*, and the encoder is words-0@abababababab /);
  });

  test("an encoder that fails midway costs a sentence", async (t) => {
    const { page } = await open(t);
    await agree(page);
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function post(message, ...rest) {
        if (message.method === "embed") {
          Worker.prototype.postMessage = postMessage;
          this.dispatchEvent(new ErrorEvent("error", { cancelable: true }));
        } else {
          postMessage.call(this, message, ...rest);
        }
      };
    });
    await plainWith(page, "encoder-failed", /^The question could not be encoded, so pages were found by their words alone: The model stopped unexpectedly/);
    // Its worker is started anew.
    assert.equal((await ask(page)).query_type, "vector_search");
  });

  test("without a connection, pages are found by what is here, and a sentence says so", async (t) => {
    const { page, context } = await open(t);
    await agree(page);
    // What was asked about before is here.
    await meaning(page).uncheck();
    const online = await ask(page, "How is tea steeped?");
    await meaning(page).check();
    await page.getByText(/^The encoder is stored here: /).waitFor();
    await context.setOffline(true);
    const { query_type, pages, notices } = await ask(page, "How is tea steeped?");
    assert.deepEqual([query_type, pages[0]], ["bm25", online.pages[0]]);
    assert.ok(notices.some(({ code }) => code === "stage-unreadable"), JSON.stringify(notices));
  });

  test("without its wasm, pages are found by their words, and a sentence says so", async (t) => {
    const { page } = await open(t, "staged.html");
    server.faults.set(STAGES_WASM, missing);
    const { query_type, pages, notices } = await ask(page, "How is tea steeped?");
    assert.deepEqual([query_type, pages[0]], [undefined, "harbour/tea"]);
    assert.deepEqual(notices, [{ code: "no-stages", message: "A part of this page could not be loaded, so pages were found by their words alone." }]);
    server.faults.clear();
    assert.equal((await ask(page, "How is tea steeped?")).query_type, "bm25");
  });

  test("a stage that is none costs a sentence", async (t) => {
    const { page } = await open(t, "staged.html");
    await page.locator("see-also").evaluate((element) => element.setAttribute("stages", "chunk, chunks"));
    const { used, pages, notices } = await ask(page, "How is tea steeped?");
    assert.deepEqual([used[0], pages[0], notices.map(({ code }) => code)], ["chunks", "harbour/tea", ["unknown-stage"]]);
  });

  test("a question that is stopped while the site's stages come makes room for the next", async (t) => {
    const { page } = await open(t, "staged.html");
    const path = `/packs-one/${files.catalog.stages_file.path}`;
    const wanted = new Promise((resolve) => server.faults.set(path, () => resolve()));
    const stopped = page.locator("see-also").evaluate((element) => element.ask("How is tea steeped?").catch(({ code }) => code));
    await wanted;
    server.faults.delete(path);
    const { used, pages } = await ask(page, "How is tea steeped?");
    assert.deepEqual([await stopped, used[0], pages[0]], ["cancelled", "chunks", "harbour/tea"]);
  });

  test("a site can have its stages used without being asked", async (t) => {
    const { page, said } = await open(t, "staged.html");
    const { query_type, used, pages, notices } = await ask(page, "How is tea steeped?");
    assert.deepEqual([query_type, used[0], pages[0], notices], ["bm25", "chunks", "harbour/tea", []]);
    assert.deepEqual(said, []);
  });

  const unnamed = !process.env.SEEALSO_ENCODER && "SEEALSO_ENCODER names no folder of a sentence encoder";
  test("with a real encoder, a page is found that has none of the question's words", { skip: unnamed, timeout: 600_000 }, async (t) => {
    const packs = join(site, "packs-real");
    await writeMeaningfulPacks(packs, home.folder);
    await runSeealso(["clean", packs]);
    await runSeealso(["setup", packs, "--encoder", process.env.SEEALSO_ENCODER, "--publish-encoder"]);
    await writeFile(join(site, "real.html"), page("packs-real"));
    const { page: opened } = await open(t, "real.html");
    opened.setDefaultTimeout(120_000);
    await agree(opened);
    const { query_type, pages, trace } = await ask(opened, "What keeps a vessel from drifting away?");
    assert.deepEqual([query_type, pages[0]], ["vector_search", "harbour/anchors"]);
    assert.ok(trace.includes("embed"), trace.join());
  });

  test("packs without an encoder are offered none", async (t) => {
    await runSeealso(["clean", join(site, "packs-two")]);
    const { page } = await open(t, "two.html");
    assert.equal(await page.getByRole("button", { name: "Search by meaning" }).count(), 0);
  });
});
