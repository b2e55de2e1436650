// `cargo xtask bench meaning [--json] -- --transformers DIR --onnx FILE`: search by meaning in Chromium, beside transformers.js,
// over the same chunks of the same packs, with the same questions.
//
// Standard output is the report, as JSON with --json and as a table without; progress goes to standard error.
// The build is told in SEEALSO_SITE (its scripts and wasm) and SEEALSO_BIN (its command), the folder of the sentence encoder in
// SEEALSO_ENCODER, the browser in CHROME.
// Further options: --dynamic FILE  the model with activations of a byte, too;  --work DIR  where packs and vectors are kept for the next run, made anew if not given;  --engines a,b  only
// these;  --runs n  timed runs, 5 if not given;  --cold n  questions asked with an empty cache, 5 if not given.

import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { launch } from "../../tests/browser/support/browser.mjs";
import { serve } from "../search/server.mjs";
import { spread } from "../search/shared.mjs";
import { buildPacks, preparePeer, questions } from "./data.mjs";
import { ENGINES, WEIGHTS } from "./engines.mjs";
import { cold, memory, ranking, warm } from "./measure.mjs";
import { figures, machine, ratios, table } from "./report.mjs";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean" },
    transformers: { type: "string" },
    onnx: { type: "string" },
    dynamic: { type: "string" },
    work: { type: "string" },
    engines: { type: "string" },
    runs: { type: "string", default: "5" },
    cold: { type: "string", default: "5" },
  },
});

/** Milliseconds by which the server is late from which rounds are counted. */
const FAR = 50;

const say = (line) => console.error(`  ${line}`);

function wholeNumber(name) {
  const number = Number(options[name]);
  if (!(Number.isInteger(number) && number > 0)) throw new Error(`--${name} takes a whole number above 0`);
  return number;
}

/** The engines to measure. Those without a file of their weights are left out. */
function chosenEngines() {
  const names = options.engines?.split(",") ?? Object.keys(ENGINES);
  const unknown = names.find((name) => !ENGINES[name]);
  if (unknown) throw new Error(`--engines takes a list of: ${Object.keys(ENGINES).join(", ")}`);
  return names.filter((name) => !ENGINES[name].weights || options[WEIGHTS[ENGINES[name].weights]]);
}

/** The folder of an npm package that was installed beside or below the folder that --transformers names. */
function packageFolder(name) {
  const folder = join(resolve(options.transformers), "node_modules", name);
  if (!existsSync(folder)) throw new Error(`${folder} is missing; run \`npm install @huggingface/transformers\` in ${options.transformers}`);
  return folder;
}

async function assertThere() {
  for (const name of ["transformers", "onnx"]) {
    if (!options[name]) throw new Error(`--${name} is missing; README.md beside this file says where to get it`);
    await access(options[name]);
  }
  for (const name of ["SEEALSO_SITE", "SEEALSO_BIN", "SEEALSO_ENCODER"]) {
    if (!process.env[name]) throw new Error(`${name} is not set; README.md beside this file says what it names`);
    await access(process.env[name]);
  }
}

async function main() {
  await assertThere();
  const [names, runs, asked] = [chosenEngines(), wholeNumber("runs"), questions()];
  const work = options.work ? resolve(options.work) : await mkdtemp(join(tmpdir(), "seealso-bench-meaning-"));
  const closing = [() => options.work || rm(work, { recursive: true, force: true })];
  try {
    await buildPacks(join(work, "packs"), say);
    await prepareEach(names, work);
    const servers = await start(work);
    closing.push(() => Object.values(servers).forEach((server) => server.close()));
    const browser = await launch();
    closing.push(() => browser.close());
    const measured = await measureAll(browser, servers, names, asked, runs);
    const report = { ...measured, runs, questions: asked.length, versions: await versions(), machine: machine(browser) };
    console.log(options.json ? JSON.stringify(report, null, 2) : table(report));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** What the peers among the engines need. */
async function prepareEach(names, work) {
  const [packs, library] = [join(work, "packs"), packageFolder("@huggingface/transformers")];
  for (const weights of new Set(names.flatMap((name) => ENGINES[name].weights ?? []))) {
    await preparePeer(join(work, "transformers-data", weights), weights, { onnx: options[WEIGHTS[weights]], packs, library, say });
  }
}

async function start(work) {
  const mounts = {
    "/clients/": fileURLToPath(new URL("clients", import.meta.url)),
    "/seealso/": join(process.env.SEEALSO_SITE, "seealso"),
    "/packs/": join(work, "packs"),
    "/transformers/": join(packageFolder("@huggingface/transformers"), "dist"),
    "/onnxruntime/": join(packageFolder("onnxruntime-web"), "dist"),
    "/transformers-data/": join(work, "transformers-data"),
  };
  return {
    plain: await serve(mounts, { compress: false }),
    gzip: await serve(mounts, { compress: true }),
    far: await serve(mounts, { compress: false, delay: FAR }),
  };
}

/** Engines take turns within a run, so that a slow moment of the machine falls on all of them. */
async function measureAll(browser, servers, names, asked, runs) {
  const times = new Map(names.map((name) => [name, []]));
  const coldQuestions = spread(asked, wholeNumber("cold"));
  const engines = {};
  for (const name of names) {
    say(`${name}: first result, and ranking`);
    // The server reads and packs its files once, which no visit is to wait for.
    await cold(browser, servers, ENGINES[name], coldQuestions.slice(0, 1));
    const first = await cold(browser, servers, ENGINES[name], coldQuestions);
    const ranked = await ranking(browser, servers.plain, ENGINES[name], asked);
    say(`  ${Math.round(first.cold_ms)} ms, ${first.gzip_bytes.all} bytes, MRR ${ranked.mrr}`);
    engines[name] = { first, ranked, memory: await memory(servers.plain, ENGINES[name], asked[0].question) };
  }
  for (let run = 1; run <= runs; run += 1) {
    say(`timed run ${run} of ${runs}`);
    for (const name of names) {
      times.get(name).push(await warm(browser, servers.plain, ENGINES[name], asked));
      say(`  ${name}: ${times.get(name).at(-1).question.p50.toFixed(1)} ms`);
    }
  }
  const done = Object.fromEntries(names.map((name) => [name, figures(engines[name], times.get(name))]));
  return { empty_page_bytes: await memory(servers.plain), engines: done, ratios: ratios(done) };
}

async function versions() {
  const of = async (name) => JSON.parse(await readFile(join(packageFolder(name), "package.json"), "utf8")).version;
  return { transformers: await of("@huggingface/transformers"), onnxruntime: await of("onnxruntime-web") };
}

await main();
