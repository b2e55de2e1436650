// What a reader does on a page with the element, and what the reader then sees there.

/** The question of two domains that the demo packs answer. */
export const TWO_DOMAINS = "How do I run an MCP server in a Docker container?";

/** The box to ask in. */
export function box(page) {
  return page.getByLabel("Your question", { exact: true });
}

/** Types a question, presses Enter, and waits for its answer or its error. */
export async function ask(page, question) {
  await box(page).fill(question);
  await box(page).press("Enter");
  // Turns of earlier visits may still come to stand above it.
  const name = await page.getByRole("article").last().getAttribute("aria-labelledby");
  return answered(page.locator(`article[aria-labelledby="${name}"]`));
}

/** The turn at that place, once it shows an answer or an error. */
export function settled(page, place = 0) {
  return answered(page.getByRole("article").nth(place));
}

async function answered(turn) {
  await turn.locator(".answer, .error, .stopped").first().waitFor({ state: "attached" });
  return turn;
}

/** The question that the page's address names; null where it names none. */
export function questionInAddress(page) {
  return new URLSearchParams(new URL(page.url()).hash.slice(1)).get("q");
}

/** Waits until the packs are open. */
export async function ready(page) {
  await page.getByText(/^\d+ pages? in \d+ packs?$/).waitFor();
}

/** The answer that is quoted from pages, wherever it stands by now. */
export function quotedAnswer(turn) {
  return turn.locator(".answer:not([data-status=deliberated])");
}

/** What a turn answers: its words, and the paths of its sources, all and cited. */
export async function read(turn) {
  const paths = (sources) => sources.locator(".path").allTextContents();
  const sources = turn.locator(".source");
  return {
    text: await quotedAnswer(turn).innerText(),
    citations: await quotedAnswer(turn).locator(".cite").count(),
    sources: await paths(sources),
    cited: await paths(sources.filter({ has: turn.page().locator(".badge", { hasText: /^cited$/ }) })),
  };
}

/** The packs that paths such as "containers/concepts/docker.md" lie in, each once. */
export function packs(paths) {
  return [...new Set(paths.map((path) => path.slice(0, path.indexOf("/concepts/"))))].sort();
}

/** Opens the Sources panel of a turn. */
export async function openSources(turn) {
  await turn.getByText(/^Sources \(\d+\)$/).click();
}
