// The chat can be used by everyone: axe finds nothing, and nothing is wider than the screen, at every
// stage of a conversation, wide and narrow, light and dark.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { ask, openSources, ready } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { missing, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

const SCREENS = [
  { width: 1280, height: 900, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" },
  { width: 360, height: 740, colorScheme: "light" },
  { width: 360, height: 740, colorScheme: "dark" },
];

describe("access", () => {
  let browser, server;

  before(async () => {
    [browser, server] = await Promise.all([launch(), serve(SITE)]);
  });

  after(() => Promise.all([browser?.close(), server?.close()]));

  for (const { width, height, colorScheme } of SCREENS) {
    test(`at ${width} pixels, ${colorScheme}`, async (t) => {
      const { page } = await newPage(browser, { viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      await page.goto(server.url);
      const check = (stage, act) => t.test(stage, async () => {
        await act();
        await assertUsable(page, width);
      });

      await check("before a question", () => ready(page));
      await check("with the list of packs open", () => page.getByText(/^\d+ pages in \d+ packs$/).click());
      await check("with an answer", () => ask(page, "What is photosynthesis?"));
      await check("with a whole page open", async () => {
        await page.getByRole("button", { name: /^\[1\] / }).first().click();
        await page.locator(".page-body").waitFor();
      });
      await check("with the trace open", async () => {
        await page.getByText("How this was found").click();
        await page.getByText("Details").first().click();
      });
      await check("with an answer in two parts and its sources", async () => {
        await openSources(await ask(page, "Compare Roman emperors with Neanderthals"));
      });
      await check("with a question that has no answer", () => ask(page, "Zxqvbn wvutsr qponml?"));
      await check("with a very long word", () => ask(page, "Donaudampfschifffahrtsgesellschaft".repeat(12)));
    });
  }

  test("an error is read out", async () => {
    const { page } = await newPage(browser, { viewport: { width: 360, height: 740 } });
    server.faults.set("/packs-static/catalog.json", missing);
    await page.goto(server.url);
    await page.getByRole("alert").waitFor();
    await assertUsable(page, 360);
    server.faults.clear();
  });
});

async function assertUsable(page, width) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, impact, nodes }) => `${impact}: ${id} at ${nodes.map((node) => node.target.flat().join(" "))}`);
  assert.deepEqual(found, []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "the page scrolls sideways");
}
