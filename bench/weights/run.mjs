// `cargo xtask bench weights [--json] [--mib n]`: what it costs in Chromium to keep a model's weights and to read them.
//
// The build is told in SEEALSO_SITE, the browser in CHROME. Standard output is the report, all rates in bytes a second.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchPersistent } from "../../tests/browser/support/browser.mjs";
import { send, serve } from "../../tests/browser/support/server.mjs";
import { SITE } from "../../tests/browser/support/site.mjs";
import { MIB, downloadIn, entryOf, randomWeights, ranged } from "../../tests/browser/support/weights.mjs";

const { values: options } = parseArgs({ options: { json: { type: "boolean" }, mib: { type: "string", default: "96" } } });
const mib = Number(options.mib);
if (!(Number.isInteger(mib) && mib > 0 && mib % 4 === 0)) {
  throw new Error("--mib takes a multiple of 4");
}

const server = await serve(SITE);
// A profile on the disk: other contexts keep all that they store in memory.
const folder = await mkdtemp(join(tmpdir(), "seealso-bench-weights-"));
const context = await launchPersistent(folder);
try {
  const worker = await readFile(new URL("worker.js", import.meta.url));
  server.faults.set("/bench-worker.js", (response) => send(response, 200, worker));
  const page = await context.newPage();
  await page.goto(server.url);
  const report = { mib, rates: { ...(await page.evaluate(inWorker, mib)), ...(await wholeWay(page)) } };
  console.log(options.json ? JSON.stringify(report, null, 2) : table(report));
} finally {
  await context.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

/** Runs in the page. */
function inWorker(mib) {
  return new Promise((resolve, reject) => {
    const worker = new Worker("/bench-worker.js", { type: "module" });
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
    worker.postMessage(mib);
  });
}

async function wholeWay(page) {
  const weights = randomWeights(mib * MIB, "/models/bench.bin");
  server.faults.set(weights.path, ranged(weights));
  const started = performance.now();
  const { message } = await downloadIn(page, entryOf("bench", weights));
  if (message) {
    throw new Error(message);
  }
  const rate = (weights.bytes.length * 1000) / (performance.now() - started);
  return { "download, check and store": rate, ...(await page.evaluate(inWorker, null)) };
}

function table({ rates }) {
  return Object.entries(rates).map(([name, rate]) => `${name.padEnd(44)} ${String(Math.round(rate / 1e6)).padStart(6)} MB/s`).join("\n");
}
