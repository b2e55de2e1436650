// A node answers after the reader has agreed to a plain list of what is sent to whom, and not a byte before; its faults
// each have their message, and leave the local model's answer, or the quoted one.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { TWO_DOMAINS, ask, openSources, packs, read } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { garbage, half, nothing, reasoned, refusing, serveNode, silence, status, thought } from "./support/node.mjs";
import { POLICY, send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { MIB, downloadIn, entryOf, randomWeights, ranged } from "./support/weights.mjs";

const KEY = "sk-reader-1";
/** What Chromium says where it has no graphics processor. */
const ADAPTERS = /^warning: No available adapters\.$/;
const LIE = /4711 bytes/;
const STANDS = "The quoted answer stands.";

describe("a node", () => {
  let browser, node, server;

  before(async () => {
    [browser, node] = await Promise.all([launch(), serveNode()]);
    server = await serve(SITE, { policy: `${POLICY}; connect-src 'self' ${node.origin}` });
  });

  after(() => Promise.all([browser?.close(), node?.close(), server?.close()]));

  beforeEach(() => {
    node.asked.length = 0;
    node.instead.length = 0;
    node.left = 0;
  });

  /** The chat page with its settings open. */
  const open = async (t, { url = server.url, screen = {} } = {}) => {
    const notes = await newPage(browser, { reducedMotion: "reduce", ...screen });
    t.after(() => notes.context.close());
    await notes.page.goto(`${url}#model`);
    await notes.page.getByText("A model elsewhere (a node)").last().click();
    return notes;
  };

  /** Names a node, without agreeing. */
  const name = async (page, { base = node.base, key = "", model = "", wait = "" } = {}) => {
    await page.getByLabel("Model", { exact: true }).fill(model);
    await page.getByLabel("Key", { exact: true }).fill(key);
    if (wait) {
      await page.getByText("Context and patience").click();
      await page.getByLabel("Seconds to wait for the first word").fill(wait);
    }
    await page.getByLabel("Base URL").fill(base);
    await page.getByLabel("Base URL").blur();
  };

  const agree = async (page) => {
    await page.getByRole("button", { name: /^Agree, and ask/ }).click();
    await page.locator("[part=node-status]").filter({ hasText: /answers there|node|policy/ }).waitFor();
  };

  /** A page whose reader has agreed. */
  const agreed = async (t, options = {}) => {
    const notes = await open(t, options);
    await name(notes.page, options);
    await agree(notes.page);
    await notes.page.getByRole("button", { name: "Close" }).click();
    return notes;
  };

  test("is sent nothing before the reader has agreed to a plain list", async (t) => {
    const { page } = await open(t);
    await name(page, { key: KEY });
    const terms = page.locator("[part=terms]");
    await terms.getByText(`To ${node.origin} will be sent, for each question:`).waitFor();
    assert.deepEqual(await terms.locator("li").allTextContents(), [
      "your question, and questions before it that it goes on from",
      "texts of the pages that were found for it, if there are any",
      "the draft of the answer, and the review of that draft",
      "seealso's own instructions to the model, its name, and the key if there is one",
    ]);
    await terms.getByText("Not sent: the address of the page that you are on, cookies, and anything else of yours.").waitFor();
    await ask(page, TWO_DOMAINS);
    assert.deepEqual(node.asked, []);

    await agree(page);
    await page.getByText("scripted answers there, with 8,192 tokens of context.").waitFor();
    assert.deepEqual(node.asked.filter(({ method }) => method !== "OPTIONS").map(({ method, path }) => [method, path]), [["GET", "/v1/models"]]);
    await page.getByText(`Questions and texts of pages are sent to ${node.origin}, as you agreed.`).waitFor();
    assert.equal(await page.locator("see-also").getAttribute("tier"), "mid");
  });

  test("plays the three roles, and the checked answer says who wrote it", async (t) => {
    const { page, said } = await agreed(t, { key: KEY });
    const turn = await ask(page, TWO_DOMAINS);
    const quoted = await read(turn);
    const answer = turn.locator(".deliberated .answer");
    await answer.waitFor();
    await turn.getByText(`Written by scripted at ${node.origin}, as you agreed; each sentence checked against the pages on this device`).waitFor();
    const text = await answer.innerText();
    assert.doesNotMatch(text, LIE);
    const numbers = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
    assert.deepEqual(packs([...new Set(numbers.map((number) => quoted.sources[number - 1]))]), ["agent-protocols", "containers"]);
    await openSources(turn);
    await turn.getByText("How this answer came about").click();
    const roles = turn.locator("[part=exchange] .steps");
    assert.deepEqual(await roles.locator(".stage").allTextContents(),
      ["The Expert drafts", "The Critic checks each claim", "The Synthesizer integrates", "Each sentence is checked", "Gaps are filled with quotations"]);
    assert.match(await roles.locator("[data-stage=expert] .note").innerText(), /^\d+ tokens/);
    assert.match(await roles.locator("[data-stage=synthesize] .note").innerText(), /^\d+ tokens/);

    const posts = node.posts();
    assert.ok(posts.length >= 2, String(posts.length));
    for (const { path, headers, body } of posts) {
      assert.equal(path, "/v1/chat/completions");
      assert.equal(headers.authorization, `Bearer ${KEY}`);
      assert.deepEqual([headers.cookie, headers.referer, body.model, body.stream], [undefined, undefined, "scripted", true]);
      assert.match(JSON.stringify(body.messages), /MCP server/);
    }
    assert.deepEqual(said.filter((line) => !ADAPTERS.test(line)), []);
  });

  const GUESS = "Perhaps the emperor Qianlong built the first container.";
  for (const [form, marks] of [
    ["marks", `<think>\n${GUESS}\n</think>\n\n`],
    ["a closing mark alone", `${GUESS}\n</think>\n\n`],
    ["channels", `<|channel|>analysis<|message|>${GUESS}<|end|><|start|>assistant<|channel|>final<|message|>`],
  ]) {
    test(`has its reasoning kept apart that comes in the text, in ${form}`, async (t) => {
      const { page } = await agreed(t);
      node.instead.push(...Array.from({ length: 12 }, () => reasoned(marks)));
      const turn = await ask(page, TWO_DOMAINS);
      const answer = turn.locator(".deliberated .answer");
      await answer.waitFor();
      assert.doesNotMatch(await answer.innerText(), /Qianlong|think|channel/);
      await openSources(turn);
      await turn.getByText("How this answer came about").click();
      const reasoning = turn.locator("[part=exchange] [part=reasoning]");
      assert.equal(await reasoning.count(), 2);
      assert.equal(await reasoning.first().evaluate(({ open }) => open), false);
      const label = reasoning.first().getByText("The model’s reasoning: not checked, and no part of the answer");
      await label.click();
      assert.equal((await reasoning.first().locator(".draft").innerText()).trim(), GUESS);
      const [draft, review] = await Promise.all(["draft", "review"].map((part) => turn.locator(`[part=exchange] > [part=${part}]`).innerText()));
      assert.doesNotMatch(draft + review, /Qianlong|think|channel/);
    });
  }

  test("that refuses a part of the request is asked again without it, and is not asked for it any more", async (t) => {
    const { page } = await agreed(t);
    node.instead.push(...Array.from({ length: 24 }, () => refusing("stream_options", "temperature")));
    for (const question of [TWO_DOMAINS, "What is an MCP server?"]) {
      const turn = await ask(page, question);
      await turn.locator(".deliberated .answer, [data-kept]").waitFor();
    }
    const refused = node.posts().filter(({ body }) => "stream_options" in body || "temperature" in body);
    assert.deepEqual(refused.map(({ body }) => ["stream_options", "temperature"].filter((name) => name in body)), [["stream_options", "temperature"], ["temperature"]]);
    assert.ok(node.posts().length >= refused.length + 3);
  });

  test("has its key in memory alone, and its consent for as long as the page is open", async (t) => {
    const { page } = await agreed(t, { key: KEY });
    await ask(page, TWO_DOMAINS);
    await page.locator(".deliberated .answer").waitFor();
    const kept = await page.evaluate(async () => {
      const databases = await indexedDB.databases();
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, document.cookie]);
    });
    assert.ok(kept.includes(node.base) && !kept.includes(KEY), kept);

    await page.goto(`${server.url}?`);
    node.asked.length = 0;
    await ask(page, TWO_DOMAINS);
    await page.getByText(`A node is set, ${node.origin}, and nothing was sent to it: since this page was opened you have not agreed to that. ${STANDS}`).waitFor();
    assert.deepEqual(node.asked, []);
    await page.getByRole("link", { name: "See what would be sent" }).click();
    await page.getByText(`To ${node.origin} will be sent, for each question:`).waitFor();
    assert.equal(await page.getByLabel("Key", { exact: true }).inputValue(), "");
    assert.deepEqual(node.asked, []);
  });

  test("is sent nothing by a link to a question, in the open page either", async (t) => {
    const { page } = await agreed(t);
    node.asked.length = 0;
    await page.evaluate(() => location.assign("#q=What+is+photosynthesis%3F"));
    await page.getByText(`A node is set, ${node.origin}, and nothing was sent to it: since this page was opened you have not agreed to that. ${STANDS}`).waitFor();
    assert.deepEqual(node.asked, []);
  });

  test("is sent nothing more once the reader does not agree any longer", async (t) => {
    const { page } = await open(t);
    await name(page);
    await agree(page);
    await page.getByRole("button", { name: "Send nothing more" }).click();
    await page.getByText("Nothing is sent any more.").waitFor();
    await page.getByText("Nothing leaves this browser.").waitFor();
    node.asked.length = 0;
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator("[data-code=not-agreed]").waitFor();
    assert.deepEqual(node.asked, []);
  });

  test("is asked no more when the reader stops", async (t) => {
    const { page } = await agreed(t);
    node.instead.push(silence);
    const turn = await ask(page, TWO_DOMAINS);
    const quoted = await read(turn);
    await turn.locator("[part=unchecked]").filter({ hasText: "Docker" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await turn.getByText(`The model was stopped. ${STANDS}`).waitFor();
    assert.equal(await turn.locator(".answer").innerText(), quoted.text);
    while (node.left === 0) {
      await page.evaluate(() => 0);
    }
    assert.equal(node.posts().length, 1);
  });

  const MEANWHILE = [
    ["does not agree any longer", (page) => page.getByRole("button", { name: "Send nothing more" }).click()],
    ["has somebody else write", (page) => page.locator("[part=writers] input[value=none]").check()],
  ];
  for (const [what, act] of MEANWHILE) {
    test(`is asked no more as soon as the reader ${what}`, async (t) => {
      const { page } = await open(t);
      await name(page);
      await agree(page);
      node.instead.push(silence);
      const turn = await ask(page, TWO_DOMAINS);
      await turn.locator("[part=unchecked]").filter({ hasText: "Docker" }).waitFor();
      node.asked.length = 0;
      await act(page);
      await turn.getByText(`The model was stopped. ${STANDS}`).waitFor();
      await page.getByText("Nothing leaves this browser.").waitFor();
      while (node.left === 0) {
        await page.evaluate(() => 0);
      }
      await page.getByRole("button", { name: "Ask", exact: true }).waitFor();
      assert.deepEqual(node.asked, []);
    });
  }

  test("is asked no more as soon as the reader agrees to another", async (t) => {
    const other = await serveNode();
    t.after(other.close);
    const both = await serve(SITE, { policy: `${POLICY}; connect-src 'self' ${node.origin} ${other.origin}` });
    t.after(both.close);
    const { page } = await open(t, { url: both.url });
    await name(page);
    await agree(page);
    node.instead.push(silence);
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator("[part=unchecked]").filter({ hasText: "Docker" }).waitFor();
    node.asked.length = 0;
    await name(page, { base: other.base });
    await agree(page);
    await turn.getByText(`The model was stopped. ${STANDS}`).waitFor();
    while (node.left === 0) {
      await page.evaluate(() => 0);
    }
    assert.deepEqual([node.asked, other.posts()], [[], []]);
  });

  test("that is still asked what it has is asked no more, either", async (t) => {
    const slow = await serveNode();
    slow.get = nothing;
    t.after(slow.close);
    const open_ = await serve(SITE, { policy: `${POLICY}; connect-src 'self' ${slow.origin}` });
    t.after(open_.close);
    const { page } = await open(t, { url: open_.url });
    await name(page, { base: slow.base });
    await page.getByRole("button", { name: /^Agree, and ask/ }).click();
    await page.getByText(`Asking ${slow.origin}…`).waitFor();
    await page.locator("[part=writers] input[value=none]").check();
    await page.getByText(`Asking ${slow.origin}…`).waitFor({ state: "detached" });
    assert.equal(await page.locator("[part=node-status]").getByRole("alert").count(), 0);
  });

  test("never gets the key of another", async (t) => {
    const { page } = await open(t);
    const key = page.getByLabel("Key", { exact: true });
    const moved = async (base) => {
      await page.getByLabel("Base URL").fill(base);
      await page.getByLabel("Base URL").blur();
      return key.inputValue();
    };
    await key.fill(KEY);
    assert.equal(await moved(node.base), KEY, "typed before any was named");
    assert.equal(await moved(`${node.origin}/v2`), KEY, "the same server");
    assert.equal(await moved("http:"), KEY, "no address yet");
    assert.equal(await moved("http://127.0.0.1:1/v1"), "");
    assert.equal(await moved(node.base), "");
    await key.fill(KEY);
    assert.equal(await moved("http://localhost:1/v1"), "");
  });

  test("is asked with whole numbers alone", async (t) => {
    const { page } = await open(t);
    await name(page, { wait: "1.5" });
    await page.getByRole("button", { name: /^Agree, and ask/ }).click();
    const refused = page.locator("[part=node-status]").getByRole("alert");
    assert.equal(await refused.innerText(), "“Seconds to wait for the first word” takes a whole number from 1 to 3,600, or nothing.");
    await page.getByLabel("Seconds to wait for the first word").fill("5");
    await page.getByLabel("Context in tokens").fill("-1");
    await page.getByRole("button", { name: /^Agree, and ask/ }).click();
    await refused.getByText("“Context in tokens, where the node does not tell it” takes a whole number from 256 to 10,000,000, or nothing.").waitFor();
    assert.equal(await page.evaluate(() => document.querySelector("see-also").shadowRoot.activeElement.value), "-1");
    assert.deepEqual(node.asked, []);
    await page.getByLabel("Context in tokens").fill("512");
    await agree(page);
    await page.getByText("scripted answers there, with 512 tokens of context.").waitFor();
  });

  const FAULTS = [
    ["a key that is refused", { instead: [status(401, "no")], says: (origin) => `the node ${origin} asks for a key (status 401), and none was given; give one.`, posts: 1 }],
    ["too much to do", { instead: [429, 429, 429].map((code) => status(code, "later")), says: (origin) => `the node ${origin} has too much to do (status 429); ask again later.`, posts: 3 }],
    ["an error of its own", { instead: [500, 502, 503].map((code) => status(code, "oh")), says: (origin) => `the node ${origin} failed (status 503: oh); look at its log, or ask again later.`, posts: 3 }],
    ["half a stream", { instead: [half], says: (origin) => `the answer of the node ${origin} ended in the middle (it has no end); ask again.`, posts: 1 }],
    ["a token a minute", { instead: [silence], wait: "1", says: (origin) => `the node ${origin} fell silent in its answer for 1 s; it may be overloaded, so ask again later.`, posts: 1 }],
    ["no word at all", { instead: [nothing], wait: "1", says: (origin) => `the node ${origin} gave no word within 1 s; try a smaller model there, or allow it more time.`, posts: 1 }],
    ["no JSON", { instead: [garbage], says: (origin) => `the node ${origin} answers in a form that is not understood (an event that is no JSON: \`{"choices": [\`); check that it is compatible with OpenAI's chat completions.`, posts: 1 }],
    ["reasoning alone", { instead: [thought], says: (origin) => `the node ${origin} gave no answer but reasoning; turn that off there, or name another model.`, posts: 1 }],
    ["another model", { model: "gpt-9", instead: [status(404, "no such model")], says: () => `${node.base} has no model "gpt-9", or is not the base URL of a node (status 404); check the model's name, and the URL, which often ends in /v1.`, posts: 1 }],
  ];
  for (const [fault, { instead, says, posts, ...options }] of FAULTS) {
    test(`with ${fault} leaves the quoted answer, and the page says why`, async (t) => {
      const { page } = await agreed(t, options);
      node.instead.push(...instead);
      const turn = await ask(page, TWO_DOMAINS);
      const setback = turn.locator(".setback");
      await setback.waitFor();
      assert.equal(await setback.innerText(), `The node’s answer failed: ${says(node.origin)} ${STANDS}`);
      assert.equal(node.posts().length, posts);
      assert.ok((await read(turn)).citations >= 2);
      await page.getByRole("button", { name: "Ask", exact: true }).waitFor();
    });
  }

  test("that is not there is told from one that a policy forbids", async (t) => {
    const gone = await serveNode();
    await gone.close();
    const open = await serve(SITE, { policy: null });
    t.after(open.close);
    const { page } = await agreed(t, { url: open.url, base: gone.base });
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator(".setback").getByText(new RegExp(`^The node’s answer failed: the node ${gone.origin} can't be reached \\(.*it may not allow this site, see CORS, or not be running\\).* ${STANDS}$`)).waitFor();

    const strict = await serve(SITE);
    t.after(strict.close);
    const { page: other } = await agreed(t, { url: strict.url });
    const refused = await ask(other, TWO_DOMAINS);
    await refused.getByText(`The node’s answer failed: this site’s policy does not let it ask ${node.origin}; whoever runs the site can add that to connect-src in its Content-Security-Policy. ${STANDS}`).waitFor();
    assert.deepEqual(node.asked, []);
  });

  test("is reached from a host that sends no policy by the worker alone: the page itself can reach nobody", async (t) => {
    const plain = await serve(SITE, { policy: null });
    t.after(plain.close);
    const { page } = await agreed(t, { url: plain.url });
    const tried = await page.evaluate((url) => fetch(url).then(() => "reached", () => "refused"), `${node.base}/models`);
    assert.equal(tried, "refused");
    assert.deepEqual(node.asked.filter(({ method }) => method === "GET").length, 1);
    const turn = await ask(page, TWO_DOMAINS);
    await turn.locator(".deliberated .answer").waitFor();
    assert.ok(node.posts().length >= 2);
  });

  test("that fails lets the local model answer, and the page says so", async (t) => {
    const weights = randomWeights(MIB, "/models/writer.bin");
    const writer = await readFile(new URL("support/scripted-writer.js", import.meta.url));
    server.faults.set("/seealso/model/module.js", (response) => send(response, 200, writer));
    server.faults.set(weights.path, ranged(weights));
    t.after(() => server.faults.clear());
    const { page } = await open(t);
    const { stored } = await downloadIn(page, { ...entryOf("Writer", weights), title: "The Writer" });
    await page.evaluate((model) => localStorage.setItem("seealso-model", JSON.stringify({ model })), stored.key);
    await page.reload();
    await page.getByText("A model elsewhere (a node)").last().click();
    await name(page);
    await agree(page);
    node.instead.push(half);
    const turn = await ask(page, TWO_DOMAINS);
    await turn.getByText("The Writer on this device answers instead.").waitFor();
    await turn.getByText("Written by The Writer on this device, each sentence checked against the pages").waitFor();
    assert.ok((await turn.locator(".deliberated .answer .cite").count()) >= 2);
  });

  test("at an address that can't be used is refused before anything is sent", async (t) => {
    const { page } = await open(t);
    await name(page, { base: "http://ann:secret@127.0.0.1/v1" });
    const alert = page.locator("[part=node-status]").getByRole("alert");
    await alert.waitFor();
    assert.equal(await alert.innerText(), "The node's base URL can't be used: it must not hold a name or a password; give the key apart from it.");
    assert.equal(await page.getByRole("button", { name: /^Agree/ }).count(), 0);
  });

  test("with several models has one of them named", async (t) => {
    node.models = [{ id: "one" }, { id: "two" }];
    t.after(() => {
      node.models = [{ id: "scripted", context_length: 8192 }];
    });
    const { page } = await open(t);
    await name(page);
    await agree(page);
    await page.getByText(`The node ${node.origin} has several models; name one of: one, two.`).waitFor();
    await page.getByLabel("Model", { exact: true }).fill("two");
    await page.getByRole("button", { name: `Ask ${node.origin} again` }).click();
    await page.getByText("two answers there.").waitFor();
  });

  test("is set by the keyboard alone", async (t) => {
    const { page } = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => page.context().close());
    await page.goto(`${server.url}#model`);
    const focused = () => page.evaluate(() => {
      const element = document.querySelector("see-also").shadowRoot.activeElement;
      return element?.labels?.[0]?.textContent ?? element?.textContent ?? "";
    });
    const tabTo = async (text) => {
      for (let times = 0; times < 40 && !(await focused()).startsWith(text); times++) {
        await page.keyboard.press("Tab");
      }
      assert.ok((await focused()).startsWith(text), `${text}: ${await focused()}`);
    };
    await page.getByText("A model elsewhere (a node)").last().waitFor();
    await tabTo("A model elsewhere (a node)");
    await page.keyboard.press("Enter");
    await tabTo("Base URL");
    await page.keyboard.type(node.base);
    await tabTo("Agree, and ask");
    assert.deepEqual(node.asked, []);
    await page.keyboard.press("Enter");
    await page.getByText("scripted answers there").waitFor();
    assert.equal(await focused(), `Ask ${node.origin} again`);
  });

  for (const [width, colorScheme] of [[1280, "light"], [375, "light"], [375, "dark"]]) {
    test(`can be set at ${width} pixels, ${colorScheme}`, async (t) => {
      const { page } = await open(t, { screen: { viewport: { width, height: 800 }, colorScheme } });
      await name(page);
      await page.getByRole("button", { name: /^Agree/ }).waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target.flat().join(" "))}`), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "the page scrolls sideways");
    });
  }
});
