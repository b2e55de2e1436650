// A site that is served while what runs models is still being built: it answers by quotation, says how far it is, and offers
// models once they are there.

import assert from "node:assert/strict";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, newPage } from "./support/browser.mjs";
import { ask, read } from "./support/chat.mjs";
import { serve } from "./support/server.mjs";
import { copySite, temporary } from "./support/site.mjs";
import { entryOf, randomWeights } from "./support/weights.mjs";

const BUILDING = "The parts of this page that run models are still being built.";
const FAILED = "The parts of this page that run models could not be built;";
/** What Chromium says where it has no graphics processor. */
const ADAPTERS = /^warning: No available adapters\.$/;
/** All wasm but the retrieval's, with its script. */
const PART = /^(seealso_.+(_bg\.wasm|\.js)|kernels-.+\.wasm)$/;
const RETRIEVAL = /^seealso_bg\.wasm/;

describe("a site without the parts that run models", () => {
  let browser, server, site, list;

  before(async () => {
    site = await temporary();
    await copySite(site.folder);
    for (const folder of ["seealso", "seealso/model"]) {
      for (const name of await readdir(join(site.folder, folder))) {
        if (PART.test(name) && !RETRIEVAL.test(name)) {
          await rm(join(site.folder, folder, name));
        }
      }
    }
    list = (parts, models = []) => writeFile(join(site.folder, "models/models.json"), JSON.stringify({ version: 1, models, ...(parts && { parts }) }));
    [browser, server] = await Promise.all([launch(), serve(site.folder)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await site?.remove();
  });

  const open = async (t, parts, { fragment = "", chosen = null } = {}) => {
    await list(parts);
    const notes = await newPage(browser);
    t.after(() => notes.context.close());
    if (chosen) {
      await notes.page.addInitScript((settings) => localStorage.setItem("seealso-model", JSON.stringify(settings)), chosen);
    }
    await notes.page.goto(server.url + fragment);
    return notes;
  };

  test("answers by quotation", async (t) => {
    const { page, said } = await open(t, "building");
    const { cited, text } = await read(await ask(page, "What is photosynthesis?"));
    assert.equal(cited[0], "plants/concepts/photosynthesis.md");
    assert.match(text, /^Photosynthesis is /);
    assert.deepEqual(said, []);
  });

  test("says that they are being built, and offers models once they are there", async (t) => {
    const { page, said } = await open(t, "building", { fragment: "#model" });
    await page.getByRole("status").filter({ hasText: BUILDING }).waitFor();
    assert.equal(await page.getByRole("radio").count(), 0, "nothing can be chosen yet");
    assert.equal(await page.getByRole("alert").filter({ visible: true }).count(), 0, "it is no error");
    assert.deepEqual(said.filter((line) => !ADAPTERS.test(line)), []);

    await list("", [entryOf("Alpha", randomWeights(1000, "/models/alpha.bin"))]);
    await page.reload();
    await page.getByRole("radio", { name: /^Alpha/ }).waitFor();
    assert.equal(await page.getByText(BUILDING).count(), 0);
  });

  test("looks anew while its settings are open", async (t) => {
    const { page } = await open(t, "building", { fragment: "#model" });
    await page.getByRole("status").filter({ hasText: BUILDING }).waitFor();
    await list("", [entryOf("Beta", randomWeights(1000, "/models/beta.bin"))]);
    await page.getByRole("radio", { name: /^Beta/ }).waitFor();
  });

  test("says that they could not be built", async (t) => {
    const { page } = await open(t, "failed", { fragment: "#model" });
    await page.getByRole("status").filter({ hasText: FAILED }).waitFor();
    assert.equal(await page.getByRole("radio").count(), 0);
  });

  for (const [parts, told] of [["building", BUILDING], ["failed", FAILED]]) {
    test(`tells a reader who chose a model before, below the quoted answer: ${parts}`, async (t) => {
      const { page } = await open(t, parts, { chosen: { writer: "local", model: "0123456789abcdef0123456789abcdef" } });
      const turn = await ask(page, "What is photosynthesis?");
      await turn.getByRole("status").filter({ hasText: told }).waitFor();
      assert.equal(await turn.getByRole("alert").count(), 0);
      assert.match((await read(turn)).text, /^Photosynthesis is /);
    });
  }
});
