// Entries in the browser: a page's script asks for them, and gets the response that the command and a server give, to the byte. It
// takes the encoder that the reader agreed to. What was asked is kept in this browser alone, with what was thought of it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, newPage, watched } from "./support/browser.mjs";
import { askCommand, buildEntries, serveEntries } from "./support/entries.mjs";
import { missing, serve } from "./support/server.mjs";
import { copySite, runSeealso, temporary } from "./support/site.mjs";
import { setUpByWords } from "./support/word-encoder.mjs";

const EXAMPLES = new URL("../../examples/entries/", import.meta.url).pathname;
const STAGES_WASM = "/seealso/seealso_stages_web_bg.wasm.deflate";

const BREAD = "bakery/entries/bread";
const TEA = "bakery/entries/tea";
/** No entry has the word; the encoder knows that it is a loaf. */
const COB = { question: "What is a cob?", asker: "Ada" };

const page = (packs) => `<!doctype html>
<html lang="en">
<title>Entries</title>
<link rel="icon" href="favicon.svg">
<script type="module" src="seealso/see-also.js"></script>
<see-also packs="${packs}"></see-also>
</html>
`;

/** A response as text, whatever its interaction's id and its white space. */
const canonical = (text) => {
  const response = JSON.parse(text);
  assert.match(response.interaction_id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  return JSON.stringify({ ...response, interaction_id: "" });
};

/** The most relevant entry of a response. */
const mostRelevant = ({ entries }) => entries.toSorted((a, b) => b.relevance_score - a.relevance_score)[0]?.page;

/** How two responses differ: whether they are one text, by how much relevances are apart at most, and which entries only one has. */
const differences = (one, other) => {
  const [here, there] = [one, other].map((text) => new Map(JSON.parse(text).entries.map((entry) => [entry.page, entry.relevance_score])));
  const shared = [...here.keys()].filter((page) => there.has(page));
  // To four places, as they are written.
  const furthest = Math.max(0, ...shared.map((page) => Math.round(Math.abs(here.get(page) - there.get(page)) * 1e4) / 1e4));
  const others = [...here.keys(), ...there.keys()].filter((page) => !shared.includes(page));
  return { same: one === other, furthest, others, query: JSON.parse(one).query };
};

describe("entries", () => {
  let browser, home, server, site, encoder, packs;

  before(async () => {
    home = await temporary();
    site = await copySite(join(home.folder, "site"));
    packs = join(site, "packs-entries");
    await buildEntries(packs, home.folder);
    encoder = await setUpByWords(packs, home.folder, 0, ["--strong-match", "0.5"]);
    await writeFile(join(site, "entries.html"), page("packs-entries"));
    await writeFile(join(site, "none.html"), page("packs-static"));
    const chat = await readFile(join(site, "index.html"), "utf8");
    await writeFile(join(site, "chat.html"), chat.replace("./packs-static/", "./packs-entries/"));
    [browser, server] = await Promise.all([launch(), serve(site)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await home?.remove();
  });

  /** Opens a page. At the end of the test, nothing was sent but for files of the site, and no word of a question. */
  const open = async (t, name = "entries.html", notes = null) => {
    const { page, context, said, requests } = notes ?? await newPage(browser, { reducedMotion: "reduce", acceptDownloads: true });
    const sent = [];
    page.on("request", (request) => sent.push(request.method(), request.postData()));
    if (!notes) {
      server.log.length = 0;
      t.after(async () => {
        server.faults.clear();
        await context.close();
        assert.deepEqual(requests.filter((url) => !url.startsWith(server.url) && !url.startsWith(`blob:${server.url}`)), []);
        assert.deepEqual(sent.filter((of) => of !== "GET" && of !== null), []);
        assert.deepEqual(server.log.filter((line) => /cob|steeped|noon|ada\b/i.test(`${line.url} ${line.referer}`)), []);
      });
    }
    await page.goto(server.url + name);
    await page.locator("see-also").evaluate((element) => element.open());
    return { page, context, said };
  };

  /** Agrees to the encoder; resolves once it is at work. */
  const agree = async (page) => {
    await page.getByRole("button", { name: "Search by meaning" }).click();
    await page.getByRole("button", { name: /^Download .* from this site$/ }).click();
    await page.getByText(/^The encoder is stored here: /).waitFor();
  };

  /** The response as text; or the code and the message of the error. */
  const retrieve = (page, request) => page.locator("see-also").evaluate(
    (element, request) => element.retrieve(request).then((response) => JSON.stringify(response), ({ code, message }) => [code, message]), request);

  const feedback = (page, ...about) => page.locator("see-also").evaluate(
    (element, about) => element.feedback(...about).catch(({ code }) => code), about);

  const log = (page) => page.evaluate(async () => (await import("./seealso/entries/log.js")).logAsText());

  const lines = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

  test("page, command and server give the same text", async (t) => {
    const { page, said } = await open(t);
    await agree(page);
    const api = await serveEntries(packs, encoder);
    t.after(() => api.close());
    const check = async (request, strong, expected) => {
      const here = await retrieve(page, request);
      assert.equal(canonical(here), canonical(await askCommand(packs, encoder, request)), "the command");
      const there = await api.ask(request);
      assert.equal(canonical(here), canonical(there), "the server");
      // Its text has no white space that JSON.stringify has not: the two are alike as they stand, but for the id.
      const withoutId = (text) => text.replace(JSON.parse(text).interaction_id, "");
      assert.equal(withoutId(here), withoutId(there));
      const { query, strong_match, matches_found, entries } = JSON.parse(here);
      assert.deepEqual([query, strong_match, matches_found, entries.map(({ page }) => page)],
        [request.question.trim(), strong, expected.length, expected]);
    };
    await check(COB, true, [BREAD]);
    await check({ question: " How is tea steeped in an oven? ", asker: "Zoë – “new”", top_n: 20 }, true, [TEA, BREAD]);
    await check({ question: "How is tea steeped in an oven?", asker: "Ada", top_n: 1 }, true, [TEA]);
    await check({ question: "How is tea steeped in an oven?", asker: "Ada", top_n: -3 }, true, [TEA]);
    await check({ question: "Is there a chain in the oven at noon?", asker: "Ada" }, false, [BREAD]);
    await check({ question: "What comes at noon?", asker: "Ada" }, false, []);
    assert.deepEqual(said, []);
  });

  test("what is superseded or private is nowhere", async (t) => {
    const { page } = await open(t);
    await agree(page);
    const request = { question: "In which oven browns a loaf?", asker: "Ada", top_n: 20 };
    const { entries, reasoning_patterns } = JSON.parse(await retrieve(page, request));
    assert.deepEqual([entries.map(({ page }) => page), reasoning_patterns.map(({ slug }) => slug)], [[BREAD], ["signs"]]);
    assert.deepEqual((await readdir(packs, { recursive: true })).filter((path) => path.includes("secret")), []);
  });

  test("without the reader's consent a request is refused, and nothing of an encoder is fetched", async (t) => {
    const { page } = await open(t);
    const before = server.log.map(({ path }) => path);
    assert.deepEqual(before.filter((path) => path.startsWith("/seealso/entries/") || path === STAGES_WASM), []);
    const [code, message] = await retrieve(page, COB);
    assert.deepEqual([code, message.split(":")[0]], ["no-encoder", "No encoder is here for the question. The reader has to switch on “Search by meaning” first"]);
    const fetched = server.log.map(({ path }) => path);
    assert.deepEqual(fetched.filter((path) => /encoder|\/seealso\/model\//.test(path)), []);
    assert.equal(await log(page), "");
    // The consent holds for later visits, whose first request may be this one.
    await agree(page);
    await page.reload();
    assert.equal(JSON.parse(await retrieve(page, COB)).matches_found, 1);
    await page.getByRole("checkbox", { name: "Search by meaning" }).uncheck();
    assert.equal((await retrieve(page, COB))[0], "no-encoder");
  });

  test("a request that can't be answered says what to do", async (t) => {
    const { page } = await open(t);
    await agree(page);
    for (const [request, code, says] of [
      [{ asker: "Ada" }, "options", "the question is missing or empty; a request needs it"],
      [{ question: "What is a cob?", asker: " " }, "options", "the asker is missing or empty; a request needs it"],
      [{ ...COB, top_n: 2.5 }, "options", "top_n is no whole number; leave it out, or give one from 1 to 20."],
      [{ question: "é".repeat(2001), asker: "Ada" }, "options", "the question has 2001 characters, more than the 2000 allowed; shorten it"],
    ]) {
      assert.deepEqual(await retrieve(page, request), [code, says]);
    }
    const none = await open(t, "none.html", await watched(page.context()));
    assert.equal((await retrieve(none.page, COB))[0], "entries-not-provided");
    server.faults.set(STAGES_WASM, missing);
    const lost = await open(t, "none.html", await watched(page.context()));
    assert.deepEqual(await retrieve(lost.page, COB), ["not-loaded", "The part of this page that finds entries could not be loaded. Check the connection, and try again."]);
  });

  test("interactions and feedback are kept in this browser, saved by the reader, read by the command, and cleared", async (t) => {
    const { page, said } = await open(t, "chat.html");
    const save = page.getByRole("button", { name: "Save the log of entries" });
    assert.equal(await save.count(), 0);
    await agree(page);
    const { interaction_id } = JSON.parse(await retrieve(page, COB));
    await retrieve(page, { question: "What comes at noon?", asker: "Bob" });
    assert.deepEqual(await feedback(page, interaction_id, "up", "just so"), { interaction_id, thumb: "up" });
    assert.equal(await feedback(page, interaction_id, "left"), "options");
    assert.equal(await feedback(page, interaction_id, "down", "x".repeat(2001)), "options");
    assert.equal(await feedback(page, "0193a1b2-0000-7000-8000-000000000001", "down"), "interaction-not-found");
    await page.reload();
    const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
    assert.equal(download.suggestedFilename(), "seealso-interactions.jsonl");
    const file = join(home.folder, "saved.jsonl");
    await download.saveAs(file);
    const kept = lines(await readFile(file, "utf8"));
    const told = kept.map(({ id, time, ms, ...line }) => line);
    assert.deepEqual(told, [
      { kind: "interaction", route: "retrieve", asker: "Ada", question: COB.question, verdict: "strong", matches: 1, entries: [BREAD] },
      { kind: "interaction", route: "retrieve", asker: "Bob", question: "What comes at noon?", verdict: "none", matches: 0, entries: [] },
      { kind: "feedback", interaction_id, thumb: "up", note: "just so", entries: [BREAD] },
    ]);
    assert.deepEqual(Object.keys(kept[0]), ["kind", "id", "time", "route", "asker", "question", "verdict", "matches", "entries", "ms"]);
    assert.ok(kept.every(({ time }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time)), JSON.stringify(kept));
    const report = JSON.parse((await runSeealso(["report", "--log", file, "--day", kept[0].time.slice(0, 10), "--json"])).stdout);
    assert.deepEqual([report.retrieve.strong, report.thumbs_up, report.notes[0].note, report.unreadable_lines], [1, 1, "just so", 0]);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByText("Take the log of entries that were asked for out of this browser?").waitFor();
    await page.getByRole("button", { name: "Clear them" }).click();
    await save.waitFor({ state: "hidden" });
    assert.equal(await log(page), "");
    assert.equal(await feedback(page, interaction_id, "up"), "interaction-not-found");
    assert.deepEqual(said, []);
  });

  test("the newest four hundred lines are kept", async (t) => {
    const { page } = await open(t);
    const ids = await page.evaluate(async () => {
      const { keepLine, logAsText } = await import("./seealso/entries/log.js");
      for (let id = 0; id < 405; id++) {
        await keepLine({ kind: "interaction", id });
      }
      return (await logAsText()).trimEnd().split("\n").map((line) => JSON.parse(line).id);
    });
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [400, 5, 404]);
  });

  for (const [what, prevent, says, code] of [
    ["denied", () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("not here", "SecurityError");
      };
    }, /^This browser keeps no log for the page, as in a private window/, "log-unavailable"],
    ["full", () => {
      IDBObjectStore.prototype.add = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    }, /^This browser’s storage for the page is full/, "interaction-not-found"],
  ]) {
    test(`a storage that is ${what} costs a notice, not the response`, async (t) => {
      const { page, said } = await open(t);
      await agree(page);
      await page.evaluate(prevent);
      const { matches_found, notices, interaction_id } = JSON.parse(await retrieve(page, COB));
      assert.deepEqual([matches_found, notices.map(({ code }) => code)], [1, ["not-kept"]]);
      assert.match(notices[0].message, says);
      assert.equal(await feedback(page, interaction_id, "up"), code);
      assert.deepEqual(said, []);
    });
  }

  /** Publishes other weights with packs that are set up. */
  const publishAsItIs = async (name, file) => {
    const catalogPath = join(site, name, "catalog.json");
    const catalog = JSON.parse(await readFile(catalogPath, "utf8"));
    const stagesPath = join(site, name, catalog.stages_file.path);
    const stages = JSON.parse(await readFile(stagesPath, "utf8"));
    const weights = await readFile(file);
    const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
    for (const { model } of stages.stages.filter(({ model }) => model?.files?.length)) {
      Object.assign(model.files[2], { bytes: weights.length, sha256: sha256(weights) });
      await writeFile(join(site, name, model.files[2].path), weights);
    }
    const text = JSON.stringify(stages);
    Object.assign(catalog.stages_file, { bytes: text.length, sha256: sha256(text) });
    await writeFile(stagesPath, text);
    await writeFile(catalogPath, JSON.stringify(catalog));
  };

  /** Sets the example up with an encoder, and publishes it; gives the paths of the published files. */
  const setUpExample = async (name, encoder) => {
    const folder = join(site, name);
    await runSeealso(["build", EXAMPLES, "--out", folder]);
    await runSeealso(["setup", folder, "--encoder", encoder, "--publish-encoder", "--strong-match", "0.45"]);
    await writeFile(join(site, `${name}.html`), page(name));
    const catalog = JSON.parse(await readFile(join(folder, "catalog.json"), "utf8"));
    const { stages } = JSON.parse(await readFile(join(folder, catalog.stages_file.path), "utf8"));
    return stages.find(({ name }) => name === "vectors").model.files.map(({ path }) => join(folder, path));
  };

  const unnamed = !process.env.SEEALSO_ENCODER && "SEEALSO_ENCODER names no folder of a sentence encoder";
  test("with a real encoder, the forty entries of the example are asked alike", { skip: unnamed, timeout: 600_000 }, async (t) => {
    const exact = process.env.SEEALSO_ENCODER;
    const published = await setUpExample("packs-exact", exact);
    // What browsers load has a byte a number. The command takes it for another encoder, so there are packs of its own vectors, too.
    const small = join(home.folder, "small");
    await mkdir(small);
    await Promise.all(published.map((path, at) => copyFile(path, join(small, ["config.json", "tokenizer.json", "model.safetensors"][at]))));
    await setUpExample("packs-small", small);
    await publishAsItIs("packs-small", join(small, "model.safetensors"));
    const labelled = (await readFile(join(EXAMPLES, "questions.jsonl"), "utf8")).trimEnd().split("\n").map((line) => JSON.parse(line));

    /** Asks all questions of page and server, and every sixth of the command, which loads its encoder each time; gives the texts. */
    const askAll = async (name, encoder) => {
      const { page: opened, context } = await open(t, `${name}.html`, await newPage(browser));
      opened.setDefaultTimeout(120_000);
      await agree(opened);
      const api = await serveEntries(join(site, name), encoder);
      const pairs = [];
      for (const [at, { question, entry }] of labelled.entries()) {
        const request = { question, asker: "Ada" };
        const [here, server] = [await retrieve(opened, request), await api.ask(request)].map(canonical);
        pairs.push({ here, server, entry });
        if (at % 6 === 0) {
          assert.equal(server, canonical(await askCommand(join(site, name), encoder, request)), question);
        }
      }
      await Promise.all([api.close(), context.close()]);
      return pairs;
    };

    // Products of single precision are summed in another order here and there.
    const alike = (await askAll("packs-small", small)).map(({ here, server }) => differences(here, server));
    t.diagnostic(`with the weights of browsers ${alike.filter(({ same }) => same).length} of ${labelled.length} texts are the same`);
    for (const { furthest, others, query } of alike) {
      assert.deepEqual([others, furthest <= 0.0001], [[], true], query);
    }

    const pairs = await askAll("packs-exact", exact);
    const apart = pairs.map(({ here, server }) => differences(here, server));
    const most = Math.max(...apart.map(({ furthest }) => furthest));
    const changed = apart.filter(({ others }) => others.length > 0).length;
    t.diagnostic(`with those of its makers relevance differs by ${most.toFixed(4)} at most, and ${changed} of ${labelled.length} responses have another entry among their five`);
    assert.ok(most < 0.02, `${most}`);
    for (const { here, entry } of pairs.filter(({ entry }) => entry)) {
      assert.equal(mostRelevant(JSON.parse(here)), `quillstone/entries/${entry}`);
    }
  });
});
