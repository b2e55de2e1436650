// A reader asks, and reads the answer with its sources: on the plainest of file servers, at the root
// and below a folder, again and again in one conversation, and by keyboard alone.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { join } from "node:path";
import { TWO_DOMAINS, ask, box, packs, questionInAddress, read, ready, settled } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { servePlainly } from "./support/server.mjs";
import { copySite, temporary } from "./support/site.mjs";

describe("asking", () => {
  let browser, home, server;

  before(async () => {
    home = await temporary();
    await copySite(home.folder);
    await copySite(join(home.folder, "docs/ask us"));
    [browser, server] = await Promise.all([launch(), servePlainly(home.folder)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await home.remove();
  });

  const open = async (path = "") => {
    const { page } = await newPage(browser);
    await page.goto(server.url + path);
    return page;
  };

  for (const path of ["", "docs/ask%20us/"]) {
    test(`a question of two domains cites both, at /${path}`, async () => {
      const page = await open(path);
      const answer = await read(await ask(page, TWO_DOMAINS));
      assert.deepEqual(packs(answer.cited), ["agent-protocols", "containers"], answer.text);
      assert.ok(answer.citations >= 2, answer.text);
    });
  }

  test("a comparison is answered in two parts", async () => {
    const turn = await ask(await open(), "Compare Roman emperors with Neanderthals");
    assert.deepEqual(await turn.locator(".part h4").allTextContents(), ["Roman emperors", "Neanderthals"]);
    assert.deepEqual(packs((await read(turn)).cited), ["history/roman-emperors", "human-origins"]);
  });

  test("a question of one domain cites that domain", async () => {
    const answer = await read(await ask(await open(), "What is photosynthesis?"));
    assert.deepEqual(packs(answer.cited), ["plants"]);
  });

  test("a question about nothing here is said to have no answer, with what can be asked", async () => {
    const turn = await ask(await open(), "Zxqvbn wvutsr qponml?");
    assert.equal(await turn.locator(".answer").innerText(), "These packs do not answer this question.");
    assert.equal(await turn.locator(".cite").count(), 0);
    assert.ok((await turn.locator(".can-ask li").allTextContents()).includes("Photosynthesis and plants"));
  });

  test("earlier questions stay in the conversation", async () => {
    const page = await open();
    await ask(page, "What is photosynthesis?");
    await ask(page, "Who was Augustus?");
    await ask(page, "When did Neanderthals die out?");
    assert.deepEqual(await page.getByRole("heading", { level: 3 }).allTextContents(), [
      "What is photosynthesis?", "Who was Augustus?", "When did Neanderthals die out?",
    ]);
    assert.equal(await page.locator(".answer").count(), 3);
    assert.equal(await box(page).inputValue(), "");
  });

  test("an example question is one click away, and the address holds what was asked", async () => {
    const page = await open();
    await page.getByRole("button", { name: "What is photosynthesis?" }).click();
    const turn = await settled(page);
    assert.equal(await turn.getByRole("heading", { level: 3 }).textContent(), "What is photosynthesis?");
    assert.equal(questionInAddress(page), "What is photosynthesis?");
    await page.reload();
    assert.equal(await (await settled(page)).getByRole("heading", { level: 3 }).textContent(), "What is photosynthesis?");
  });

  test("the stages that led to an answer are open to view", async () => {
    const turn = await ask(await open(), "What is photosynthesis?");
    await turn.getByText("How this was found").click();
    assert.deepEqual(await turn.getByRole("rowheader").allTextContents(), [
      "decompose", "search", "fetch", "merge", "expand", "assemble", "answer",
    ]);
  });

  test("an answer is copied with its sources", async () => {
    const { page, context } = await newPage(browser);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(server.url);
    const turn = await ask(page, "What is photosynthesis?");
    await turn.getByRole("button", { name: "Copy the answer with its sources" }).click();
    await turn.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^What is photosynthesis\?\n\n/);
    assert.match(copied, /\n\[1\] Photosynthesis \(plants\/concepts\/photosynthesis\.md\) http/);
  });

  test("the keyboard is enough", async () => {
    const page = await open();
    await ready(page);
    await page.keyboard.press("/");
    await page.keyboard.type("What is photosynthesis");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("and what is chlorophyll?");
    await page.keyboard.press("Enter");
    const turn = await settled(page);

    await tabTo(page, (focused) => focused.name.startsWith("[1] "));
    const citation = await focus(page);
    await page.keyboard.press("Enter");
    await turn.locator(".page-body").waitFor();
    await turn.locator("[data-level]:focus").waitFor();

    await tabTo(page, (focused) => focused.name === "Back to the answer", "Shift+Tab");
    await page.keyboard.press("Enter");
    assert.deepEqual(await focus(page), citation);

    await tabTo(page, (focused) => focused.name === "How this was found");
    await page.keyboard.press("Enter");
    await turn.getByRole("table").last().waitFor();
  });
});

/** What has the focus, also inside the element. */
function focus(page) {
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused.shadowRoot?.activeElement) {
      focused = focused.shadowRoot.activeElement;
    }
    return { tag: focused.localName, name: focused.getAttribute("aria-label") ?? focused.textContent };
  });
}

/** Presses Tab until something fitting has the focus; gives up where a whole round brought nothing. */
async function tabTo(page, fits, key = "Tab") {
  const seen = [];
  while (seen.length < 100) {
    await page.keyboard.press(key);
    const focused = await focus(page);
    if (fits(focused)) {
      return;
    }
    seen.push(focused.name.slice(0, 40));
  }
  assert.fail(`not to be reached by ${key}; passed ${seen.join(" | ")}`);
}
