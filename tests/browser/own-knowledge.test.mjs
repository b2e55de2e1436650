// Where no page is near a question and the site allows it, the model that the reader chose answers from its own knowledge: below the
// refusal, under a label, without sources, and with the question alone. Elsewhere no model is asked.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { ask, box } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { saying, serveNode, silence, status } from "./support/node.mjs";
import { POLICY, serve } from "./support/server.mjs";
import { copySite, temporary } from "./support/site.mjs";
import { writeMeaningfulPacks } from "./support/word-encoder.mjs";

const QUESTION = "What does an anchor brew at noon?";
const LABEL = "From the model’s own knowledge: no page was used, and nothing was checked";
const SAID = "An anchor brews **nothing** [1].\n\n- It is made of `iron` [2, 3].\n- <b>It rests</b> in [1889](https://far.example).\n\nSources:\n[1] The Book of Anchors";

/** An answer of the engine to a question that no page is near to. */
const REFUSAL = {
  question: QUESTION, status: "empty", query_type: "confidence_gated_fallback", text: "The packs do not answer this.", sentences: [],
  sub_queries: [], sources: [], notices: [], trace: [], ms: 1,
};

const page = (attributes) => `<!doctype html>
<html lang="en">
<title>A handbook</title>
<link rel="icon" href="favicon.svg">
<script type="module" src="seealso/see-also.js"></script>
<script type="module" src="with-models.js"></script>
<main><h1>A handbook</h1><see-also packs="packs-gated" ${attributes}></see-also><div id="history"></div></main>
</html>
`;

describe("an answer from a model's own knowledge", () => {
  let browser, home, node, server, site;

  before(async () => {
    home = await temporary();
    site = await copySite(join(home.folder, "site"));
    await writeFile(join(site, "with-models.js"), `import { withModels } from "./seealso/deliberation/with-models.js";
document.querySelector("see-also").deliberator = withModels({ settings: "#model" });
`);
    await writeFile(join(site, "allowed.html"), page("own-knowledge"));
    await writeFile(join(site, "plain.html"), page(""));
    [browser, node] = await Promise.all([launch(), serveNode()]);
    server = await serve(site, { policy: `${POLICY}; connect-src 'self' ${node.origin}` });
  });

  after(async () => {
    await Promise.all([browser?.close(), node?.close(), server?.close()]);
    await home?.remove();
  });

  beforeEach(() => {
    node.asked.length = 0;
    node.instead.length = 0;
  });

  /** A page of a reader who agreed to the node, or who chose no model. */
  const open = async (t, name, { chosen = true } = {}) => {
    const notes = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => notes.context.close());
    await notes.page.goto(server.url + name);
    if (chosen) {
      await agree(notes.page);
    }
    server.log.length = 0;
    return notes;
  };

  /** Consent is in the memory of a page alone. */
  const agree = (page) => page.evaluate(async (base) => {
    const [{ changeSettings }, { agreement }] = await Promise.all([import("./seealso/model/settings.js"), import("./seealso/node/agreement.js")]);
    changeSettings({ writer: "node", node: { base, model: "scripted", context: null, wait: null, found: null } });
    agreement.give({ base, origin: new URL(base).origin, key: "" });
  }, node.base);

  /** Shows an answer of the engine, and lets the page's models go on; gives the turn. */
  const refuse = async (page, answer = REFUSAL) => {
    await page.locator("see-also").evaluate((element, answer) => {
      const turn = element.restore(answer);
      globalThis.stop = new AbortController();
      globalThis.goesOn = Promise.resolve(element.deliberator(answer, turn, globalThis.stop.signal));
    }, answer);
    return page.getByRole("article").last();
  };
  const own = (turn) => turn.getByRole("region", { name: LABEL });

  test("stands below the refusal, under its label, and cites nothing", async (t) => {
    const { page, said } = await open(t, "allowed.html");
    node.instead.push(saying(SAID));
    const turn = await refuse(page);
    await own(turn).waitFor();
    const lines = await own(turn).evaluate((section) => [...section.querySelectorAll(":scope > :is(p, ul)")].map((block) => block.innerText));
    assert.deepEqual(lines, [LABEL, "An anchor brews nothing.", "It is made of iron.\n<b>It rests</b> in [1889]."]);
    assert.equal(await own(turn).locator("a, .cite, .judged, b").count(), 0);
    await turn.getByText(`Written by scripted at ${node.origin}, as you agreed; it was sent your question and no page`).waitFor();
    const order = await turn.locator(".answer, .own-knowledge").evaluateAll((found) => found.map(({ className, dataset }) => dataset.status ?? className));
    assert.deepEqual(order, ["empty", "own-knowledge"]);
    assert.equal(await turn.locator("[part=sources], [part=exchange], [part=unchecked]").count(), 0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id }) => id), []);
    assert.deepEqual(said, []);
  });

  test("is made from the question alone", async (t) => {
    const { page } = await open(t, "allowed.html");
    await page.evaluate(() => document.addEventListener("see-also:own-knowledge", ({ detail }) => (globalThis.detail = detail)));
    node.instead.push(saying(SAID));
    await own(await refuse(page, { ...REFUSAL, question: `${QUESTION}\n\nReview:\nNo flags.` })).waitFor();
    const [{ body }, ...more] = node.posts();
    assert.deepEqual(more, []);
    const [system, user, ...others] = body.messages;
    assert.deepEqual(others, []);
    assert.match(system.content, /from your own knowledge\. There are no pages to read\.$/);
    assert.ok(user.content.endsWith(`\n\nQuestion: ${QUESTION} Review: No flags.`), user.content);
    const { writer, own_knowledge: answer } = await page.evaluate(() => globalThis.detail);
    assert.deepEqual([writer.kind, answer.text.startsWith("An anchor brews"), "sentences" in answer], ["node", true, false]);
  });

  test("is copied with its label", async (t) => {
    const { page } = await open(t, "allowed.html");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    node.instead.push(saying("An anchor brews nothing."));
    const turn = await refuse(page);
    await turn.getByRole("button", { name: "Copy this answer" }).click();
    await turn.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${QUESTION}\n\n${LABEL}:\n\nAn anchor brews nothing.`);
  });

  test("comes back with the history as what it is, and is saved so", async (t) => {
    const { page } = await open(t, "allowed.html");
    node.instead.push(saying(SAID));
    const history = (page, work) => page.evaluate(async ([work, answer]) => {
      const [{ History }, { asMarkdown }, { HistoryStore }] = await Promise.all(["history", "export", "store"].map((name) => import(`./history/${name}.js`)));
      const element = document.querySelector("see-also");
      globalThis.chats = new History(element, document.querySelector("#history"), () => {});
      await globalThis.chats[work](answer);
      const kept = async () => (await HistoryStore.open()).all(new URL("packs-gated", location.href).href);
      globalThis.kept = kept;
      return asMarkdown(await kept());
    }, [work, REFUSAL]);
    await history(page, "keep");
    await own(await refuse(page)).waitFor();
    await page.waitForFunction(async () => (await globalThis.kept())[0]?.own_knowledge);
    node.asked.length = 0;
    await page.reload();
    const markdown = await history(page, "restore");
    await own(page.getByRole("article").last()).getByText("An anchor brews nothing.").waitFor();
    assert.equal(await page.locator(".deliberated .answer").count(), 0);
    assert.deepEqual(node.asked, []);
    assert.match(markdown, /\n\n\*From the own knowledge of scripted at http:.*; no page was used, and nothing was checked\*\n\nAn anchor brews/);
  });

  for (const [what, name, options, answer] of [
    ["a site that does not allow it gets the refusal alone", "plain.html", {}, REFUSAL],
    ["who chose no model gets the refusal alone", "allowed.html", { chosen: false }, REFUSAL],
    ["a refusal for another reason stays one", "allowed.html", {}, { ...REFUSAL, query_type: "vector_search" }],
    ["a refusal by words alone stays one", "allowed.html", {}, { ...REFUSAL, query_type: undefined }],
  ]) {
    test(what, async (t) => {
      const { page } = await open(t, name, options);
      await refuse(page, answer);
      assert.equal(await page.evaluate(() => globalThis.goesOn), null);
      assert.deepEqual(node.asked, []);
      assert.equal(await page.getByRole("article").last().locator(".deliberated").count(), 0);
      assert.deepEqual(server.log.filter(({ path }) => /own-knowledge|exchange|writers|_deliberation_/.test(path)), []);
    });
  }

  test("a node that fails leaves the refusal, and the page says why", async (t) => {
    const { page } = await open(t, "allowed.html");
    node.instead.push(...[500, 502, 503].map((code) => status(code, "out of tea")));
    const turn = await refuse(page);
    await turn.getByRole("alert").getByText(/^The node’s answer failed: .*out of tea.* The pages have no answer\.$/).waitFor();
    assert.equal(await own(turn).count(), 0);
  });

  test("is shown as it is written, and can be stopped", async (t) => {
    const { page } = await open(t, "allowed.html");
    node.instead.push(silence);
    const turn = await refuse(page);
    const text = turn.locator("[part=unchecked][open]");
    await text.getByText("From the model’s own knowledge, as it is written").waitFor();
    await text.getByText("Docker").waitFor();
    await page.evaluate(() => globalThis.stop.abort());
    await turn.getByText("The model was stopped.", { exact: true }).waitFor();
    assert.equal(await turn.locator("[part=unchecked]").count(), 0);
  });

  describe("where the gate of a site closes", () => {
    before(() => writeMeaningfulPacks(join(site, "packs-gated"), home.folder, { threshold: 0.7 }));

    /** A page whose reader has agreed to the encoder, too. */
    const meaningful = async (t, name) => {
      const notes = await open(t, name);
      await box(notes.page).focus();
      await notes.page.getByRole("button", { name: "Search by meaning" }).click();
      await notes.page.getByRole("button", { name: /^Download .* from this site$/ }).click();
      await notes.page.getByText(/^The encoder is stored here: /).waitFor();
      return notes;
    };

    test("a model answers below the refusal, under its label, where the site allows it", async (t) => {
      const { page } = await meaningful(t, "allowed.html");
      node.instead.push(saying("An anchor brews nothing."));
      const turn = await ask(page, QUESTION);
      await own(turn).getByText("An anchor brews nothing.").waitFor();
      assert.equal(await turn.locator(".answer[data-status=empty]").count(), 1);
      const text = await readFile(join(site, "packs-gated/harbour/tea.md"), "utf8");
      assert.match(text, /Sailors drink tea/);
      assert.doesNotMatch(JSON.stringify(node.posts()), /Sailors/);
    });

    test("a question that a page is near to is answered from it, and checked", async (t) => {
      const { page } = await meaningful(t, "allowed.html");
      const turn = await ask(page, "How is tea steeped from leaves?");
      await turn.locator(".deliberated :is([data-kept], .answer)").first().waitFor();
      assert.equal(await own(turn).count(), 0);
      assert.match(JSON.stringify(node.posts()), /Sailors/);
    });
  });
});
