// The report: the figures of an engine put together, ratios, the machine, and the table for people.

import { cpus, loadavg, totalmem } from "node:os";

import { median, round } from "../search/figures.mjs";
import { ENGINES } from "./engines.mjs";

/** The connection for which seconds are computed: bits a second, and milliseconds of a round. */
const SLOW = { bits: 1.6e6, round: 150 };

/** What the numbers were taken on; the load is that of the last minute and of the last quarter of an hour. */
export function machine(browser) {
  const [minute, , quarter] = loadavg();
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown", cores: cpus().length, memory_gib: Math.round(totalmem() / 2 ** 30),
    load_average: round(minute, 1), load_average_quarter: round(quarter, 1), node: process.version, chromium: browser.version(),
  };
}

/** One engine's figures. `slow_s` is computed: what is transferred, and the rounds. */
export function figures({ first, ranked, memory }, runs) {
  const over = (of, key) => round(median(runs.map((run) => run[of][key])), 2);
  const transfer = (first.gzip_bytes.all * 8) / SLOW.bits;
  return {
    ...first,
    cold_ms: round(first.cold_ms, 0),
    cold_cpu_ms: round(first.cold_cpu_ms, 0),
    again_ms: round(first.again_ms, 0),
    slow_s: round(transfer + (first.rounds * SLOW.round) / 1000, 1),
    warm_p50_ms: over("question", "p50"),
    warm_p95_ms: over("question", "p95"),
    warm_cpu_ms: over("question", "cpu"),
    ...(runs[0].encoding && {
      encoding_p50_ms: over("encoding", "p50"),
      encoding_p95_ms: over("encoding", "p95"),
      encoding_cpu_ms: over("encoding", "cpu"),
    }),
    peak_bytes: memory,
    ...ranked,
  };
}

/** Each peer's figures over those of each of seealso's ways: above 1, the peer's number is the larger one. */
export function ratios(engines) {
  const names = Object.keys(engines);
  const peers = names.filter((name) => ENGINES[name].weights);
  const own = names.filter((name) => !ENGINES[name].weights);
  const pairs = peers.flatMap((peer) => own.map((name) => [`${peer} / ${name}`, ratio(engines[peer], engines[name])]));
  return Object.fromEntries(pairs);
}

const RATIO_KEYS = [
  "cold_ms", "cold_cpu_ms", "slow_s", "requests", "rounds", "again_ms", "again_bytes", "warm_p50_ms", "warm_p95_ms",
  "warm_cpu_ms", "encoding_p50_ms", "encoding_p95_ms", "encoding_cpu_ms", "peak_bytes", "hit_at_1", "hit_at_5", "mrr",
];

function ratio(peer, own) {
  const over = (a, b) => (a > 0 && b > 0 ? round(a / b, 3) : null);
  const each = Object.fromEntries(RATIO_KEYS.map((key) => [key, over(peer[key], own[key])]));
  const bytes = (of) => Object.fromEntries(Object.keys(own[of]).map((kind) => [kind, over(peer[of][kind], own[of][kind])]));
  return { ...each, gzip_bytes: bytes("gzip_bytes"), raw_bytes: bytes("raw_bytes") };
}

const mb = (bytes) => (bytes / 1e6).toFixed(2);

const COLUMNS = [
  ["code MB", ({ gzip_bytes }) => mb(gzip_bytes.code)],
  ["model MB", ({ gzip_bytes }) => mb(gzip_bytes.model)],
  ["data MB", ({ gzip_bytes }) => mb(gzip_bytes.data)],
  ["all MB", ({ gzip_bytes }) => mb(gzip_bytes.all)],
  ["all, raw", ({ raw_bytes }) => mb(raw_bytes.all)],
  ["requests", ({ requests }) => requests],
  ["rounds", ({ rounds }) => rounds],
  ["first s", ({ cold_ms }) => (cold_ms / 1000).toFixed(2)],
  ["its CPU s", ({ cold_cpu_ms }) => (cold_cpu_ms / 1000).toFixed(2)],
  ["slow s", ({ slow_s }) => slow_s],
  ["next visit s", ({ again_ms }) => (again_ms / 1000).toFixed(2)],
  ["warm p50 ms", ({ warm_p50_ms }) => warm_p50_ms],
  ["warm p95 ms", ({ warm_p95_ms }) => warm_p95_ms],
  ["CPU ms", ({ warm_cpu_ms }) => warm_cpu_ms],
  ["encoding p50 ms", ({ encoding_p50_ms }) => encoding_p50_ms ?? "–"],
  ["its CPU ms", ({ encoding_cpu_ms }) => encoding_cpu_ms ?? "–"],
  ["peak MB", ({ peak_bytes }) => Math.round(peak_bytes / 1e6)],
  ["hit@1", ({ hit_at_1 }) => hit_at_1.toFixed(3)],
  ["hit@5", ({ hit_at_5 }) => hit_at_5.toFixed(3)],
  ["MRR", ({ mrr }) => mrr.toFixed(3)],
];

/** The report as text: a Markdown table. */
export function table({ engines, runs, questions, empty_page_bytes, machine: { cpu, cores, chromium, load_average_quarter } }) {
  const row = (cells) => `| ${cells.join(" | ")} |`;
  return [
    row(["engine", ...COLUMNS.map(([title]) => title)]),
    `|---|${COLUMNS.map(() => "--:|").join("")}`,
    ...Object.entries(engines).map(([name, figures]) => row([name, ...COLUMNS.map(([, cell]) => cell(figures))])),
    `\n${questions} questions, medians of ${runs} runs. An empty page has a peak of ${Math.round(empty_page_bytes / 1e6)} MB.`,
    `${cpu}, ${cores} cores, load ${load_average_quarter} in the last quarter of an hour, Chromium ${chromium}.`,
  ].join("\n");
}
