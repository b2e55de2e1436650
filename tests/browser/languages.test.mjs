// Languages other than English: their wasm is loaded where an opened pack needs it, and nowhere else; where it can't
// be had, the answer says so and the other packs go on.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, newPage } from "./support/browser.mjs";
import { missing, send, serve } from "./support/server.mjs";
import { copySite, temporary, writePack } from "./support/site.mjs";

const LANGUAGES_WASM = "/seealso/seealso_languages_bg.wasm";

const page = (title, summary) =>
  `---\ntype: page\ntitle: ${title}\ndescription: ${summary}\n---\n\n${summary}\n`;

const GERMAN = {
  "index.md": "---\ntitle: Bauen\nlanguage: de\n---\n\n# Bauen\n",
  "haus.md": page("Wohnhäuser", "Wie Häuser gebaut und beheizt werden."),
  "garten.md": page("Gärten", "Wie man Beete anlegt und Bäume schneidet."),
};

describe("languages", () => {
  let browser;

  before(async () => {
    browser = await launch();
  });

  after(() => browser?.close());

  /** A page on a copy of the site, which has a German pack where `german` says so. */
  const open = async (t, german, more = {}) => {
    const { folder, remove } = await temporary();
    await copySite(folder);
    for (const [name, files] of Object.entries({ ...(german ? { bauen: GERMAN } : {}), ...more })) {
      await writePack(join(folder, "packs-static"), name, files);
    }
    const server = await serve(folder);
    const notes = await newPage(browser);
    t.after(async () => {
      await notes.context.close();
      await server.close();
      await remove();
    });
    await notes.page.goto(server.url);
    return { server, ...notes };
  };

  /** What the page's one engine says to each question, one after the other. */
  const ask = (page, ...questions) => page.evaluate(async (questions) => {
    const { Engine } = await import("./seealso/engine.js");
    window.engine ??= new Engine(new URL("packs-static/", location.href).href, { cache: false });
    const answers = [];
    for (const question of questions) {
      const { sources, notices } = await window.engine.ask(question);
      answers.push({ pages: sources.map(({ page }) => page), notices: notices.map(({ message }) => message) });
    }
    return answers;
  }, questions);

  test("a German question finds other forms of its words", async (t) => {
    const { page } = await open(t, true);
    const [answer] = await ask(page, "Was ist ein Haus?");
    assert.equal(answer.pages[0], "bauen/haus");
    assert.deepEqual(answer.notices, []);
  });

  test("English packs alone load nothing of it", async (t) => {
    const { page, requests } = await open(t, false);
    const [answer] = await ask(page, "What is photosynthesis?");
    assert.ok(answer.pages.length > 0);
    assert.deepEqual(requests.filter((url) => url.includes("languages")), []);
  });

  test("what a German pack says of itself speaks for its pages", async (t) => {
    const kiln = (language, title, summary) => ({
      "index.md": `---\ntitle: ${title}\nlanguage: ${language}\n---\n\n# ${title}\n`,
      "ofen.md": page("Öfen", summary),
    });
    const { page: tab } = await open(t, false, {
      a: kiln("de", "Allerlei", "Wie ein Ofen gemauert wird."),
      b: kiln("de", "Bäckereien", "Wie ein Ofen gemauert wird."),
    });
    const [answer] = await ask(tab, "Ofen für eine Bäckerei");
    assert.equal(answer.pages[0], "b/ofen");
  });

  test("a question that waits for it is stopped at once, and the worker lives on", async (t) => {
    const { page, server, requests } = await open(t, true);
    server.faults.set(LANGUAGES_WASM, missing);
    await ask(page, "What is photosynthesis?");
    let begun;
    const waiting = new Promise((resolve) => (begun = resolve));
    server.faults.set(LANGUAGES_WASM, (response, bytes) => begun({ response, bytes }));
    await page.clock.install();
    const stopped = page.evaluate(async () => {
      window.stop = new AbortController();
      return window.engine.ask("Häuser", undefined, window.stop.signal).catch(({ code }) => code);
    });
    const { response, bytes } = await waiting;
    await page.evaluate(() => window.stop.abort());
    assert.equal(await stopped, "cancelled");
    // What is not stopped by then costs the worker.
    await page.evaluate(() => window.engine.search("photosynthesis"));
    await page.clock.runFor(5_000);
    server.faults.delete(LANGUAGES_WASM);
    send(response, 200, bytes);
    const [answer] = await ask(page, "Häuser");
    assert.equal(answer.pages[0], "bauen/haus");
    assert.equal(requests.filter((url) => url.endsWith("/catalog.json")).length, 2, "the page's own engine, and this one");
  });

  test("without it the answer names the language, and the next question tries again", async (t) => {
    const { page, server } = await open(t, true);
    server.faults.set(LANGUAGES_WASM, missing);
    const [answer] = await ask(page, "What is photosynthesis?");
    assert.ok(answer.pages.includes("plants/concepts/photosynthesis"));
    assert.match(answer.notices.join(), /^Language support for German could not be loaded; packs in that language were left out\./);
    server.faults.delete(LANGUAGES_WASM);
    const [again] = await ask(page, "Häuser");
    assert.equal(again.pages[0], "bauen/haus");
  });

  /** The verdicts of the checks on each of `claims`, beside a page of that language. */
  const judged = (page, language, text, claims) => page.evaluate(async ([language, text, claims]) => {
    const { Deliberations } = await import("./seealso/deliberation/client.js");
    const written = { text: claims.join("\n\n"), tokens: 1, prompt_tokens: 1, known_tokens: 0, cut: false };
    const model = { abilities: { name: "scripted", context: 4096, tools: false }, write: async () => written };
    const source = { page: "a/page", pack: "a", file: "page.md", via: "search", language, markdown: `# A\n\n${text}\n` };
    const sentence = { text, source: 1, section: "", anchor: "", sub_query: 0 };
    const sub_queries = [{ text: "question", pages: ["a/page"], answered: true }];
    const answer = { question: "What is it?", sentences: [sentence], sub_queries, sources: [source] };
    const models = { expert: model, critic: model, synthesizer: model };
    const done = await new Deliberations().run(answer, { models }, {});
    return done.review.claims.map(({ verdict }) => verdict);
  }, [language, text, claims]);

  test("a model's claims are compared with pages as the browser spells them", async (t) => {
    const { page, requests } = await open(t, false);
    const typed = "The wall that was named Hadrian's was begun at a café in 122.";
    assert.deepEqual(await judged(page, "en", "The wall that was named Hadrian\u2019s was begun at a cafe\u0301 in 122.", [typed]), ["supported"]);
    assert.deepEqual(await judged(page, "xx", "Зелёный чай заваривают при семидесяти градусах.", ["ЧАЙ заваривают при семидесяти градусах."]), ["supported"]);
    assert.deepEqual(requests.filter((url) => url.includes("languages")), []);
  });

  test("a model's claims on a German page are compared by their stems", async (t) => {
    const { page, server } = await open(t, true);
    const claims = ["Wohnhäuser beheizte man früher mit Öfen.", "Wohnhäuser beheizte man früher mit Kraftwerken."];
    const verdicts = await judged(page, "de", "Das Wohnhaus wurde früher durch einen Ofen beheizt.", claims);
    assert.equal(verdicts[0], "supported");
    assert.ok(server.log.some(({ path }) => path === LANGUAGES_WASM));
  });
});
