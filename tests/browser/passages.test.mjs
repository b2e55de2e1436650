// A quoted passage looks like what it is on its page: steps keep their numbers, code its block, a row its heads, and what
// is left out is marked. Following its one citation marks all of it in the page.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ask } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";
import { copySite, temporary, writePack } from "./support/site.mjs";

const BAYS = Array.from({ length: 39 }, (_, at) => `- Shelf ${at + 1} of the zorrilla house holds the brushes of row ${at + 1}.`);

const PAGE = `---
title: Zorrilla house
summary: Where zorrillas are kept.
---

# Zorrilla house

A zorrilla house stands in the shade.

## Lining

To line a zorrilla house:

3. Lay straw on the floor. Dry straw is best.
4. Fold these over it:
   - the tarpaulin
   - the net

## Hatch

To open the hatch of a zorrilla house, run:

\`\`\`
zorrilla --hatch
\`\`\`

## Food

| Feed | Summer | Winter |
|---|---|---|
| Egg | one a day | two a day |
| Eggs of ducks | one a day | two a day for each |
| Beetles | a handful | none |

## Shelves

A zorrilla house has these shelves:

${BAYS.join("\n")}
`;

describe("passages", () => {
  let browser, home, server;

  before(async () => {
    home = await temporary();
    const site = await copySite(home.folder);
    await writePack(join(site, "packs-static"), "zorrillas", { "zorrilla-house.md": PAGE });
    [browser, server] = await Promise.all([launch(), serve(site)]);
  });

  after(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await home.remove();
  });

  /** The first passage's elements: the name, the number of an item, and the text of each. */
  const asked = async (question) => {
    const { page } = await newPage(browser);
    await page.goto(server.url);
    const turn = await ask(page, question);
    const shown = await turn.locator(".answer .part > *").evaluateAll((elements) => {
      const end = elements.findIndex((element) => element.querySelector(".cite"));
      return elements.slice(0, end + 1).flatMap((element) =>
        element.matches("ul, ol")
          ? [...element.querySelectorAll("li")].map((item) =>
            [item.parentElement.localName, item.getAttribute("value"), item.innerText.split("\n")[0]])
          : [[element.localName, null, element.innerText]]);
    });
    return { turn, shown };
  };

  test("of steps are a list with the page's numbers", async () => {
    const { turn, shown } = await asked("How do I line a zorrilla house?");
    assert.deepEqual(shown, [
      ["p", null, "To line a zorrilla house:"],
      ["ol", "3", "Lay straw on the floor. Dry straw is best."],
      ["ol", "4", "Fold these over it:"],
      ["ul", null, "the tarpaulin"],
      ["ul", null, "the net[1]"],
    ]);
    await turn.locator(".cite").first().click();
    const marked = turn.locator(".page-body .marked");
    await marked.first().waitFor();
    const firstLines = (await marked.allInnerTexts()).map((text) => text.split("\n")[0]);
    assert.deepEqual(firstLines, [
      "To line a zorrilla house:",
      "Lay straw on the floor. Dry straw is best.",
      "Fold these over it:",
      "the tarpaulin",
      "the net",
    ]);
  });

  test("of code are a block that the keyboard reaches", async () => {
    const { turn, shown } = await asked("How do I open the hatch of a zorrilla house?");
    assert.deepEqual(shown, [["p", null, "To open the hatch of a zorrilla house, run:[1]"]]);
    const code = turn.locator(".answer pre").first();
    assert.equal(await code.innerText(), "zorrilla --hatch");
    assert.equal(await code.getAttribute("tabindex"), "0");
  });

  test("of a table are its row, which is marked in the page", async () => {
    const { turn, shown } = await asked("How many eggs does the zorrilla house feed in winter?");
    assert.deepEqual(shown, [["p", null, "Egg — Summer: one a day; Winter: two a day[1]"]]);
    await turn.locator(".cite").first().click();
    const marked = turn.locator(".page-body tr.marked");
    await marked.first().waitFor();
    assert.equal(await marked.locator("td").first().innerText(), "Egg");
  });

  test("of a long list say that it goes on", async () => {
    const { shown } = await asked("Which brushes does shelf 7 of the zorrilla house hold?");
    assert.deepEqual(shown, [
      ["p", null, "A zorrilla house has these shelves:"],
      ["ul", null, "… Shelf 7 of the zorrilla house holds the brushes of row 7. …[1]"],
    ]);
  });
});
