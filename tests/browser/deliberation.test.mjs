// A model that the reader chose goes on after the quoted answer: role by role, with a verdict on each sentence and the
// whole exchange open to view; and without that choice nothing of it is loaded.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { TWO_DOMAINS, ask, openSources, packs, quotedAnswer, read } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { MIB, downloadIn, entryOf, randomWeights, ranged } from "./support/weights.mjs";

const ENGINE = "/seealso/model/module.js";
/** What Chromium says where it has no graphics processor. */
const ADAPTERS = /^warning: No available adapters\.$/;
const LIE = /4711 bytes/;

describe("deliberation", () => {
  let browser, server, writer;

  before(async () => {
    [browser, server, writer] = await Promise.all([
      launch(), serve(SITE), readFile(new URL("support/scripted-writer.js", import.meta.url)),
    ]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  /** The chat page of a reader who has stored a model and chosen it, or who has not. */
  const open = async (t, { chosen = true, script = writer } = {}) => {
    const weights = randomWeights(MIB, "/models/writer.bin");
    server.faults.set(ENGINE, (response) => send(response, 200, script));
    server.faults.set(weights.path, ranged(weights));
    const { page, context, said } = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    await page.goto(server.url);
    if (chosen) {
      const { stored } = await downloadIn(page, { ...entryOf("Writer", weights), title: "The Writer" });
      await page.evaluate((model) => localStorage.setItem("seealso-model", JSON.stringify({ model })), stored.key);
      await page.reload();
    }
    server.log.length = 0;
    return { page, said };
  };
  const asked = (pattern) => server.log.filter(({ path }) => pattern.test(path));

  test("who chose no model loads nothing of it", async (t) => {
    const { page } = await open(t, { chosen: false });
    const turn = await ask(page, TWO_DOMAINS);
    assert.ok((await read(turn)).citations >= 2);
    assert.deepEqual(asked(/^\/(seealso\/(deliberation|model|seealso_(deliberation|model))|models|model\.js)/), []);
  });

  test("a model that judges is believed on the scale of its record, by its own judgement where it has one", async (t) => {
    const { page } = await open(t, { chosen: false });
    const verdict = (leaning) => page.evaluate(async (leaning) => {
      const { Deliberations } = await import("./seealso/deliberation/client.js");
      const text = "Green tea is steeped at 70 degrees for two minutes.";
      const written = { text, tokens: 1, prompt_tokens: 1, known_tokens: 0, cut: false };
      const { judged, scores } = leaning;
      const judge = { auc: 0.9, supports: 1, rejects: -1 };
      const prompts = [];
      const model = {
        abilities: { name: "scripted", context: 4096, tools: false, judge, ...(judged && { judges: true }) },
        write: async () => written,
        score: async () => scores,
        ...(judged && { judge: async (prompt, answers) => (prompts.push([prompt.user.includes(text), ...answers]), judged) }),
      };
      const source = { page: "a/page", pack: "a", file: "page.md", via: "search", language: "en", markdown: `# Tea\n\n${text}\n` };
      const answer = {
        question: "How is tea made?", sentences: [{ text, source: 1, section: "", anchor: "", sub_query: 0 }],
        sub_queries: [{ text: "question", pages: ["a/page"], answered: true }], sources: [source],
      };
      const done = await new Deliberations().run(answer, { models: { expert: model, critic: model, synthesizer: model } }, { tier: "mid" });
      return [done.review.claims[0].verdict, prompts[0] ?? null];
    }, leaning);
    assert.deepEqual(await verdict({ judged: 5, scores: [-9, -1] }), ["supported", [true, "Yes", "No"]]);
    assert.deepEqual(await verdict({ judged: -5, scores: [-1, -9] }), ["contradicts", [true, "Yes", "No"]]);
    assert.deepEqual(await verdict({ scores: [-9, -1] }), ["contradicts", null]);
  });

  test("the answer that was checked takes the quoted one's place, and cites both domains", async (t) => {
    const { page, said } = await open(t);
    const turn = await ask(page, TWO_DOMAINS);
    const [quoted, words] = [await read(turn), await quotedAnswer(turn).textContent()];
    await turn.locator(".deliberated .answer").waitFor();
    const answer = turn.locator(".deliberated .answer");
    const text = await answer.innerText();
    assert.doesNotMatch(text, LIE);
    const numbers = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
    assert.deepEqual(packs([...new Set(numbers.map((number) => quoted.sources[number - 1]))]), ["agent-protocols", "containers"]);
    const verdicts = await answer.locator(".judged").evaluateAll((sentences) => sentences.map(({ dataset }) => dataset.verdict));
    assert.ok(verdicts.includes("supported") && !verdicts.includes("unsupported"), String(verdicts));
    await turn.getByText("Written by The Writer on this device, each sentence checked against the pages").waitFor();
    assert.deepEqual(said.filter((line) => !ADAPTERS.test(line)), []);

    await turn.getByText("The quoted answer", { exact: true }).click();
    assert.equal(await turn.locator("[part=quoted] .answer").textContent(), words);
  });

  test("the draft, the review and what was taken out are open to view", async (t) => {
    const { page } = await open(t);
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator(".deliberated .answer").waitFor();
    await openSources(turn);
    await turn.getByText("How this answer came about").click();
    const panel = turn.locator("[part=exchange]");
    assert.match(await panel.locator("[part=draft]").first().innerText(), LIE);
    const flagged = panel.locator("[part=review] li").filter({ hasText: LIE }).first();
    assert.match(await flagged.getAttribute("data-verdict"), /^(unsupported|contradicts)$/);
    assert.match(await panel.locator("[part=removed]").innerText(), LIE);
    await panel.getByText("25 % of what was to be read was known from before").waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id), []);
  });

  test("a citation leads to its page", async (t) => {
    const { page } = await open(t);
    const turn = await ask(page, TWO_DOMAINS);
    const cite = turn.locator(".deliberated .cite").first();
    await cite.waitFor();
    const number = /\d+/.exec(await cite.innerText())[0];
    await cite.click();
    await turn.locator(".source[open]").waitFor();
    assert.equal(await turn.locator(".source[open] .number").innerText(), number);
  });

  test("a sentence shows its verdict, and the passage that it rests on, to the keyboard and to the pointer", async (t) => {
    const { page } = await open(t);
    const turn = await ask(page, TWO_DOMAINS);
    const sentence = turn.locator(".deliberated .judged").first();
    const note = turn.locator("[part=verdict]");
    await sentence.waitFor();
    assert.equal(await note.isVisible(), false);
    await sentence.focus();
    assert.equal(await note.locator(".verdict").innerText(), "Supported by the page");
    const passage = await note.locator("blockquote").innerText();
    assert.ok(passage.includes((await sentence.innerText()).split("[")[0].trim()), passage);
    await page.keyboard.press("Escape");
    await note.waitFor({ state: "hidden" });
    assert.equal(await turn.locator(".deliberated .answer").count(), 1);

    await page.mouse.move(0, 0);
    await turn.locator(".deliberated .judged").nth(1).hover();
    await note.waitFor();
    await note.hover();
    assert.equal(await note.isVisible(), true, "the pointer may move into it");
    await page.mouse.move(0, 0);
    await note.waitFor({ state: "hidden" });

    await sentence.focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.querySelector("see-also").shadowRoot.activeElement.textContent), "[1]", "the citation follows its sentence");
    await note.getByRole("button", { name: /^Source 1: / }).click();
    assert.equal(await turn.locator(".source[open] .number").innerText(), "1");
  });

  test("the keyboard reaches the note of each sentence, and the way back", async (t) => {
    const { page } = await open(t);
    const turn = await ask(page, TWO_DOMAINS);
    const sentence = turn.locator(".deliberated .judged").first();
    const note = turn.locator("[part=verdict]");
    const focused = () => page.evaluate(() => {
      const { activeElement } = document.querySelector("see-also").shadowRoot;
      return activeElement.matches(".judged") ? "sentence" : activeElement.textContent.slice(0, 10);
    });
    await sentence.focus();
    const passage = await sentence.getAttribute("aria-describedby");
    assert.equal(await turn.locator(`#${passage}`).innerText(), await note.locator("blockquote").innerText());
    await page.keyboard.press("Enter");
    assert.equal(await focused(), "Source 1: ");
    await page.keyboard.press("Escape");
    await note.waitFor({ state: "hidden" });
    assert.deepEqual([await focused(), await sentence.getAttribute("aria-describedby")], ["sentence", null]);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id }) => id), []);
    await page.keyboard.press("Enter");
    assert.equal(await focused(), "Source 1: ");
    await page.keyboard.press("Enter");
    assert.equal(await turn.locator(".source[open] .number").innerText(), "1");
  });

  test("who was in the quoted answer keeps a place when another takes its own", async (t) => {
    const held = writer.toString().replace("if (!(await onEvent({ token })))", 'await (at === 12 && fetch("/held"));\n      if (!(await onEvent({ token })))');
    const { page } = await open(t, { script: held });
    let go;
    const waits = new Promise((resolve) => {
      server.faults.set("/held", (response) => {
        go = () => send(response, 200, "");
        resolve();
      });
    });
    const turn = await ask(page, TWO_DOMAINS);
    await waits;
    await quotedAnswer(turn).locator(".cite").first().focus();
    server.faults.set("/held", (response) => send(response, 200, ""));
    go();
    await turn.locator(".deliberated .answer").waitFor();
    assert.equal(await page.evaluate(() => document.querySelector("see-also").shadowRoot.activeElement.textContent), "The quoted answer");
  });

  test("the answer is copied with its citations, and the quoted one with its own", async (t) => {
    const { page } = await open(t);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const turn = await ask(page, TWO_DOMAINS);
    const copied = async () => (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
    await turn.getByRole("button", { name: "Copy this answer" }).press("Enter");
    await turn.getByText("Copied").waitFor();
    const written = await copied();
    assert.equal(written[0], TWO_DOMAINS);
    assert.match(written[2], /^An MCP server is a program that exposes tools, resources and prompts over the Model Context Protocol \[1\]\./);
    assert.ok(written.includes(`[1] MCP server (agent-protocols/concepts/mcp-server.md) ${server.url}packs-static/agent-protocols/wiki/concepts/mcp-server.md`), written.join("\n"));
    await turn.getByText("The quoted answer", { exact: true }).click();
    await turn.getByRole("button", { name: "Copy the answer with its sources" }).click();
    await turn.getByText("Copied").last().waitFor();
    assert.ok((await copied()).some((line) => /^\[\d+\] .* http/.test(line)));
  });

  test("each role shows its progress and how fast it writes", async (t) => {
    const held = writer.toString().replace("if (!(await onEvent({ token })))", 'await (at === 12 && fetch("/held"));\n      if (!(await onEvent({ token })))');
    const { page } = await open(t, { script: held });
    const waiting = [];
    server.faults.set("/held", (response) => waiting.push(() => send(response, 200, "")));
    const turn = await ask(page, TWO_DOMAINS);
    const working = turn.locator(".deliberated [data-stage=expert] .note").filter({ hasText: /^12 tokens, \d+(\.\d)? a second$/ });
    await working.waitFor();
    server.faults.set("/held", (response) => send(response, 200, ""));
    waiting[0]();
    await turn.locator(".deliberated .answer").waitFor();
    await openSources(turn);
    await turn.getByText("How this answer came about").click();
    const steps = turn.locator("[part=exchange] .steps li");
    assert.deepEqual(await steps.locator(".stage").allTextContents(),
      ["Loading The Writer", "The Expert drafts", "The Critic checks each claim", "The Synthesizer integrates", "Each sentence is checked", "Gaps are filled with quotations"]);
    for (const at of [1, 3]) {
      assert.match(await steps.nth(at).innerText(), /\d+ tokens, \d+(\.\d)? a second\s+[\d.]+ m?s/);
    }
  });

  test("Escape stops it from anywhere in the element", async (t) => {
    const slow = writer.toString().replace("const words = ", "await new Promise(() => {});\n    const words = ");
    const { page } = await open(t, { script: slow });
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator("[data-stage=expert]").waitFor();
    await page.keyboard.press("Escape");
    await turn.getByText("The model was stopped. The quoted answer stands.").waitFor();
  });

  test("a stop leaves the quoted answer", async (t) => {
    const slow = writer.toString().replace("const words = ", "await new Promise(() => {});\n    const words = ");
    const { page } = await open(t, { script: slow });
    const turn = await ask(page, TWO_DOMAINS);
    const quoted = await read(turn);
    await turn.locator("[data-stage=expert]").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await turn.getByText("The model was stopped. The quoted answer stands.").waitFor();
    assert.equal(await turn.locator(".answer").innerText(), quoted.text);
    await page.getByRole("button", { name: "Ask" }).waitFor();
  });

  test("a model that writes garbage leaves the quoted answer, and the page says why", async (t) => {
    const garbage = writer.toString().replace("const text = reply(messages.at(-1).content);", 'const text = "0 0 0 [9] qqq";');
    const { page } = await open(t, { script: garbage });
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator("[data-kept]").waitFor();
    assert.match(await turn.locator("[data-kept]").innerText(), /^The quoted answer stands: no sentence of the model's answer/);
    assert.ok((await read(turn)).citations >= 2);
  });

  test("a model that fails leaves the quoted answer, and the next question tries again", async (t) => {
    const failing = writer.toString().replace("const text = reply(messages.at(-1).content);",
      'if (!globalThis.failed) { globalThis.failed = true; throw new WebAssembly.RuntimeError("unreachable"); }\n    const text = reply(messages.at(-1).content);');
    const { page } = await open(t, { script: failing });
    const turn = await ask(page, TWO_DOMAINS);
    await turn.getByText(/^The answer of The Writer failed: .* The quoted answer stands\.$/).waitFor();
    const again = await ask(page, TWO_DOMAINS);
    await again.locator(".deliberated").waitFor();
  });

  const MISSING = [
    ["local", "The answer of the model that you chose failed: none is chosen yet; the settings offer some, and download the one that you choose. The quoted answer stands. Open the settings"],
    ["node", "The node’s answer failed: none is named yet; the settings ask where it is. The quoted answer stands. Open the settings"],
  ];
  for (const [chosen, says] of MISSING) {
    test(`who chose to have one write and named none (${chosen}) is told so`, async (t) => {
      const { page } = await open(t, { chosen: false });
      await page.evaluate((writer) => localStorage.setItem("seealso-model", JSON.stringify({ writer })), chosen);
      await page.reload();
      const turn = await ask(page, TWO_DOMAINS);
      await turn.locator(".setback").waitFor();
      assert.equal(await turn.locator(".setback").innerText(), says);
      assert.ok((await read(turn)).citations >= 2);
    });
  }

  test("scripts that do not come leave the quoted answer, and the page says why", async (t) => {
    const { page } = await open(t, { chosen: false });
    await page.evaluate(() => localStorage.setItem("seealso-model", JSON.stringify({ writer: "local" })));
    await page.reload();
    server.faults.set("/seealso/deliberation/writers.js", (response) => send(response, 404, ""));
    const turn = await ask(page, TWO_DOMAINS);
    await turn.getByText(/^The model that you chose could not begin: .*writers\.js.*\. The quoted answer stands\.$/).waitFor();
    await page.getByRole("button", { name: "Ask" }).waitFor();
    assert.ok((await read(turn)).citations >= 2);
  });
});
