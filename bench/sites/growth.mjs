// `node bench/sites/growth.mjs --site DIR`: how the cost of importing a site, and of a question, grows with its pages.
//
// The site is repeated until it has the wanted number of HTML files. Every paragraph of a copy names the copy, or all copies
// would be skipped as duplicates.
//   --site DIR      the site; it is not written to
//   --files a,b     numbers of HTML files; by default 1000,5000,10000,20000
//   --questions F   JSON Lines or text, for the cost of a question
//   --bin FILE      the command; by default target/release/seealso
//   --work DIR      where to work; by default a temporary folder, which is removed at the end
//   --pagefind      time Pagefind too

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { htmlFiles, run } from "./files.mjs";
import { machine, table } from "./report.mjs";

const { values: options } = parseArgs({
  options: {
    site: { type: "string" },
    files: { type: "string", default: "1000,5000,10000,20000" },
    questions: { type: "string" },
    bin: { type: "string", default: "target/release/seealso" },
    work: { type: "string" },
    pagefind: { type: "boolean" },
    json: { type: "boolean" },
  },
});
if (!options.site) throw new Error("--site is missing; see bench/sites/README.md");

const PAGEFIND = fileURLToPath(new URL("./node_modules/.bin/pagefind", import.meta.url));

async function main() {
  const work = options.work ?? (await mkdtemp(join(tmpdir(), "seealso-bench-growth-")));
  try {
    const rows = [];
    for (const count of options.files.split(",").map(Number)) rows.push(await measure(count, join(work, "site")));
    console.log(options.json ? JSON.stringify({ machine: machine(), rows }, null, 2) : shown(rows));
  } finally {
    if (!options.work) await rm(work, { recursive: true, force: true });
  }
}

async function measure(count, dir) {
  await rm(dir, { recursive: true, force: true });
  await repeat(count, dir);
  console.error(`  ${count} files`);
  const report = JSON.parse((await run(options.bin, ["site", dir, "--json"])).text);
  const cost = options.questions && (await costOf(join(dir, "seealso")));
  await rm(join(dir, "seealso"), { recursive: true, force: true });
  const pagefind = options.pagefind && (await run(PAGEFIND, ["--site", dir, "--output-path", `${dir}-pagefind`]));
  await rm(`${dir}-pagefind`, { recursive: true, force: true });
  return {
    files: count,
    pages: report.pages,
    parts: report.parts,
    seconds: report.seconds,
    phases: report.phases,
    files_per_second: count / report.seconds,
    peak_bytes: report.peak_bytes,
    index_bytes_per_page: report.index_bytes / report.pages,
    cold_bytes: cost?.cold.bytes.p50,
    cold_requests: cost?.cold.requests.p50,
    pagefind_seconds: pagefind?.seconds,
  };
}

async function costOf(packs) {
  return JSON.parse((await run(options.bin, ["bench", options.questions, "--packs", packs, "--runs", "1", "--json"])).text);
}

/** Writes `count` HTML files: the site's, each copy in a folder of its own. */
async function repeat(count, dir) {
  const files = await htmlFiles(options.site);
  for (let at = 0; at < count; at += 1) {
    const [copy, file] = [Math.floor(at / files.length), files[at % files.length]];
    const html = await readFile(join(options.site, file), "utf8");
    const to = join(dir, `copy-${copy}`, file);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, html.replace(/<p\b[^>]*>/gi, (tag) => `${tag}Copy ${copy}: `));
  }
}

function shown(rows) {
  const head = ["HTML files", "pages", "parts", "s", "read", "divide", "index", "files a second", "peak MB",
    "index bytes a page", "cold KB", "cold requests", "Pagefind s"];
  const number = (value, digits = 0) => (value === undefined || value === false ? "-" : value.toFixed(digits));
  const cells = (row) => [
    row.files, row.pages, row.parts, number(row.seconds, 1),
    ...["read", "divide", "index"].map((phase) => number(row.phases[phase], 1)),
    number(row.files_per_second), number(row.peak_bytes / 1e6), number(row.index_bytes_per_page),
    number(row.cold_bytes && row.cold_bytes / 1000), row.cold_requests ?? "-", number(row.pagefind_seconds, 1),
  ];
  return table("Growth", head, rows.map(cells));
}

await main();
