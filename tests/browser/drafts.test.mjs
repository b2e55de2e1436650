// What a model writes before the checks never passes for an answer: it stands folded below the quoted answer, named a
// draft, with the time that is left; and the quoted answer stays where the reader reads it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { TWO_DOMAINS, ask, openSources, quotedAnswer } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { MIB, downloadIn, entryOf, randomWeights, ranged } from "./support/weights.mjs";

const ENGINE = "/seealso/model/module.js";
const PLANTS = "What is photosynthesis?";
const TOKEN = "if (!(await onEvent({ token })))";
/** The writer waits for the server before its thirteenth token of each text. */
const WAITS = 'await (at === 12 && fetch("/held"));\n      ';

describe("a draft", () => {
  let browser, server, writer;

  before(async () => {
    [browser, server, writer] = await Promise.all([
      launch(), serve(SITE), readFile(new URL("support/scripted-writer.js", import.meta.url), "utf8"),
    ]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  /** The chat page of a reader with a model that waits in the middle of its draft until `goOn`. */
  const open = async (t, { script = writer.replace(TOKEN, WAITS + TOKEN), screen = {} } = {}) => {
    const weights = randomWeights(MIB, "/models/writer.bin");
    const waiting = [];
    server.faults.set(ENGINE, (response) => send(response, 200, script));
    server.faults.set(weights.path, ranged(weights));
    server.faults.set("/held", (response) => waiting.push(response));
    const { page, context } = await newPage(browser, { reducedMotion: "reduce", ...screen });
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    await page.goto(server.url);
    const { stored } = await downloadIn(page, { ...entryOf("Writer", weights), title: "The Writer" });
    await page.evaluate((model) => localStorage.setItem("seealso-model", JSON.stringify({ model })), stored.key);
    await page.reload();
    const goOn = () => {
      server.faults.set("/held", (response) => send(response, 200, ""));
      waiting.forEach((response) => send(response, 200, ""));
    };
    return { page, goOn };
  };
  const draftOf = (turn) => turn.locator("[part=unchecked]");
  const held = (turn) => turn.locator("[data-stage=expert] .note").filter({ hasText: /^12 tokens/ }).waitFor();
  const focused = (page) => page.evaluate(() => {
    const { activeElement } = document.querySelector("see-also").shadowRoot;
    return activeElement && (activeElement.textContent || activeElement.localName);
  });
  /** Notes each place of the quoted answer on the page from the moment that it is there, in `globalThis.places`. */
  const watchPlaces = (page) => page.evaluate(() => {
    const places = globalThis.places = new Set();
    const { shadowRoot } = document.querySelector("see-also");
    new MutationObserver(() => {
      const quoted = shadowRoot.querySelector(".turn-body > .answer");
      if (quoted && quoted.dataset.status !== "deliberated") {
        const { x, y, width, height } = quoted.getBoundingClientRect();
        places.add([x, y + scrollY, width, height].map(Math.round).join(" "));
      }
    }).observe(shadowRoot, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const places = (page) => page.evaluate(() => [...globalThis.places]);

  test("stands folded below the quoted answer, under its name and with the time that is left", async (t) => {
    const { page, goOn } = await open(t);
    await watchPlaces(page);
    const turn = await ask(page, TWO_DOMAINS);
    await held(turn);
    const draft = draftOf(turn);
    assert.match(await draft.locator("> summary").innerText(), /^Draft, not checked yet\s+(a few seconds|about \d+ (seconds|minutes?)) left$/);
    assert.equal(await draft.evaluate(({ open }) => open), false);
    assert.equal(await draft.locator("[part=draft]").isVisible(), false);
    const [quoted, below] = [await quotedAnswer(turn).boundingBox(), await draft.boundingBox()];
    assert.ok(below.y >= quoted.y + quoted.height, "below the quoted answer");
    const sources = await turn.locator("[part=sources]").boundingBox();
    assert.ok(below.y + below.height <= sources.y, "above the sources");
    goOn();
    await turn.locator(".deliberated .answer").waitFor();
    assert.equal((await places(page)).length, 1, `the quoted answer moved: ${await places(page)}`);
  });

  test("is opened and closed by the keyboard, and read out only to who goes there", async (t) => {
    const { page } = await open(t);
    await watchPlaces(page);
    const turn = await ask(page, TWO_DOMAINS);
    await held(turn);
    const draft = draftOf(turn);
    await draft.locator("> summary").focus();
    await page.keyboard.press("Enter");
    await draft.locator("[part=draft]").waitFor();
    assert.equal((await draft.locator("[part=draft]").textContent()).trim().split(/\s+/).length, 12);
    assert.equal(await draft.evaluate((element) => element.closest("[aria-live], [role=status], [role=alert]")), null);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id }) => id), []);
    await page.keyboard.press("Enter");
    await draft.locator("[part=draft]").waitFor({ state: "hidden" });
    assert.equal((await places(page)).length, 1);
  });

  test("gives way to the checked answer in the quoted one's place, and stays to be read among the sources", async (t) => {
    const { page, goOn } = await open(t);
    const turn = await ask(page, TWO_DOMAINS);
    await held(turn);
    const enqueue = async (part) => Math.round((await part.boundingBox()).y - (await turn.boundingBox()).y);
    const place = await enqueue(quotedAnswer(turn));
    await draftOf(turn).locator("> summary").focus();
    goOn();
    await turn.locator(".deliberated .answer").waitFor();
    assert.equal(await draftOf(turn).count(), 0);
    assert.equal(await enqueue(turn.locator(".deliberated")), place);
    assert.match(await focused(page), /^Written by The Writer/, "who was in the draft is told what became of it");
    await openSources(turn);
    await turn.getByText("How this answer came about").click();
    assert.match(await turn.locator("[part=exchange] [part=draft]").innerText(), /4711 bytes/);
  });

  test("is gone after a stop, and the quoted answer stands where it stood", async (t) => {
    const { page } = await open(t);
    await watchPlaces(page);
    const turn = await ask(page, TWO_DOMAINS);
    await held(turn);
    await draftOf(turn).locator("> summary").press("Enter");
    await page.keyboard.press("Escape");
    await turn.getByText("The model was stopped. The quoted answer stands.").waitFor();
    assert.equal(await draftOf(turn).count(), 0);
    assert.equal(await focused(page), "The model was stopped. The quoted answer stands.");
    assert.equal((await places(page)).length, 1);
  });

  const FAILURES = [
    ["of a model that breaks down", "throw new WebAssembly.RuntimeError(\"unreachable\");", /^The answer of The Writer failed: /],
    ["of a model that writes garbage", "", /^The quoted answer stands: /],
  ];
  for (const [what, then, says] of FAILURES) {
    test(`${what} is gone, and what is said of it stands below the quoted answer`, async (t) => {
      const breaks = then ? writer.replace(TOKEN, `if (at === 12) { ${then} }\n      ${TOKEN}`)
        : writer.replace("const text = reply(messages.at(-1).content);", 'const text = "0 0 0 [9] qqq";');
      const { page } = await open(t, { script: breaks });
      await watchPlaces(page);
      const turn = await ask(page, TWO_DOMAINS);
      const said = turn.locator(".deliberated p").filter({ hasText: says });
      await said.waitFor();
      assert.equal(await draftOf(turn).count(), 0);
      const [quoted, below] = [await quotedAnswer(turn).boundingBox(), await said.boundingBox()];
      assert.ok(below.y >= quoted.y + quoted.height);
      assert.equal((await places(page)).length, 1);
    });
  }

  test("that nobody could begin is told of below the quoted answer", async (t) => {
    const { page } = await open(t);
    server.faults.set("/seealso/deliberation/writers.js", (response) => send(response, 404, ""));
    await watchPlaces(page);
    const turn = await ask(page, TWO_DOMAINS);
    const said = turn.getByText(/^The model that you chose could not begin/);
    await said.waitFor();
    const [quoted, below] = [await quotedAnswer(turn).boundingBox(), await said.boundingBox()];
    assert.ok(below.y >= quoted.y + quoted.height);
    assert.equal((await places(page)).length, 1);
  });

  test("of a turn of an earlier visit is not shown again, and what came of it stands where it stood", async (t) => {
    const garbage = writer.replace("const text = reply(messages.at(-1).content);", 'const text = "0 0 0 [9] qqq";');
    const { page } = await open(t, { script: garbage });
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator("[data-kept]").waitFor();
    const quoted = await quotedAnswer(turn).innerText();
    await page.waitForFunction(async () => {
      const { HistoryStore } = await import("./history/store.js");
      const [kept] = await (await HistoryStore.open()).all(new URL("packs-static/", location.href).href);
      return Boolean(kept?.deliberation);
    });
    await page.reload();
    const again = page.getByRole("article").first();
    await again.locator("[data-kept]").waitFor();
    assert.equal(await quotedAnswer(again).innerText(), quoted);
    const [above, below] = [await quotedAnswer(again).boundingBox(), await again.locator("[data-kept]").boundingBox()];
    assert.ok(below.y >= above.y + above.height);
    assert.equal(await again.locator("[part=unchecked]:not([hidden])").count(), 0);
  });

  test("of each element on a page stands in its own turn", async (t) => {
    const { page, goOn } = await open(t);
    await page.evaluate(async () => {
      const { withModels } = await import("./seealso/deliberation/with-models.js");
      const [first] = document.querySelectorAll("see-also");
      const second = Object.assign(document.createElement("see-also"), { id: "second", packs: first.packs, deliberator: withModels() });
      document.querySelector("main").append(second);
    });
    const turn = await ask(page.locator("see-also").first(), TWO_DOMAINS);
    await held(turn);
    const place = await quotedAnswer(turn).boundingBox();
    const second = page.locator("#second");
    await second.evaluate((element, question) => element.ask(question), PLANTS);
    const other = second.getByRole("article");
    await quotedAnswer(other).waitFor();
    assert.equal(await draftOf(turn).count(), 1);
    assert.equal((await quotedAnswer(turn).boundingBox()).height, place.height);
    goOn();
    await turn.locator(".deliberated .answer").waitFor();
    await other.locator(".deliberated :is(.answer, [data-kept], .setback)").first().waitFor();
    assert.equal(await page.locator("[part=unchecked]:not([hidden])").count(), 0);
  });

  for (const [width, colorScheme] of [[1280, "light"], [320, "dark"]]) {
    test(`fits ${width} pixels, ${colorScheme}`, async (t) => {
      const { page } = await open(t, { screen: { viewport: { width, height: 800 }, colorScheme } });
      const turn = await ask(page, TWO_DOMAINS);
      await held(turn);
      await draftOf(turn).locator("> summary").click();
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target.flat().join(" "))}`), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "the page scrolls sideways");
    });
  }
});

describe("the text of a role that nobody has checked", () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  test("is named by what it is, and gives way to the next role's", async (t) => {
    const { page, context } = await newPage(browser);
    t.after(() => context.close());
    await page.goto(server.url);
    const shown = await page.evaluate(async () => {
      const [{ Turn }, { Exchange }] = await Promise.all([import("./seealso/turn.js"), import("./seealso/deliberation/exchange.js")]);
      const turn = new Turn("Q?", "t");
      const answer = { question: "Q?", status: "answered", text: "A.", sentences: [], sub_queries: [], sources: [], notices: [], trace: [], ms: 1 };
      turn.begin(true);
      turn.answer(answer, null, [], null);
      const exchange = new Exchange(answer, turn);
      exchange.begin({ about: { kind: "local", name: "W", place: "" } });
      const text = () => {
        const unchecked = turn.element.querySelector("[part=unchecked]");
        return unchecked.hidden ? null : [unchecked.querySelector(".stage").textContent, unchecked.querySelector("[part=draft]").textContent];
      };
      const shown = [text()];
      for (const [role, words] of [["expert", "<b>One"], ["expert", " two"], ["critic", "Three"], ["synthesizer", "Four"]]) {
        exchange.step({ kind: "text", role, text: words });
        shown.push(text());
      }
      return shown;
    });
    assert.deepEqual(shown, [null, ["Draft, not checked yet", "<b>One"], ["Draft, not checked yet", "<b>One two"],
      ["Remarks on the draft, not checked", "Three"], ["Draft, not checked yet", "Four"]]);
  });
});
