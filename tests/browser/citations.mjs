// Whether citations lead to their headings on sites that real generators built, for `cargo xtask sites`: each site is served, a
// page of it is opened in Chromium, a question is asked there, and the first citation is followed.
//
//     node tests/browser/citations.mjs FOLDER...
//
// Prints a line of JSON a site: { folder, problem }, where `problem` is null if the heading is in view.

import { launch, newPage } from "./support/browser.mjs";
import { ask } from "./support/chat.mjs";
import { serve } from "./support/server.mjs";

const QUESTION = "Which command closes the lid of the teapot?";

/** The id of the heading under which the answer stands. */
const HEADING = "brewing";

const browser = await launch();
try {
  for (const folder of process.argv.slice(2)) {
    const server = await serve(folder);
    const problem = await problemOf(server.url).catch((error) => error.message.split("\n")[0]);
    console.log(JSON.stringify({ folder, problem }));
    await server.close();
  }
} finally {
  await browser.close();
}

/** What keeps a reader of the site from reading what was cited; null for nothing. */
async function problemOf(url) {
  const { page, context } = await newPage(browser);
  // Pages of real generators load much, and the machine may have other work.
  page.setDefaultTimeout(90_000);
  try {
    await page.goto(url);
    const turn = await ask(page, QUESTION);
    const citation = turn.locator("a.cite").first();
    const href = await citation.evaluate((link) => link.href);
    if (!href.endsWith(`#${HEADING}`)) {
      return `the citation leads to ${href}`;
    }
    await citation.click();
    await page.waitForURL(href);
    const heading = page.locator(`#${HEADING}`);
    await heading.waitFor();
    // Scrolling may be smooth: the heading is waited for, at most as long as for anything else.
    await page.waitForFunction((id) => {
      const { top, bottom } = document.getElementById(id).getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    }, HEADING);
    return null;
  } finally {
    await context.close();
  }
}
