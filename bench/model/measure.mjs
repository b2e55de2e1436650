// One engine with one model, in a browser of its own: what is timed, and the most memory that it took.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { longPrompt, shortPrompt } from "./models.mjs";
import { serve } from "./server.mjs";

const FLAGS = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];

const here = fileURLToPath(new URL(".", import.meta.url));
/** Greedy tokens whose time is taken. */
const TOKENS = 64;

/** Room for the long prompt and its answer, in tokens. */
const CONTEXT = 2048;

/**
 * Milliseconds and tokens of each pass: `{first_token_ms, short: Pass[], long: Pass?, profile: Pass?, peak_bytes, info}`.
 * @typedef {{text: string, ids: number[]|null, prompt_tokens: number, tokens: number, first_ms: number, rest_ms: number}} Pass
 */
export async function measure(engine, weights, { runs, long, say }) {
  const site = process.env.SEEALSO_SITE || join(here, "../../site");
  const server = await serve({
    "/seealso/": join(site, "seealso"),
    "/wllama/": join(here, "node_modules/@wllama/wllama/esm"),
    "/clients/": join(here, "clients"),
    "/models/": weights.folder,
  });
  const browser = await chromium.launch({ executablePath: process.env.CHROME || "/usr/bin/chromium", args: FLAGS });
  try {
    const page = await (await browser.newContext()).newPage();
    page.on("pageerror", (error) => say(`in the page: ${error}`));
    page.setDefaultTimeout(0);
    await page.goto(server.origin);
    const given = { client: `/clients/${engine}.js`, url: `${server.origin}/models/${weights.file}`, bytes: weights.bytes, context: CONTEXT };
    await page.evaluate(store, given);
    // The page that only downloaded is left: what follows begins as a reader's next visit does.
    await page.goto(`${server.origin}/?again`);
    const pass = (prompt, options = {}) => page.evaluate(ask, { prompt, tokens: TOKENS, ...options });
    const begun = await page.evaluate(firstToken, { ...given, prompt: shortPrompt(0) });
    say(`  first token after ${Math.round(begun.ms)} ms`);
    // One pass that is not counted: compilers warm up.
    await pass(shortPrompt(1));
    const short = [];
    for (let run = 0; run < runs; run++) {
      short.push(await pass(shortPrompt(run + 2)));
      say(`  ${told(short.at(-1))}`);
    }
    const far = long ? await pass(longPrompt(1)) : null;
    if (far) say(`  ${told(far)}`);
    const profile = engine === "seealso" ? await pass(shortPrompt(9), { profile: true }) : null;
    return { info: begun.info, first_token_ms: begun.ms, short, long: far, profile, peak_bytes: await peak(browser) };
  } finally {
    await browser.close();
    server.close();
  }
}

const told = ({ prompt_tokens, first_ms, tokens, rest_ms }) => `${prompt_tokens} tokens read at ${((prompt_tokens / first_ms) * 1000).toFixed(1)}/s, ${tokens} written at ${(((tokens - 1) / rest_ms) * 1000).toFixed(1)}/s`;

/** The most memory that any of the browser's pages ever had resident, in bytes; its libraries are counted. */
async function peak(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  const peaks = renderers.map(async ({ id }) => {
    const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
    return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  });
  return Math.max(0, ...(await Promise.all(peaks)));
}

// What follows runs in the page.

async function store({ client, ...options }) {
  const { store } = await import(client);
  await store(options);
}

async function firstToken({ client, prompt, ...options }) {
  const start = performance.now();
  globalThis.client = await import(client);
  const info = await globalThis.client.load(options);
  let ms = null;
  await globalThis.client.generate(prompt, 1, () => {
    ms ??= performance.now() - start;
  });
  return { ms, info };
}

async function ask({ prompt, tokens, profile }) {
  const start = performance.now();
  let first = null;
  let last = null;
  let text = "";
  const outcome = await globalThis.client.generate(prompt, tokens, (piece) => {
    last = performance.now();
    first ??= last;
    text += piece;
  }, profile);
  return { text, ...outcome, first_ms: first - start, rest_ms: last - first };
}
