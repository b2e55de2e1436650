// Talk: what asks nothing is answered without a search; a question that goes on from the last one is made whole, and the
// reader sees how and can have it asked as it stands.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { ask, box, questionInAddress, read, ready } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { missing, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

describe("talk", () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  const open = async (t) => {
    const { page, context, said } = await newPage(browser, { reducedMotion: "reduce" });
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    await page.goto(server.url);
    await ready(page);
    server.log.length = 0;
    return { page, said };
  };

  for (const [text, reply] of [["hi", "Hello! Ask about anything that these packs hold."], ["Thanks!", "You’re welcome. Ask on whenever you like."], ["Guten Morgen", "Hallo! Frag nach allem, was in diesen Wikis steht."]]) {
    test(`"${text}" gets a reply and no search`, async (t) => {
      const { page, said } = await open(t);
      const turn = await ask(page, text);
      assert.equal(await turn.locator(".answer").innerText(), reply);
      assert.deepEqual(server.log.filter(({ path }) => path.startsWith("/packs-static/")), []);
      assert.equal(await turn.locator(".sources").count(), 0);
      assert.equal(questionInAddress(page), null);
      await page.getByRole("button", { name: "Ask", exact: true }).waitFor();
      assert.deepEqual(said, []);
    });
  }

  test("what asks nothing leaves a model that is still at work alone, and a question ends it", async (t) => {
    const { page } = await open(t);
    const ended = await page.locator("see-also").evaluate(async (element) => {
      const signals = [];
      element.deliberator = (_answer, _turn, signal) => {
        signals.push(signal);
        return new Promise((resolve) => signal.addEventListener("abort", resolve));
      };
      await element.ask("What is photosynthesis?");
      const { status } = await element.ask("thanks");
      const after = [status, signals[0].aborted, element.busy];
      await element.ask("What is a container registry?");
      after.push(signals[0].aborted, signals[1].aborted);
      element.stop();
      return [...after, signals[1].aborted];
    });
    assert.deepEqual(ended, ["talk", false, true, true, false, true]);
  });

  test("a greeting is searched all the same where the reader wants that", async (t) => {
    const { page } = await open(t);
    const turn = await ask(page, "hello");
    await turn.getByRole("button", { name: "Search for these words all the same" }).press("Enter");
    await turn.getByText(/^(Nothing found|Answered)/).waitFor();
  });

  test("a question that goes on is made whole, and shown so", async (t) => {
    const { page } = await open(t);
    await ask(page, "What is a container registry?");
    const turn = await ask(page, "Who runs it?");
    assert.equal(await turn.locator("h3").first().innerText(), "Who runs it?");
    assert.equal(await turn.locator("[part=asked-as] q").innerText(), "Who runs the container registry?");
    assert.ok((await read(turn)).sources.includes("containers/concepts/container-registry.md"));
    assert.equal(questionInAddress(page), "Who runs the container registry?");

    const next = await ask(page, "What about Hadrian?");
    assert.equal(await next.locator("[part=asked-as] q").innerText(), "Who runs Hadrian?");
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target.flat().join(" "))}`), []);
  });

  test("the words are asked as they stand where the reader wants that, by the keyboard too", async (t) => {
    const { page } = await open(t);
    await ask(page, "Who was Hadrian?");
    const turn = await ask(page, "When did he die?");
    assert.equal(await turn.locator("[part=asked-as] q").innerText(), "When did Hadrian die?");
    await turn.getByRole("button", { name: "Ask the words as they stand" }).press("Enter");
    await turn.locator("[part=asked-as]").waitFor({ state: "detached" });
    await turn.locator(".answer").waitFor();
    assert.equal(questionInAddress(page), "When did he die?");
  });

  test("a question that stands on its own is left alone", async (t) => {
    const { page } = await open(t);
    await ask(page, "Who was Hadrian?");
    const turn = await ask(page, "What is photosynthesis?");
    assert.equal(await turn.locator("[part=asked-as]").count(), 0);
    assert.match((await read(turn)).text, /photosynthesis/i);
  });

  test("questions are answered though the scripts of talk are missing", async (t) => {
    const { page } = await open(t);
    server.faults.set("/seealso/talk/*", missing);
    const turn = await ask(page, "What is photosynthesis?");
    assert.ok((await read(turn)).citations >= 1);
    await box(page).fill("What is it for?");
    await box(page).press("Enter");
    await page.getByRole("article").nth(1).locator(".answer").waitFor();
  });
});
