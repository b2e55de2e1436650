// seealso: `seealso site`, `seealso eval` and `seealso bench` on one site, and a check of every link that it would show.

import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { readdir } from "node:fs/promises";

import { placeOnSite } from "../../www/seealso/place.js";
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
    links: await checkLinks(bin, packs, questions, anchors),
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

/**
 * How many of the places that readers are sent to are there on the site: by results and sources, which open where a pack's
 * file begins, by the citation of any section, and by all links of the answers to the questions.
 */
async function checkLinks(bin, packs, questions, anchors) {
  const places = [...(await placesOfFiles(packs)), ...(await placesOfAnswers(bin, packs, questions))];
  const broken = places.filter(({ address, id }) => !anchors.has(address, id)).map(({ address, id }) => `${address}#${id}`);
  return { count: places.length, broken };
}

/** Where results, sources and citations of each file of the packs lead. */
async function placesOfFiles(packs) {
  const entries = await readdir(packs, { recursive: true, withFileTypes: true });
  const places = [];
  for (const entry of entries.filter((entry) => entry.isFile() && entry.name.endsWith(".md"))) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const inside = relative(packs, path).split("/wiki/").slice(1).join("/wiki/");
    if (!inside) continue;
    const [address, start = ""] = inside.slice(0, -".md".length).split("~~").map(unescaped);
    // A section without an id of its own is opened at the one before it, and the first ones where the file begins.
    let id = start;
    places.push({ address, id });
    for (const stated of headings(await readFile(path, "utf8"))) {
      id = stated || id;
      places.push({ address, id });
    }
  }
  return places;
}

/** Where the answers to the questions lead: each source, and each citation as the element makes it. */
async function placesOfAnswers(bin, packs, questions) {
  const places = [];
  for (const { question } of questions) {
    const { text } = await run(bin, ["ask", question, "--packs", packs, "--json"], [0, 4]);
    const { sources, sentences } = JSON.parse(text);
    const cited = sentences.map(({ source, anchor }) => placeOnSite(sources[source - 1].url, anchor));
    places.push(...[...sources.map(({ url }) => url), ...cited].map(placeOf));
  }
  return places;
}

/** The page and the id that a link from the packs root leads to. */
function placeOf(url) {
  const [path, id = ""] = url.split("#");
  return { address: decodeURIComponent(path).replace(/^\.\.\//, ""), id };
}

/** The ids of the headings outside of code, in order; empty for one that states none. */
function headings(text) {
  const outside = text.replace(/^(`{3,})[^]*?^\1\s*$/gm, "");
  return [...outside.matchAll(/^#{1,6} .*?(?:\{#([^}\s]+)\})?$/gm)].map(([, id]) => id ?? "");
}

/** A name as it is without the escapes of a pack's file names. */
function unescaped(name) {
  const bytes = name.replace(/%/g, "%25").replace(/~\//g, "").replace(/~([0-9A-F]{2})/g, "%$1");
  return decodeURIComponent(bytes);
}
