// Holds built side modules to the same bits as the native kernels, and to errors where calls are
// wrong:  node --experimental-wasm-relaxed-simd side_module.mjs MODULE.wasm...
// A failed check throws, so that the process fails.

import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { SideModule } from "../js/side-module.mjs";

const BLOCKS = { 0: [1, 4], 1: [1, 2], 2: [32, 18], 3: [32, 20], 6: [32, 22], 7: [32, 24], 8: [32, 34], 12: [256, 144],
  13: [256, 176], 14: [256, 210], 30: [1, 2] };
const HALVES = { 3: [0, 2], 7: [0, 2], 12: [0, 2], 13: [0, 2], 14: [208] };

/** The numbers of literals.rs. */
class Numbers {
  constructor(seed) { this.state = seed; }
  next() { return (this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0); }
  floats(length) { return Float32Array.from({ length }, () => (this.next() >>> 8) / (1 << 23) - 1); }
  tensor(kind, rows, width) {
    const [values, size] = BLOCKS[kind];
    if (kind === 0 || kind === 30) {
      const bytes = new Uint8Array(this.floats(rows * width).buffer);
      return kind === 0 ? bytes : bytes.filter((_, i) => i % 4 >= 2);
    }
    const bytes = Uint8Array.from({ length: (rows * width / values) * size }, () => this.next() >>> 24);
    for (let at = 0; at < bytes.length; at += size) for (const half of HALVES[kind] ?? [0]) {
      bytes[at + half + 1] = (bytes[at + half + 1] & 0x8b) | 0x20;
    }
    return bytes;
  }
}

function hash(floats) {
  let value = 0x811c9dc5;
  for (const byte of new Uint8Array(floats.slice().buffer)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value.toString(16).padStart(8, "0");
}

/** A tensor in portions of an odd length. */
function* portions(bytes) {
  for (let at = 0; at < bytes.length; at += 1001) yield bytes.subarray(at, at + 1001);
}

function checkBits(side, table) {
  for (const line of table.trim().split("\n")) {
    const [kind, rows] = line.split("\t").map(Number);
    const [out, width] = [rows === 1 ? 523 : 75, BLOCKS[kind][0] === 1 ? 37 : 256];
    const numbers = new Numbers(kind * 100 + rows);
    const [norm, gate, up] = [[0, 1], [kind, out], [kind, out]]
      .map(([kind, out]) => side.weight(kind, out, width, portions(numbers.tensor(kind, out, width))));
    side.buffer(0, rows * width).set(numbers.floats(rows * width));
    side.buffer(1, rows * out);
    side.linear(gate, 0, rows, -1, 1);
    const product = hash(side.view(1));
    side.gate_up(side.feed_begin(norm, 1e-5, gate, up), 0, rows, 1);
    assert.equal([kind, rows, product, hash(side.view(1))].join("\t"), line);
    [norm, gate, up].forEach((id) => side.weight_free(id));
  }
}

/** Attention against plain arithmetic: two query heads to a head of keys, in two chunks. */
function checkAttention(side) {
  const [heads, kvHeads, dim, width, total] = [4, 2, 16, 8, 45];
  const numbers = new Numbers(7);
  const weight = (out) => {
    const values = numbers.floats(out * width);
    return [side.weight(0, out, width, [new Uint8Array(values.buffer)]), values];
  };
  const norm = side.weight(0, 1, width, [new Uint8Array(new Float32Array(width).fill(1).buffer)]);
  const [[q, qs], [k, ks], [v, vs]] = [weight(heads * dim), weight(kvHeads * dim), weight(kvHeads * dim)];
  const layer = side.layer_begin(norm, 1e-5, q, k, v, -1, -1, -1, -1, -1, dim, 10000, 1, 1, -1);
  const cache = side.cache_begin(1, kvHeads, dim, total);
  const x = numbers.floats(total * width);
  const normed = x.map((value, i) => {
    const row = x.subarray(i - i % width, i - i % width + width);
    return value / Math.sqrt(row.reduce((sum, x) => sum + x * x, 0) / width + 1e-5);
  });
  const project = (w, out, row) => Array.from({ length: out }, (_, o) =>
    w.subarray(o * width, o * width + width).reduce((sum, w, i) => sum + w * normed[row * width + i], 0));
  const turn = (values, position) => values.map((value, i) => {
    const [at, half] = [i % dim, dim / 2];
    const angle = position * 10000 ** (-2 * (at % half) / dim);
    return at < half ? value * Math.cos(angle) - values[i + half] * Math.sin(angle)
      : values[i - half] * Math.sin(angle) + value * Math.cos(angle);
  });
  const rows = Array.from({ length: total }, (_, row) => [turn(project(qs, heads * dim, row), row),
    turn(project(ks, kvHeads * dim, row), row), project(vs, kvHeads * dim, row)]);
  for (const [first, count] of [[0, 40], [40, 5]]) {
    side.buffer(0, count * width).set(x.subarray(first * width, (first + count) * width));
    side.buffer(1, count * heads * dim);
    side.buffer(2, count * heads * dim);
    side.qkv(layer, cache, 0, 0, count, first, 1);
    side.attend(cache, 0, heads, 1, count, first, 2);
    const out = side.view(2);
    for (let i = 0; i < out.length; i++) {
      const [row, head, at] = [first + Math.floor(i / (heads * dim)), Math.floor(i / dim) % heads, i % dim];
      const kv = Math.floor(head / (heads / kvHeads)) * dim;
      const scores = rows.slice(0, row + 1).map(([, key]) =>
        key.slice(kv, kv + dim).reduce((sum, k, d) => sum + k * rows[row][0][head * dim + d], 0) / Math.sqrt(dim));
      const largest = Math.max(...scores);
      const weights = scores.map((score) => Math.exp(score - largest));
      const expected = weights.reduce((sum, w, p) => sum + w * rows[p][2][kv + at], 0) / weights.reduce((a, b) => a + b);
      assert(Math.abs(out[i] - expected) < 0.01, `attention at ${i}: ${out[i]}, not ${expected}`);
    }
  }
  assert.equal(side.cache_length(cache), total);
}

function checkRefusals(side) {
  const refused = (code, work) => assert.throws(work, (error) => error.code === code && error.message.length > 10);
  refused(-1, () => side.weight_begin(9, 1, 32));
  refused(-2, () => side.weight_end(4_000_000_000));
  refused(-6, () => side.weight_begin(2, 1, 33));
  refused(-9, () => side.weight_begin(0, 0xffffffff, 0x10000000));
  refused(-9, () => side.reserve(0xffffffff));
  const id = side.weight_begin(0, 2, 4);
  side.buffer(0, 8);
  side.buffer(1, 2);
  refused(-20, () => side.weight_rows(id, 0, 99, 4));
  refused(-21, () => side.weight_rows(id, 0, 0, 33));
  refused(-5, () => side.weight_rows(id, 4, 0, 4));
  refused(-5, () => side.weight_rows(id, -1e300, 0, 32) || side.weight_rows(id, 1e300, 0, 32));
  refused(-2, () => side.linear(7777, 0, 1, -1, 1));
  refused(-2, () => side.linear(id, 0, 1, 7777, 1));
  refused(-21, () => side.linear(id, 0, 3, -1, 1));
  refused(-21, () => side.linear(id, 0, 2, -1, 1));
  refused(-21, () => side.linear(id, 0, 0xffffffff, -1, 1));
  refused(-22, () => side.linear(id, 1, 0, -1, 1));
  refused(-6, () => side.linear(id, 0, 0, -1, 1));
  refused(-20, () => side.qkv(1234, 0, 0, 0, 1, 0, 1));
  refused(-20, () => side.gate_up(1234, 0, 1, 1));
  refused(-3, () => side.attend(1234, 0, 1, 0, 1, 0, 1));
  refused(-3, () => side.cache_length(0xffffffff));
  side.buffer(2, 1).fill(1e9);
  side.buffer(1, 4);
  refused(-7, () => side.embed(id, 2, 1, 1));
  assert.throws(() => side.buffer(16, 1));
  assert.throws(() => side.buffer(3, 0x7fffffff));
  side.clear();
  assert.equal(side.engine_bytes(), 0);
}

/** What was reserved is enough for weights of so many bytes: memory doesn't grow again. */
function checkReserve(side) {
  side.reserve(24 << 20);
  const bytes = side.memoryBytes;
  for (let i = 0; i < 5; i++) side.weight_begin(0, 1024, 1024);
  assert.equal(side.memoryBytes, bytes);
  side.clear();
}

const table = await readFile(new URL("literals.tsv", import.meta.url), "utf8");
const spawn = () => new Worker(new URL("../js/worker.mjs", import.meta.url));
for (const file of process.argv.slice(2)) {
  const threaded = file.includes("threads");
  const side = await SideModule.load(await readFile(file), threaded ? { threads: 3, spawn, maximumBytes: 2 ** 28 } : {});
  assert.equal(side.workers(), threaded ? 2 : 0);
  checkBits(side, table);
  checkAttention(side);
  checkRefusals(side);
  checkReserve(side);
  side.stop();
  console.log(`${file}: the same bits, and errors where they should be`);
}
