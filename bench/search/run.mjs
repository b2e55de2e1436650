// `cargo xtask bench search [--json]`: seealso beside other search engines for static sites, in Chromium.
//
// Standard output is the report, as JSON with --json and as a table without; progress goes to standard error.
// The build is told in SEEALSO_SITE (its scripts and wasm), SEEALSO_BIN (its command) and CHROME.
// Further options: --engines a,b  only these;  --corpora a,b  only these, see corpora.mjs;  --runs n  timed runs, 5 if not
// given;  --cold n  only the first n of the questions asked with an empty cache;  --keep  leave the built indexes.

import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { launch } from "./browser.mjs";
import { bundleClients } from "./bundle.mjs";
import { corpora } from "./corpora.mjs";
import { ENGINES } from "./engines.mjs";
import { cold, indexSize, ranking, timedRun } from "./measure.mjs";
import { figures, machine, ratios, table, versions } from "./report.mjs";
import { serve } from "./server.mjs";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean" },
    engines: { type: "string" },
    corpora: { type: "string" },
    cold: { type: "string" },
    runs: { type: "string", default: "5" },
    keep: { type: "boolean" },
  },
});

const timedRuns = wholeNumber("runs");
const coldQuestions = options.cold === undefined ? Infinity : wholeNumber("cold");

function wholeNumber(name) {
  const number = Number(options[name]);
  if (!(Number.isInteger(number) && number > 0)) throw new Error(`--${name} takes a whole number above 0`);
  return number;
}

/** Milliseconds by which the server is late from which rounds are counted. */
const FAR = 50;

const say = (line) => console.error(`  ${line}`);

async function main() {
  const engines = await chosenEngines();
  const work = await mkdtemp(join(tmpdir(), "seealso-bench-search-"));
  const closing = [() => options.keep || rm(work, { recursive: true, force: true })];
  try {
    const list = corpora(options.corpora?.split(","), work, say);
    for (const corpus of list) corpus.cold.splice(coldQuestions);
    await buildAll(engines, list, work);
    const servers = await start(work, list);
    closing.push(() => Object.values(servers).forEach((server) => server.close()));
    const browser = await launch();
    closing.push(() => browser.close());
    const report = await measureAll(browser, servers, engines, list, work);
    console.log(options.json ? JSON.stringify(report, null, 2) : table(report));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** The engines to measure; seealso needs a build. */
async function chosenEngines() {
  const names = options.engines?.split(",");
  const chosen = ENGINES.filter(({ name }) => !names || names.includes(name));
  if (chosen.length !== (names ?? ENGINES).length) {
    throw new Error(`--engines takes a list of: ${ENGINES.map(({ name }) => name).join(", ")}`);
  }
  if (chosen.some(({ needsBuild }) => needsBuild)) await assertBuild();
  const there = [];
  for (const engine of chosen) {
    if ((await engine.isThere?.()) ?? true) there.push(engine);
    else say(`${engine.name}: not in this build, left out`);
  }
  return there;
}

/** Those of the engines that can index the corpus. */
function able(engines, corpus) {
  const those = corpus.rows ? engines.filter(({ takesRows }) => takesRows) : engines;
  if (those.length === 0) throw new Error(`${corpus.name}: none of the chosen engines can index it; name seealso among them`);
  return those;
}

async function assertBuild() {
  for (const name of ["SEEALSO_SITE", "SEEALSO_BIN"]) {
    const path = process.env[name];
    if (!path) throw new Error(`${name} is not set; run \`cargo xtask bench search\`, which builds and sets it`);
    await access(path);
  }
}

async function buildAll(engines, list, work) {
  await bundleClients(engines, join(work, "clients"));
  for (const corpus of list) {
    say(`${corpus.name}: ${corpus.size} pages, ${corpus.questions.length} questions with an answer`);
    for (const engine of able(engines, corpus)) {
      const dir = join(work, corpus.name, engine.name);
      await mkdir(dir, { recursive: true });
      say(`${corpus.name}: building ${engine.name}`);
      await engine.build(corpus, dir);
    }
  }
}

/** The servers, of the built indexes, the clients, and seealso's scripts as they ship. */
async function start(work, list) {
  const mounts = { "/clients/": join(work, "clients") };
  for (const { name } of list) mounts[`/${name}/`] = join(work, name);
  mounts["/sqlite-code/"] = fileURLToPath(new URL("node_modules/@sqlite.org/sqlite-wasm/dist", import.meta.url));
  if (process.env.SEEALSO_SITE) mounts["/seealso-code/"] = join(process.env.SEEALSO_SITE, "seealso");
  return {
    plain: await serve(mounts, { compress: false }),
    gzip: await serve(mounts, { compress: true }),
    far: await serve(mounts, { compress: false, delay: FAR }),
  };
}

async function measureAll(browser, servers, engines, list, work) {
  const report = { corpora: {}, runs: timedRuns, machine: machine(browser), versions: versions(engines) };
  for (const corpus of list) {
    const measured = await measureCorpus(browser, servers, able(engines, corpus), corpus, work);
    report.corpora[corpus.name] = {
      pages: corpus.size,
      questions: corpus.questions.length,
      engines: measured,
      ratios: ratios(measured),
    };
  }
  return report;
}

/** Engines take turns within a run, so that a slow moment of the machine falls on all of them. */
async function measureCorpus(browser, servers, engines, corpus, work) {
  const runs = new Map(engines.map((engine) => [engine, []]));
  for (let run = 1; run <= timedRuns; run += 1) {
    say(`${corpus.name}: timed run ${run} of ${timedRuns}`);
    for (const engine of engines) runs.get(engine).push(await timedRun(browser, servers.plain, engine, corpus));
  }
  const measured = {};
  for (const engine of engines) {
    say(`${corpus.name}: bytes and ranking of ${engine.name}`);
    const dir = join(work, corpus.name, engine.name);
    const size = await indexSize(engine, dir, corpus.size);
    const bytes = await cold(browser, servers, engine, corpus);
    const ranked = await ranking(browser, servers.plain, engine, corpus);
    // Rows have no pages that the pipeline could read.
    const pipeline = corpus.rows ? undefined : await engine.evaluate?.(dir, await questionsFile(corpus, work));
    measured[engine.name] = { ...figures(size, bytes, runs.get(engine), ranked), ...(pipeline && { pipeline }) };
  }
  return measured;
}

/** A file of all questions of the corpus, those without an answer too. */
async function questionsFile(corpus, work) {
  const path = join(work, `${corpus.name}-questions.jsonl`);
  await writeFile(path, corpus.all.map((question) => `${JSON.stringify(question)}\n`).join(""));
  return path;
}

await main();
