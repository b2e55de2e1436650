// Times a whole stack of layers with random weights of a model's shapes, in one side module:
//   node --experimental-wasm-relaxed-simd layers.mjs MODULE.wasm [smollm2|qwen] [--json] [--cpu]
// With --threads=N the variant with threads has N of them.
// With --cpu all times are this process's processor time, which other load disturbs less.
// Prints medians of decode and prefill, and their shares of what the same wasm can do at most.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { SideModule } from "../js/side-module.mjs";

const F32 = 0, Q4_1 = 3, Q5_0 = 6, Q8_0 = 8, Q4K = 12, Q6K = 14;
const BLOCK = { [F32]: [1, 4], [Q4_1]: [32, 20], [Q5_0]: [32, 22], [Q8_0]: [32, 34], [Q4K]: [256, 144], [Q6K]: [256, 210] };
const HALVES = { [Q4_1]: [0, 2], [Q5_0]: [0], [Q8_0]: [0], [Q4K]: [0, 2], [Q6K]: [208] };

// Which kind each projection has; a Q4_K_M file of these widths mixes them so.
const MODELS = {
  smollm2: { layers: 30, width: 576, heads: 9, kvHeads: 3, dim: 64, inner: 1536, vocabulary: 49152,
    kinds: { q: Q4_1, k: Q4_1, v: Q4_1, o: Q4_1, gate: Q4_1, up: Q4_1, down: Q4_1, logits: Q4_1 }, halfSplit: 0 },
  qwen: { layers: 24, width: 896, heads: 14, kvHeads: 2, dim: 64, inner: 4864, vocabulary: 151936,
    kinds: { q: Q5_0, k: Q5_0, v: Q8_0, o: Q5_0, gate: Q5_0, up: Q5_0, down: Q4K, logits: Q8_0 }, halfSplit: 1 },
};

/** Milliseconds, of the clock or of the processor. */
const now = process.argv.includes("--cpu")
  ? () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; }
  : () => performance.now();

let seed = 1;
const random = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 8);

/** Portions of a tensor's bytes: random codes, scales of about 0.01. */
function* portions(kind, rows, width) {
  const [values, bytes] = BLOCK[kind];
  const total = (rows * width / values) * bytes;
  const piece = new Uint8Array(Math.min(total, bytes * 4096));
  if (kind === F32) new Float32Array(piece.buffer).fill(1);
  else {
    for (let i = 0; i < piece.length; i++) piece[i] = random();
    for (let at = 0; at < piece.length; at += bytes) for (const half of HALVES[kind]) {
      piece[at + half] = random();
      piece[at + half + 1] = 0x10 | (random() & 0x83);
    }
  }
  for (let at = 0; at < total; at += piece.length) yield piece.subarray(0, Math.min(piece.length, total - at));
}

const X = 0, Q = 1, A = 2, INNER = 3, OUT = 4;

/** Loads the model; returns its steps. */
function build(side, model, rows, capacity) {
  const { width, heads, kvHeads, dim, inner, vocabulary, kinds } = model;
  const weight = (kind, out, columns) => side.weight(kind, out, columns, portions(kind, out, columns));
  const norm = weight(F32, 1, width);
  const layers = [];
  for (let i = 0; i < model.layers; i++) {
    const q = weight(kinds.q, heads * dim, width), k = weight(kinds.k, kvHeads * dim, width);
    const v = weight(kinds.v, kvHeads * dim, width);
    layers.push({
      qkv: side.layer_begin(norm, 1e-5, q, k, v, -1, -1, -1, -1, -1, dim, 10000, 1, model.halfSplit, -1),
      o: weight(kinds.o, width, heads * dim),
      feed: side.feed_begin(norm, 1e-5, weight(kinds.gate, inner, width), weight(kinds.up, inner, width)),
      down: weight(kinds.down, width, inner),
    });
  }
  const head = weight(kinds.logits, vocabulary, width);
  const cache = side.cache_begin(model.layers, kvHeads, dim, capacity);
  side.buffer(X, rows * width).fill(0.5);
  side.buffer(Q, rows * heads * dim);
  side.buffer(A, rows * heads * dim);
  side.buffer(INNER, rows * inner);
  side.buffer(OUT, vocabulary);
  const spent = {};
  const timed = (name, work) => {
    const start = now();
    work();
    spent[name] = (spent[name] ?? 0) + now() - start;
  };
  /** One chunk of `count` tokens at `first`; the last one's logits where they are wanted. */
  const step = (first, count, wantsLogits) => {
    const x = side.view(X);
    for (let i = 0; i < count * width; i++) x[i] = ((i * 2654435761 + first) % 1000) / 500 - 1;
    layers.forEach((layer, index) => {
      timed("qkv", () => side.qkv(layer.qkv, cache, index, X, count, first, Q));
      timed("attend", () => side.attend(cache, index, heads, Q, count, first, A));
      timed("o", () => side.project_add(layer.o, A, count, X));
      timed("gate_up", () => side.gate_up(layer.feed, X, count, INNER));
      timed("down", () => side.project_add(layer.down, INNER, count, X));
    });
    if (wantsLogits) timed("logits", () => side.logits(norm, 1e-5, head, X, count - 1, 1, OUT));
  };
  const perLayer = width * (2 * heads + 2 * kvHeads) * dim + 3 * width * inner;
  return { step, cache, spent, layerWeights: model.layers * perLayer, headWeights: vocabulary * width };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

function time(runs, work) {
  const times = [];
  for (let i = 0; i < runs; i++) {
    const start = now();
    work();
    times.push(now() - start);
  }
  return median(times) / 1000;
}

const [file, name = "smollm2"] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const threads = Number(process.argv.find((word) => word.startsWith("--threads="))?.slice(10) ?? 1);
const spawn = () => new Worker(new URL("../js/worker.mjs", import.meta.url));
const side = await SideModule.load(await readFile(file), { threads, spawn });
const report = { module: file.replace(/.*\//, ""), model: name, threads: side.workers() + 1 };

// The machine's limits in the same wasm.
for (let i = 0; i < 50; i++) side.limit_products(10);
report.peak_gmacs = side.limit_products_per_round() * 400 / time(5, () => side.limit_products(400)) / 1e9;
side.buffer(14, 25e6);
side.limit_read(14, 25e6);
report.memory_gb_s = 0.1 / time(5, () => side.limit_read(14, 25e6));
side.buffer(14, 1);

const chunk = 128, context = 1536;
const start = now();
const { step, cache, spent, layerWeights, headWeights } = build(side, MODELS[name], chunk, context + 64);
report.load_s = (now() - start) / 1000;
report.engine_mb = side.engine_bytes() / 1e6;
report.memory_mb = side.memoryBytes / 1e6;

const shares = () => {
  const all = Object.values(spent).reduce((a, b) => a + b, 0);
  const text = Object.entries(spent).map(([key, ms]) => `${key} ${(100 * ms / all).toFixed(0)}%`).join(" ");
  for (const key of Object.keys(spent)) delete spent[key];
  return text;
};
for (let i = 0; i < 4; i++) step(0, chunk, false), step(0, 1, true);
shares();
const prefill = time(3, () => step(0, chunk, false));
report.prefill_tps = chunk / prefill;
report.prefill_gmacs = layerWeights * chunk / prefill / 1e9;
report.prefill_spent = shares();
let at = chunk;
const decode = time(16, () => step(at++, 1, true));
report.decode_tps = 1 / decode;
report.decode_gmacs = (layerWeights + headWeights) / decode / 1e9;
report.decode_gb_s = side.engine_bytes() / decode / 1e9;
report.decode_spent = shares();
const long = now();
for (let first = 0; first < context; first += chunk) step(first, chunk, false);
report.prefill_1536_tps = context / ((now() - long) / 1000);
report.prefill_1536_spent = shares();
at = context;
report.decode_at_1536_tps = 1 / time(16, () => step(at++, 1, true));
report.decode_at_1536_spent = shares();

if (process.argv.includes("--json")) console.log(JSON.stringify(report));
else for (const [key, value] of Object.entries(report)) console.log(key.padEnd(22), typeof value === "number" ? value.toFixed(2) : value);
side.stop();
