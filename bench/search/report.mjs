// The report: the machine, the figures of an engine put together, ratios, and the table for people.

import { readFileSync } from "node:fs";
import { cpus, loadavg, platform, release, totalmem } from "node:os";

import { TYPO } from "./engines.mjs";
import { median, round } from "./figures.mjs";

const RATIO_KEYS = [
  "index_bytes_per_page",
  "index_gzip_bytes_per_page",
  "load_ms",
  "cold_bytes",
  "cold_gzip_bytes",
  "cold_requests",
  "cold_rounds",
  "cold_ms",
  "warm_p50_ms",
  "warm_p95_ms",
  "engine_gzip_bytes",
  "hit_at_1",
  "hit_at_5",
  "mrr",
  "all_gold_at_12",
];

/** What the numbers were taken on. */
export function machine(browser) {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    load_average: round(loadavg()[0], 1),
    system: `${platform()} ${release()}`,
    node: process.version,
    chromium: browser.version(),
  };
}

/** The versions of the compared packages. */
export function versions(engines) {
  const versioned = engines.filter((engine) => engine.package || engine.version);
  return Object.fromEntries(
    versioned.map((engine) => {
      if (engine.version) return [engine.name, engine.version];
      const file = new URL(`node_modules/${engine.package}/package.json`, import.meta.url);
      return [engine.name, JSON.parse(readFileSync(file, "utf8")).version];
    }),
  );
}

/**
 * One engine's figures: sizes, cold figures, medians over the timed runs, quality; the same of its variants, of which
 * misspelt questions are not timed.
 */
export function figures(size, cold, runs, ranked) {
  const time = (variant, key) => round(median(runs.map(({ warm }) => warm[variant][key])), 3);
  const times = (variant) => ({ warm_p50_ms: time(variant, "p50"), warm_p95_ms: time(variant, "p95") });
  const ofVariant = (variant) => ({ ...(runs[0].warm[variant] && times(variant)), ...ranked[variant] });
  const typing = (key) => round(median(runs.map((run) => run.typing[key])), 3);
  const variants = Object.keys(ranked).filter((name) => name !== "main");
  return {
    ...size,
    load_ms: round(median(runs.map(({ loadMs }) => loadMs)), 2),
    ...cold,
    cold_ms: round(cold.cold_ms, 2),
    ...ofVariant("main"),
    ...(runs[0].typing && {
      typing_p50_ms: typing("p50"),
      typing_p95_ms: typing("p95"),
      typing_worst_ms: typing("worst"),
    }),
    typo_mrr_loss: round(ranked.main.mrr - ranked[TYPO].mrr, 4),
    ...(variants.length > 0 && {
      variants: Object.fromEntries(variants.map((name) => [name, ofVariant(name)])),
    }),
  };
}

/** The peers' figures over seealso's: above 1, the peer's number is the larger one. */
export function ratios(engines) {
  const { seealso: own, ...peers } = engines;
  if (!own) return {};
  const ratio = (peer, key) => (own[key] > 0 ? round(peer[key] / own[key], 3) : null);
  const all = (peer) => Object.fromEntries(RATIO_KEYS.map((key) => [key, ratio(peer, key)]));
  return Object.fromEntries(Object.entries(peers).map(([name, peer]) => [name, all(peer)]));
}

const COLUMNS = [
  ["index B/page", "index_bytes_per_page"],
  ["gzip B/page", "index_gzip_bytes_per_page"],
  ["load ms", "load_ms"],
  ["cold bytes", "cold_bytes"],
  ["cold gzip", "cold_gzip_bytes"],
  ["cold req", "cold_requests"],
  ["rounds", "cold_rounds"],
  ["cold ms", "cold_ms"],
  ["no result", "cold_without_results"],
  ["warm p50 ms", "warm_p50_ms"],
  ["warm p95 ms", "warm_p95_ms"],
  ["code gzip", "engine_gzip_bytes"],
  ["hit@1", "hit_at_1"],
  ["hit@5", "hit_at_5"],
  ["MRR", "mrr"],
  ["all gold@12", "all_gold_at_12"],
];

/** The report as text: a Markdown table a corpus. */
export function table({ corpora, runs, machine: { cpu, cores, chromium } }) {
  const parts = Object.entries(corpora).map(([name, corpus]) => {
    const head = `\n${name}: ${corpus.pages} pages, ${corpus.questions} questions\n`;
    return [head, ...tableLines(rowsOf(corpus.engines))].join("\n");
  });
  const foot = [
    `\nLoad and warm: medians of ${runs} runs. Cold: medians over a few questions, one visit each, bytes and requests of the`,
    'index alone; "no result" says how many of them found nothing. Misspelt questions are not timed.',
    `${cpu}, ${cores} cores, Chromium ${chromium}.`,
  ];
  return [...parts, ...foot].join("\n");
}

function rowsOf(engines) {
  return Object.entries(engines).flatMap(([name, engine]) => [
    [name, engine],
    ...Object.entries(engine.variants ?? {}).map(([variant, figures]) => [`${name}, ${variant}`, figures]),
    ...(engine.pipeline ? [[`${name}, whole pipeline`, engine.pipeline]] : []),
  ]);
}

function tableLines(rows) {
  const cells = (figures) => COLUMNS.map(([, key]) => figures[key]?.toLocaleString("en-GB") ?? "");
  const lines = [["engine", ...COLUMNS.map(([title]) => title)], ...rows.map(([name, row]) => [name, ...cells(row)])];
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const text = lines.map((line) => `| ${line.map((cell, at) => padded(cell, widths[at], at > 0)).join(" | ")} |`);
  const rule = `|${widths.map((width, at) => "-".repeat(width + 1) + (at > 0 ? ":" : "-")).join("|")}|`;
  return [text[0], rule, ...text.slice(1)];
}

function padded(cell, width, right) {
  return right ? cell.padStart(width) : cell.padEnd(width);
}
