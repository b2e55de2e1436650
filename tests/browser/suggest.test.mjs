// Pages are suggested while one types: found by the engine that answers, marked where the words stand,
// chosen by keyboard, mouse or finger, and never those of a text that the box no longer holds.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { box, ready, settled } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { send, serve } from "./support/server.mjs";
import { copySite, temporary } from "./support/site.mjs";

const page = (attributes) => `<!doctype html>
<html lang="en">
<title>A handbook</title>
<link rel="icon" href="favicon.svg">
<script type="module" src="seealso/see-also.js"></script>
<main><h1>A handbook</h1><see-also packs="packs-static" ${attributes}></see-also></main>
</html>
`;

describe("suggestions", () => {
  let browser, home, server;

  before(async () => {
    home = await temporary();
    await copySite(home.folder);
    [browser, server] = await Promise.all([launch(), serve(home.folder)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await home.remove();
  });

  const open = async (options, path = "") => {
    const notes = await newPage(browser, options);
    await notes.page.addInitScript(noteSearches);
    await notes.page.goto(server.url + path);
    return notes;
  };

  const openReady = async (options, path) => {
    const notes = await open(options, path);
    await ready(notes.page);
    return notes;
  };

  const openWith = async (attributes) => {
    await writeFile(join(home.folder, "page.html"), page(attributes));
    return open({}, "page.html");
  };

  test("show pages while one types, with the words marked", async () => {
    const { page, requests, said } = await openReady();
    await box(page).pressSequentially("hadrian wall");
    const first = row(page, "Hadrian");
    await first.waitFor();
    assert.equal(await first.locator(".path").textContent(), "history/roman-emperors");
    assert.deepEqual(await first.locator(".title mark").allTextContents(), ["Hadrian"]);
    assert.ok((await first.locator(".snippet mark").allTextContents()).every((mark) => /^(Hadrian|wall)/i.test(mark)));
    assert.equal(await box(page).getAttribute("aria-expanded"), "true");
    assert.ok((await rows(page).count()) <= 8);
    await page.getByRole("status").filter({ hasText: /^\d matching pages?, to choose with the arrow keys$/ }).waitFor();
    // The strict policy holds, and no page was read for it.
    assert.deepEqual(said, []);
    assert.deepEqual(requests.filter((url) => !url.startsWith(server.url) || url.endsWith(".md")), []);
  });

  test("are there while a word is incomplete", async () => {
    const { page } = await openReady();
    for (const [typed, title, mark] of [["photosynth", "Photosynthesis", "Photosynthesis"], ["emperor hadr", "Hadrian", "Hadrian"]]) {
      await box(page).fill(typed);
      const found = row(page, title);
      await found.waitFor();
      assert.deepEqual(await found.locator(".title mark").allTextContents(), [mark]);
    }
  });

  test("are chosen with the arrow keys, and Enter opens the page", async () => {
    const { page } = await openReady();
    await box(page).fill("photosynthesis");
    await row(page, "Photosynthesis").waitFor();
    assert.equal(await active(page), null);
    await page.keyboard.press("ArrowDown");
    assert.equal(await active(page), await rows(page).first().textContent());
    await page.keyboard.press("ArrowUp");
    assert.equal(await active(page), null);
    await page.keyboard.press("ArrowUp");
    assert.equal(await active(page), await rows(page).last().textContent());
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await rows(page).and(page.locator("[aria-selected=true]")).count(), 1);
    const title = await page.locator(".suggestion[aria-selected=true] .title").textContent();
    await page.keyboard.press("Enter");

    const reading = page.getByRole("article", { name: title });
    await reading.locator(".page-body [data-level='1']:focus").waitFor();
    await rows(page).first().waitFor({ state: "hidden" });
    await reading.getByRole("button", { name: "Close the page" }).press("Enter");
    assert.equal(await page.getByRole("article").count(), 0);
    assert.equal(await box(page).inputValue(), "photosynthesis");
    assert.equal(await box(page).evaluate((input) => input.getRootNode().activeElement === input), true);
  });

  test("leave Enter to the question where none is chosen", async () => {
    const { page } = await openReady();
    await box(page).fill("What is photosynthesis?");
    await rows(page).first().waitFor();
    await box(page).press("Enter");
    await rows(page).first().waitFor({ state: "hidden" });
    assert.match(await (await settled(page)).innerText(), /What is photosynthesis\?/);
  });

  test("go with Escape, which stops nothing else, and come back with the down key", async () => {
    const { page } = await openReady();
    await box(page).fill("photosynthesis");
    await rows(page).first().waitFor();
    await page.keyboard.press("Escape");
    await rows(page).first().waitFor({ state: "hidden" });
    assert.equal(await box(page).getAttribute("aria-expanded"), "false");
    assert.equal(await box(page).inputValue(), "photosynthesis");
    await page.keyboard.press("ArrowDown");
    await rows(page).first().waitFor();
    await page.keyboard.press("Tab");
    await rows(page).first().waitFor({ state: "hidden" });
  });

  test("open with a click, and with a finger", async () => {
    const { page } = await openReady({ hasTouch: true, viewport: { width: 360, height: 740 } });
    await box(page).fill("photosynthesis");
    await row(page, "Photosynthesis").tap();
    await page.getByRole("article", { name: "Photosynthesis" }).locator(".page-body").waitFor();
    await box(page).fill("hadrian");
    await row(page, "Hadrian").click();
    await page.getByRole("article", { name: "Hadrian" }).locator(".page-body").waitFor();
    assert.equal(await page.getByRole("article").count(), 1, "one page at a time");
  });

  test("of a text that is no longer there are dropped, and a cold index is asked once", async () => {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    server.faults.set("/packs-static/catalog.json", async (response, bytes) => {
      await held;
      send(response, 200, bytes);
    });
    const { page } = await open();
    await box(page).pressSequentially("photosynthesis");
    await box(page).fill("hadrian");
    release();
    await row(page, "Hadrian").waitFor();
    server.faults.clear();
    assert.deepEqual(await page.evaluate(() => window.searched), ["hadrian"]);
  });

  test("are searched one at a time, the newest text last", async () => {
    const { page } = await openReady();
    // Faster than any answer, which takes a task of its own: what comes between is never searched.
    await box(page).evaluate(async (input) => {
      for (const text of ["p", "ph", "pho", "photosynthesi", "photosynthesis"]) {
        input.value = text;
        input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        for (let turn = 0; turn < 20; turn++) {
          await null;
        }
      }
    });
    await row(page, "Photosynthesis").waitFor();
    assert.deepEqual(await page.evaluate(() => window.searched), ["p", "photosynthesis"]);
  });

  test("stay on the screen between two keys", async () => {
    const { page } = await openReady();
    await box(page).fill("roman emperor");
    await rows(page).first().waitFor();
    await page.evaluate(noteEmptyLists);
    await box(page).pressSequentially(" hadrian");
    await row(page, "Hadrian").locator("mark").first().waitFor();
    await page.waitForFunction(() => window.searched.at(-1) === "roman emperor hadrian");
    assert.equal(await page.evaluate(() => window.empty), 0);
  });

  test("keep quiet after a search that failed, until a question was answered", async () => {
    const { page, said } = await openReady();
    await page.evaluate(() => {
      window.reply = { error: { code: "bad-index", message: "the index is damaged" } };
    });
    await box(page).pressSequentially("photosynthesis");
    await box(page).press("Enter");
    await settled(page);
    assert.deepEqual(await page.evaluate(() => window.searched), ["p"]);
    await page.evaluate(() => {
      window.reply = null;
    });
    await box(page).fill("photosynthesis");
    await row(page, "Photosynthesis").waitFor();
    assert.deepEqual(said, []);
  });

  test("cut what is too long for them", async () => {
    const { page } = await openReady({ viewport: { width: 360, height: 740 } });
    await page.evaluate(() => {
      const hit = { page: "a/b", pack: "pack/".repeat(20), title: "Donaudampfschifffahrt".repeat(12), summary: "A summary of many words. ".repeat(30) };
      window.reply = { result: [{ ...hit, marks: { title: [[0, 5], [240, 252]], summary: [[2, 9]] } }] };
    });
    await box(page).fill("donau");
    await rows(page).first().waitFor();
    assert.deepEqual(await rows(page).locator(".title mark").allTextContents(), ["Donau", "fschifffahrt"]);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.ok((await rows(page).first().boundingBox()).height < 200);
  });

  test("are not there for a text without any page, which is said", async () => {
    const { page } = await openReady();
    await box(page).fill("zxqvbn");
    await page.getByRole("status").filter({ hasText: "No matching page" }).waitFor();
    assert.equal(await rows(page).count(), 0);
    assert.equal(await box(page).getAttribute("aria-expanded"), "false");
  });

  test("can be switched off; the box then grows with its text", async () => {
    const { page } = await openWith('eager suggest="off"');
    await ready(page);
    await page.getByRole("textbox", { name: "Your question" }).fill("photosynthesis");
    assert.equal(await page.getByRole("combobox", { name: "Your question" }).count(), 0);
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("and chlorophyll");
    assert.equal(await page.getByRole("textbox").inputValue(), "photosynthesis\nand chlorophyll");
    assert.deepEqual(await page.evaluate(() => window.searched), []);
    await page.locator("see-also").evaluate((element) => element.removeAttribute("suggest"));
    await page.getByRole("combobox", { name: "Your question" }).fill("photosynthesis");
    await row(page, "Photosynthesis").waitFor();
  });

  test("and answers keep to the packs and languages that the element names", async () => {
    const { page } = await openWith('eager only-packs="history, human-origins" only-languages="en"');
    await ready(page);
    await box(page).fill("photosynthesis emperor cave");
    await rows(page).first().waitFor();
    const packs = new Set(await rows(page).locator(".path").allTextContents());
    assert.deepEqual([...packs].sort(), ["history/roman-emperors", "human-origins"]);
    const paths = await page.locator("see-also").evaluate(async (element) => {
      const answers = [await element.ask("What is photosynthesis?")];
      element.setAttribute("only-packs", "plants");
      answers.push(await element.ask("What is photosynthesis?"));
      element.setAttribute("only-languages", "de");
      answers.push(await element.ask("What is photosynthesis?"));
      return answers.map(({ sources }) => [...new Set(sources.map(({ pack }) => pack))]);
    });
    assert.ok(!paths[0].includes("plants"), paths[0].join());
    assert.deepEqual(paths.slice(1), [["plants"], []]);
  });

  test("a filter that is no list is refused", async () => {
    const { page } = await openWith("");
    const code = await page.evaluate(async () => {
      const { Engine } = await import("./seealso/engine.js");
      const engine = new Engine(new URL("packs-static/", location.href).href);
      return engine.search("photosynthesis", { packs: "plants" }).catch((error) => error.code);
    });
    assert.equal(code, "options");
  });

  for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]]) {
    test(`can be used by everyone, at ${width} pixels, ${colorScheme}`, async () => {
      const { page } = await openReady({ viewport: { width, height: 740 }, colorScheme, reducedMotion: "reduce" });
      await box(page).fill("how do servers and containers share files and networks");
      await rows(page).first().waitFor();
      await page.keyboard.press("ArrowDown");
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "the page scrolls sideways");
      if (process.env.SEEALSO_SHOTS) {
        await page.screenshot({ path: join(process.env.SEEALSO_SHOTS, `suggest-${width}-${colorScheme}.png`) });
      }
      await page.keyboard.press("Enter");
      await page.locator(".page-body").waitFor();
      const opened = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(opened.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`), []);
      if (process.env.SEEALSO_SHOTS) {
        await page.screenshot({ path: join(process.env.SEEALSO_SHOTS, `page-${width}-${colorScheme}.png`) });
      }
    });
  }
});

function rows(page) {
  return page.getByRole("listbox", { name: "Matching pages" }).getByRole("option");
}

/** The row of the page with exactly that title. */
function row(page, title) {
  return rows(page).filter({ has: page.locator(".title").getByText(title, { exact: true }) });
}

/** The text of the row that the box points at. */
function active(page) {
  return box(page).evaluate((input) => {
    const id = input.getAttribute("aria-activedescendant");
    return id && input.getRootNode().getElementById(id).textContent;
  });
}

/**
 * Runs in the page before its scripts: notes every text that the worker is asked to search for, and
 * gives `window.reply`, where there is one, as the answer.
 */
function noteSearches() {
  window.searched = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.method === "search") {
      window.searched.push(message.args[0]);
      if (window.reply) {
        return queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data: { id: message.id, ...window.reply } })));
      }
    }
    return post.call(this, message, ...rest);
  };
}

/** Runs in the page: counts how often the list is left without rows or hidden. */
function noteEmptyLists() {
  window.empty = 0;
  const list = document.querySelector("see-also").shadowRoot.querySelector("[role=listbox]");
  const look = () => (window.empty += list.hidden || list.children.length === 0 ? 1 : 0);
  new MutationObserver(look).observe(list, { childList: true, attributes: true });
}
