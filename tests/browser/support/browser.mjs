// Chromium for the tests: starts it, opens pages, and writes down all that they ask for and say.

import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];

/** Flags for WebGPU on a simulated graphics processor, which is slow and right. */
export const SIMULATED_GPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];

/** How Chromium is to be started, with flags beside the usual ones. */
export function launchOptions(...flags) {
  return { executablePath: process.env.CHROME || "/usr/bin/chromium", args: [...FLAGS, ...flags] };
}

/** Starts Chromium. */
export function launch(...flags) {
  return chromium.launch(launchOptions(...flags));
}

/** Starts Chromium with a profile in a folder, which alone keeps on the disk what pages store. */
export function launchPersistent(folder, ...flags) {
  return chromium.launchPersistentContext(folder, launchOptions(...flags));
}

/**
 * A page on which everything is noted: `requests` (URLs that it or its workers asked for), `said`
 * (console lines and uncaught errors), `dialogs`. `options` are those of Playwright's contexts.
 */
export async function newPage(browser, options = {}) {
  return watched(await browser.newContext(options));
}

/** A page in a context that is there already. */
export async function watched(context) {
  const page = await context.newPage();
  // Whether a browser brings a model along differs from machine to machine; tests that want one script it.
  await page.addInitScript(() => delete globalThis.LanguageModel);
  page.setDefaultTimeout(20_000);
  const notes = { page, context, requests: [], said: [], dialogs: [] };
  // Chromium reports what a dedicated worker asks for with its page's requests.
  page.on("request", (request) => notes.requests.push(request.url()));
  page.on("console", (message) => notes.said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => notes.said.push(`uncaught: ${error.message}`));
  page.on("dialog", (dialog) => {
    notes.dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  return notes;
}
