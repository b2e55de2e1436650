// Sentences in the browser: its own segmenter beside the sentences of the corpus that the native tests hold the engine to, and
// what the engine makes of a script without spaces, with the browser's words.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, newPage } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";
import { copySite, temporary, writePack } from "./support/site.mjs";

const CORPUS = new URL("../sentences/corpus.jsonl", import.meta.url);

// Phrases of Thai, each long enough to be a sentence, with no mark between them.
const THAI = [
  "ปลาโลมาเป็นสัตว์เลี้ยงลูกด้วยนมที่อาศัยอยู่ในทะเลและหายใจด้วยปอดเหมือนมนุษย์",
  "ฝูงปลาโลมาออกหากินในเวลากลางคืนและพักผ่อนใกล้ชายฝั่งในเวลากลางวันของทุกวัน",
];

describe("sentences", () => {
  let browser;

  before(async () => {
    browser = await launch();
  });

  after(() => browser?.close());

  /** A page on a copy of the site, with a pack in Thai. */
  const open = async (t) => {
    const { folder, remove } = await temporary();
    await copySite(folder);
    await writePack(join(folder, "packs-static"), "thai", {
      "index.md": "---\ntitle: ทะเล\nlanguage: th\n---\n\n# ทะเล\n",
      "dolphin.md": `---\ntype: page\ntitle: ปลาโลมา\ndescription: สัตว์ในทะเล\n---\n\n${THAI.join(" ")}\n`,
    });
    const server = await serve(folder);
    const { context, page } = await newPage(browser);
    t.after(async () => {
      await context.close();
      await server.close();
      await remove();
    });
    await page.goto(server.url);
    return page;
  };

  test("the browser's segmenter differs from the corpus where that says why", async (t) => {
    const rows = (await readFile(CORPUS, "utf8")).trim().split("\n").map((line) => JSON.parse(line));
    const page = await open(t);
    const cut = await page.evaluate((rows) => rows.map(({ language, sentences, join = " " }) => {
      const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
      const pieces = [...segmenter.segment(sentences.join(join))].map(({ segment }) => segment.trim());
      return pieces.filter((piece) => piece !== "");
    }), rows);
    rows.forEach((row, at) => assert.deepEqual(cut[at], row.oracle ?? row.sentences));
  });

  test("a page in Thai is quoted by its phrases", async (t) => {
    const page = await open(t);
    const quoted = await page.evaluate(async () => {
      const { Engine } = await import("./seealso/engine.js");
      const engine = new Engine(new URL("packs-static/", location.href).href, { cache: false });
      const { sentences } = await engine.ask("ฝูงปลาโลมาออกหากินในเวลากลางคืน");
      return sentences.map(({ text }) => text);
    });
    assert.ok(quoted.includes(THAI[1]), quoted.join("\n"));
    assert.ok(!quoted.includes(THAI.join(" ")), quoted.join("\n"));
  });
});
