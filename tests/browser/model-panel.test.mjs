// The settings of local models, as a reader uses them: nothing is downloaded before consent to a stated size, a
// download can be stopped and gone on with, what is stored can be removed, and everyone can use all of it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { launch, newPage } from "./support/browser.mjs";
import { box, packs, read, settled } from "./support/chat.mjs";
import { send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";
import { MIB, entryOf, held, randomWeights, ranged } from "./support/weights.mjs";

const LIST = "/models/models.json";
const SIZE = 9_400_000;
/** What Chromium says where it has no graphics processor. */
const ADAPTERS = /^warning: No available adapters\.$/;

describe("the model's panel", () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  const open = async (t, { instead = [], screen = {} } = {}) => {
    const [first, second] = [SIZE, 2 * MIB].map((size, at) => randomWeights(size, `/models/${at}.bin`));
    const asked = [];
    server.faults.set(first.path, ranged(first, { asked, instead }));
    server.faults.set(second.path, ranged(second));
    const models = [{ ...entryOf("Alpha", first), default: true, licence: "Apache-2.0" }, entryOf("Beta", second), { ...entryOf("Gamma", first), kind: "encoder" }];
    server.faults.set(LIST, (response) => send(response, 200, JSON.stringify({ models })));
    const { page, context, said } = await newPage(browser, { reducedMotion: "reduce", ...screen });
    t.after(() => {
      server.faults.clear();
      return context.close();
    });
    await page.goto(`${server.url}#model`);
    await page.getByRole("button", { name: /^(Download|Go on)/ }).waitFor();
    return { page, asked, said, first };
  };
  const status = (page, text) => page.getByRole("status").filter({ hasText: text }).first();

  test("downloads after consent to a stated size, and lists what is stored", async (t) => {
    const { page, asked, said, first } = await open(t);
    assert.equal(await page.getByRole("radio", { name: /^Alpha/ }).isChecked(), true);
    await page.getByText("9.4 MB · Apache-2.0 · 2,048 tokens of context").waitFor();
    await page.getByText("Nothing is stored.").waitFor();
    assert.equal(await page.getByRole("radio", { name: /^Gamma/ }).count(), 0, "what writes no text is not offered for that");
    assert.deepEqual(asked, []);
    await page.getByRole("button", { name: "Download 9.4 MB from this site" }).click();
    await status(page, "Alpha is stored.").waitFor({ state: "attached" });
    await page.getByText("This model is stored here.").waitFor();
    await page.getByText(`SHA-256 ${first.file.sha256}`).waitFor();
    assert.equal((await page.evaluate(() => JSON.parse(localStorage.getItem("seealso-model")).model)).length, 32);

    await page.getByRole("radio", { name: /^Beta/ }).check();
    await page.getByRole("button", { name: "Download 2.1 MB from this site" }).click();
    await page.getByRole("button", { name: "Remove Beta" }).waitFor();
    await page.getByRole("button", { name: "Remove Alpha" }).click();
    await status(page, "Alpha was removed.").waitFor({ state: "attached" });
    assert.deepEqual(await page.getByRole("button", { name: /^Remove / }).allTextContents(), ["Remove"]);
    assert.equal(await page.evaluate(() => document.querySelector("see-also").shadowRoot.activeElement.textContent), "Stored models");
    assert.deepEqual(said.filter((line) => !ADAPTERS.test(line)), []);
  });

  test("proposes none that adds nothing to quoted answers, and says so of it", async (t) => {
    const { page } = await open(t);
    const alpha = { ...entryOf("Alpha", randomWeights(SIZE, "/models/0.bin")), default: true };
    const answers = { questions: 40, facts: 60, quoted: 30, lost: 0, gained: 0 };
    server.faults.set(LIST, (response) => send(response, 200, JSON.stringify({ models: [{ ...alpha, answers }] })));
    await page.reload();
    await page.getByText("Over 40 questions, answers written by this model gave no more of the needed facts than quoted answers did.").waitFor();
    assert.equal(await page.getByRole("radio", { name: /^Alpha/ }).isChecked(), false);
    assert.equal(await page.getByRole("button", { name: /^Download/ }).count(), 0);
    await page.getByRole("radio", { name: /^Alpha/ }).check();
    await page.getByRole("button", { name: "Download 9.4 MB from this site" }).waitFor();
  });

  test("stops, and goes on from there, by the keyboard alone", async (t) => {
    const { page, asked } = await open(t, { instead: [held] });
    const focused = () => page.evaluate(() => document.querySelector("see-also").shadowRoot.activeElement?.textContent);
    assert.equal(await focused(), "Who writes the answersClose");
    const tabTo = async (text) => {
      for (let times = 0; times < 16 && !(await focused())?.startsWith(text); times++) {
        await page.keyboard.press("Tab");
      }
      assert.match(await focused(), new RegExp(`^${text}`));
    };
    await tabTo("Download 9.4 MB");
    await page.keyboard.press("Enter");
    await page.getByText(/^4\.7 MB of 9\.4 MB/).waitFor();
    assert.equal(await focused(), "Cancel");
    await page.keyboard.press("Enter");
    await page.getByText("4.7 MB of 9.4 MB stored").waitFor();
    await page.getByRole("button", { name: "Go on with 4.7 MB from this site" }).waitFor();
    assert.match(await focused(), /^Go on with/);
    await page.keyboard.press("Enter");
    await page.getByText("This model is stored here.").waitFor();
    assert.deepEqual(asked, [null, `bytes=${SIZE >> 1}-`]);
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: /^Who writes the answers/ }).waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).hash, "");
  });

  test("that comes late leaves the focus to the reader who types a question", async (t) => {
    const { page } = await open(t);
    let late = () => {};
    const asked = new Promise((resolve) => {
      server.faults.set("/seealso/model/model-panel.js", (response, bytes) => {
        late = () => send(response, 200, bytes);
        resolve();
      });
    });
    await page.reload();
    await asked;
    await box(page).pressSequentially("What is photo");
    late();
    await page.getByRole("heading", { name: "Who writes the answers" }).waitFor();
    await page.keyboard.type("synthesis?");
    await page.keyboard.press("Enter");
    assert.deepEqual(packs((await read(await settled(page))).cited), ["plants"]);
  });

  test("says why a download failed, and takes another try", async (t) => {
    const flipped = (response, bytes) => send(response, 200, Buffer.from(bytes).fill(0, 100, 200));
    const { page } = await open(t, { instead: [flipped] });
    await page.getByRole("button", { name: /^Download/ }).click();
    assert.match(await page.getByRole("alert").filter({ hasText: "not the file" }).innerText(), /Alpha is not the file that was promised/);
    await page.getByRole("button", { name: /^Download/ }).click();
    await page.getByText("This model is stored here.").waitFor();
  });

  test("takes a file from the disk, and refuses what is no model", async (t) => {
    const { page } = await open(t);
    await page.getByText("Use a model of your own (GGUF)").click();
    const choose = (name, content) => page.getByLabel("A file on this device").setInputFiles({ name, mimeType: "", buffer: Buffer.from(content) });
    await choose("letter.gguf", "Dear reader, this is not a model.");
    await page.getByRole("button", { name: "Keep a copy of 33 bytes here" }).click();
    await page.getByRole("alert").filter({ hasText: "letter.gguf is no GGUF file" }).waitFor();
    await choose("mine.gguf", `GGUF${"x".repeat(2000)}`);
    await page.getByRole("button", { name: "Keep a copy of 2 kB here" }).click();
    await page.getByRole("button", { name: "Remove mine.gguf" }).waitFor();
    await page.getByLabel("The address of a file").fill("no address");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("alert").filter({ hasText: "This is no address" }).waitFor();
    await page.getByLabel("The address of a file").fill(`${server.url}models/large-00001-of-00002.gguf`);
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("alert").filter({ hasText: "large-00001-of-00002.gguf is one part of a model in several files" }).waitFor();
    await page.getByLabel("The address of a file").fill(`${server.url}models/none.gguf`);
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("button", { name: "Ask this site for its size" }).click();
    await page.getByText("The size of this file is not known: this site does not tell it.").waitFor();
    await page.getByRole("button", { name: "Download up to 4.0 GB from this site" }).click();
    await page.getByRole("alert").filter({ hasText: "status 404" }).waitFor();
  });

  test("states the size of a file at an address before it comes", async (t) => {
    const { page } = await open(t);
    const weights = randomWeights(3 * MIB, "/models/own.gguf");
    weights.bytes.write("GGUF");
    const asked = [];
    server.faults.set(weights.path, (response) => {
      asked.push(response.req.method);
      send(response, 200, weights.bytes);
    });
    await page.getByText("Use a model of your own (GGUF)").click();
    await page.getByLabel("The address of a file").fill(`${server.url}models/own.gguf`);
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("button", { name: "Ask this site for its size" }).click();
    await page.getByRole("button", { name: "Download 3.1 MB from this site" }).waitFor();
    assert.deepEqual(asked, ["HEAD"]);
    await page.getByRole("button", { name: "Download 3.1 MB from this site" }).click();
    await page.getByRole("button", { name: "Remove own.gguf" }).waitFor();
    assert.deepEqual(asked, ["HEAD", "GET"]);
  });

  test("names every server that the files come from", async (t) => {
    const { page } = await open(t);
    const files = ["https://a.example/1", "https://b.example/2", "https://a.example/3"]
      .map((url) => ({ url, bytes: 1_000_000, sha256: "0".repeat(64) }));
    server.faults.set(LIST, (response) => send(response, 200, JSON.stringify({ models: [{ name: "Delta", files }] })));
    await page.reload();
    await page.getByRole("radio", { name: /^Delta/ }).check();
    await page.getByRole("button", { name: "Download 3.0 MB from a.example and b.example" }).waitFor();
  });

  test("tells of a download that failed while another model was looked at", async (t) => {
    let fail;
    const { page } = await open(t, { instead: [(response) => {
      fail = () => send(response, 404, "");
    }] });
    await page.getByRole("button", { name: "Download 9.4 MB from this site" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await page.getByRole("radio", { name: /^Beta/ }).check();
    while (!fail) {
      await page.evaluate(() => 0);
    }
    fail();
    await page.getByRole("alert").filter({ hasText: /^Alpha: .*status 404/ }).waitFor();
    await page.getByRole("button", { name: "Download 2.1 MB from this site" }).waitFor();
  });

  test("shows device and tier with their reasons, and keeps the reader's own", async (t) => {
    const { page } = await open(t);
    await page.getByText(/offers no graphics processor|simulated one|has no WebGPU/).waitFor();
    await page.getByText("The model runs on the processor.", { exact: true }).waitFor();
    await page.getByLabel("Tier").selectOption("mid");
    await page.getByText("You chose it.").first().waitFor();
    assert.equal(await page.locator("see-also").getAttribute("tier"), "mid");
    await page.getByRole("radio", { name: "Processor (CPU)" }).check();
    await page.goto("about:blank");
    await page.goto(server.url);
    await page.locator("see-also[tier=mid]").waitFor();
    await page.goto("about:blank");
    await page.goto(`${server.url}#model`);
    await page.getByRole("button", { name: /^Download/ }).waitFor();
    assert.equal(await page.getByLabel("Tier").inputValue(), "mid");
    assert.equal(await page.getByRole("radio", { name: "Processor (CPU)" }).isChecked(), true);
  });

  test("keeps the model that was chosen, and lets the tier proposed for it hold", async (t) => {
    const { page } = await open(t);
    const chosen = () => page.evaluate(() => JSON.parse(localStorage.getItem("seealso-model")).model);
    await page.getByRole("button", { name: /^Download 9.4 MB/ }).click();
    await page.getByText("This model is stored here.").waitFor();
    await page.getByRole("radio", { name: /^Beta/ }).check();
    await page.getByRole("button", { name: /^Download 2.1 MB/ }).click();
    await page.getByRole("button", { name: "Remove Beta" }).waitFor();
    const beta = await chosen();
    await page.reload();
    await page.getByRole("radio", { name: /^Beta/, checked: true }).waitFor();
    await page.locator("see-also[tier=micro]").waitFor();
    assert.equal(await chosen(), beta);
  });

  for (const [what, chosen] of [["somebody else is chosen", "node"], ["the reader wants nobody to write any more", "none"]]) {
    test(`leaves the choice of who writes where ${what} while it downloads`, async (t) => {
      let end;
      const { page } = await open(t, { instead: [(response, bytes) => {
        end = () => send(response, 200, bytes);
      }] });
      const writer = () => page.evaluate(() => JSON.parse(localStorage.getItem("seealso-model")).writer);
      await page.locator("[part=writers] input[value=local]").check();
      await page.getByRole("button", { name: "Download 9.4 MB from this site" }).click();
      await page.getByRole("button", { name: "Cancel" }).waitFor();
      await page.locator(`[part=writers] input[value=${chosen}]`).check();
      while (!end) {
        await page.evaluate(() => 0);
      }
      end();
      await page.getByText("This model is stored here.").waitFor();
      assert.equal(await writer(), chosen);
      assert.equal((await page.evaluate(() => JSON.parse(localStorage.getItem("seealso-model")).model)).length, 32);
      assert.equal(await page.locator(`[part=writers] input[value=${chosen}]`).isChecked(), true);
    });
  }

  test("works on without a list of models, and says what is wrong with one", async (t) => {
    const { page } = await open(t);
    // The site under test may have models of its own.
    server.faults.set(LIST, (response) => send(response, 404, ""));
    await page.reload();
    await page.getByText("This site offers no model.").waitFor();
    server.faults.set(LIST, (response) => send(response, 200, "[{}]"));
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "model 1 has no name" }).waitFor();
    const part = { url: "a-00002-of-00003.gguf", bytes: 1, sha256: "0".repeat(64) };
    server.faults.set(LIST, (response) => send(response, 200, JSON.stringify([{ name: "a", files: [part] }])));
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "model 1 is divided into files with a header each" }).waitFor();
    await page.getByText("Use a model of your own (GGUF)").waitFor();
  });

  for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]]) {
    test(`can be used at ${width} pixels, ${colorScheme}`, async (t) => {
      const { page } = await open(t, { instead: [held], screen: { viewport: { width, height: 800 }, colorScheme } });
      await page.getByText("Use a model of your own (GGUF)").click();
      await assertUsable(page, width);
      await page.getByRole("button", { name: /^Download/ }).click();
      await page.getByText(/^4\.7 MB of 9\.4 MB/).waitFor();
      await assertUsable(page, width);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: /^Go on/ }).click();
      await page.getByRole("button", { name: "Remove Alpha" }).waitFor();
      await assertUsable(page, width);
      await page.evaluate(() => navigator.storage.getDirectory().then((root) => root.removeEntry("seealso-models", { recursive: true })));
    });
  }
});

async function assertUsable(page, width) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, impact, nodes }) => `${impact}: ${id} at ${nodes.map((node) => node.target.flat().join(" "))}`);
  assert.deepEqual(found, []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "the page scrolls sideways");
}
