// seealso: `seealso site`, `seealso eval` and `seealso bench` on one site, and a check of every link that it would show.

import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { readdir } from "node:fs/promises";

import { htmlFiles, run } from "./files.mjs";

export async function seealso(bin, dir, questions, file, anchors) {
  const files = (await htmlFiles(dir)).length;
  const report = JSON.parse((await run(bin, ["site", dir, "--json"])).text);
  const again = JSON.parse((await run(bin, ["site", dir, "--json"])).text);
  const packs = join(dir, "seealso");
  await writeFile(file, questions.map((question) => JSON.stringify(question)).join("\n"));
  const figures = JSON.parse((await run(bin, ["eval", file, "--packs", packs, "--json"])).text);
  const cost = JSON.parse((await run(bin, ["bench", file, "--packs", packs, "--runs", "1", "--json"])).text);
  const { answerable, kinds } = figures;
  return {
    files,
    pages: report.pages,
    parts: report.parts,
    sections: report.sections,
    skipped: report.skipped,
    seconds: report.seconds,
    phases: report.phases,
    again_seconds: again.seconds,
    files_per_second: files / report.seconds,
    peak_bytes: report.peak_bytes,
    index_bytes: report.index_bytes,
    index_bytes_per_page: report.index_bytes / report.pages,
    cold_bytes: cost.cold.bytes.p50,
    cold_requests: cost.cold.requests.p50,
    answerable: answerable.n,
    page: measures(answerable, ""),
    section: measures(answerable, "section_"),
    says_at_600: shares(kinds, ["single", "identifier"], "says_at_600"),
    lead: figures.lead,
    density: figures.density,
    refused: shares(kinds, ["unanswerable"], "empty_on_unanswerable"),
    wrongly_refused: { n: answerable.n, count: Math.round(answerable.empty_on_answerable * answerable.n) },
    links: await checkLinks(packs, anchors),
  };
}

function measures(figures, prefix) {
  return Object.fromEntries(["hit_at_1", "hit_at_5", "mrr"].map((key) => [key, figures[`${prefix}${key}`]]));
}

/** How many questions of these kinds a figure holds for, and of how many. */
function shares(kinds, names, key) {
  const of = names.map((name) => kinds[name]).filter(Boolean);
  const count = of.reduce((sum, figures) => sum + Math.round((figures[key] ?? 0) * figures.n), 0);
  return { n: of.reduce((sum, { n }) => sum + n, 0), count };
}

/** How many of the places that the packs' files and headings stand for are there on the site. */
async function checkLinks(packs, anchors) {
  const entries = await readdir(packs, { recursive: true, withFileTypes: true });
  const broken = [];
  let count = 0;
  for (const entry of entries.filter((entry) => entry.isFile() && entry.name.endsWith(".md"))) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const inside = relative(packs, path).split("/wiki/")[1];
    if (inside === undefined) continue;
    const [address, place = ""] = inside.slice(0, -".md".length).split("~~");
    const ids = [unescaped(place), ...headings(await readFile(path, "utf8"))];
    for (const id of ids.filter((id) => !id.startsWith("."))) {
      count += 1;
      if (!anchors.has(unescaped(address), id)) broken.push(`${address}#${id}`);
    }
  }
  return { count, broken };
}

/** The ids that headings outside of code name. */
function headings(text) {
  const outside = text.replace(/^(`{3,})[^]*?^\1\s*$/gm, "");
  return [...outside.matchAll(/^#{1,6} .*\{#([^}\s]+)\}$/gm)].map(([, id]) => id);
}

/** A name as it is without the escapes of a pack's file names. */
function unescaped(name) {
  const bytes = name.replace(/%/g, "%25").replace(/~([0-9a-f]{2})/g, "%$1");
  return decodeURIComponent(bytes);
}
