// `node bench/sites/run.mjs --sites DIR --questions FILE`: built documentation sites, answered by seealso, Pagefind and
// MiniSearch, all in one run on one machine.
//
// Standard output is the report, as tables or with --json as JSON; progress goes to standard error.
//   --sites DIR       the folder of the sites, one folder each; they are copied, and never written to
//   --questions FILE  JSON Lines with id, site, lang, kind, question, gold, also, must_say, as `seealso eval` reads them
//   --bin FILE        the command; by default target/release/seealso
//   --only a,b        only these sites
//   --without a,b     without these of pagefind, minisearch
//   --work DIR        where to work; by default a temporary folder, which is removed at the end

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { copySite } from "./files.mjs";
import { questionsOf, readQuestions } from "./questions.mjs";
import { Anchors } from "./anchors.mjs";
import { minisearch } from "./peers/minisearch.mjs";
import { pagefind } from "./peers/pagefind.mjs";
import { machine, pooled, tables } from "./report.mjs";
import { seealso } from "./seealso.mjs";

const { values: options } = parseArgs({
  options: {
    sites: { type: "string" },
    questions: { type: "string" },
    bin: { type: "string", default: "target/release/seealso" },
    only: { type: "string" },
    without: { type: "string", default: "" },
    work: { type: "string" },
    json: { type: "boolean" },
  },
});
for (const name of ["sites", "questions"]) {
  if (!options[name]) throw new Error(`--${name} is missing; see bench/sites/README.md`);
}

const say = (line) => console.error(`  ${line}`);
const peers = [pagefind, minisearch].filter(({ name }) => !options.without.split(",").includes(name));

async function main() {
  const questions = await readQuestions(options.questions);
  const names = options.only?.split(",") ?? [...new Set(questions.map(({ site }) => site))];
  const known = await readdir(options.sites);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length > 0) throw new Error(`${options.sites} has no folder ${missing.join(", ")}`);
  const work = options.work ?? (await mkdtemp(join(tmpdir(), "seealso-bench-sites-")));
  await mkdir(work, { recursive: true });
  try {
    const sites = [];
    for (const name of names) sites.push(await measure(name, questionsOf(questions, name), work));
    const report = { machine: machine(), sites, pooled: pooled(sites) };
    console.log(options.json ? JSON.stringify(report, null, 2) : tables(report));
  } finally {
    if (!options.work) await rm(work, { recursive: true, force: true });
  }
}

/** One site, imported and asked by each engine. */
async function measure(name, questions, work) {
  const dir = join(work, name);
  await rm(dir, { recursive: true, force: true });
  await copySite(join(options.sites, name), dir);
  // What an earlier run left would not be read again.
  await rm(join(dir, "seealso"), { recursive: true, force: true });
  say(`${name}: seealso`);
  const anchors = new Anchors(dir);
  const own = await seealso(options.bin, dir, questions, join(work, `${name}.questions.jsonl`), anchors);
  await rm(join(dir, "seealso"), { recursive: true, force: true });
  const engines = { seealso: own };
  for (const peer of peers) {
    say(`${name}: ${peer.name}`);
    engines[peer.name] = await peer.measure(dir, questions, join(work, `${name}.${peer.name}`), anchors);
  }
  return { name, engines };
}

await main();
