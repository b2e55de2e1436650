// The CPU's kernels: a small wasm without JavaScript of its own, compiled for what a browser's CPU can do, which holds
// a model's weights in its own memory. This hands calls of the model's wasm on to it: it copies what is computed with
// into the kernels' memory and the result back.

import { Pool } from "./threads.js";

/** A module that every browser of that ability takes, and no other: `(func (drop (ability …)))`. */
const TRIALS = {
  // v128.const 0 ×3, i32x4.relaxed_dot_i8x16_i7x16_add_s
  relaxed: [[...v128(), ...v128(), ...v128()], [0xfd, 0x93, 0x02]],
  // v128.const 0 ×2, i32x4.dot_i16x8_s
  simd128: [[...v128(), ...v128()], [0xfd, 0xba, 0x01]],
};

/** The variants, fastest first. */
export const VARIANTS = Object.keys(TRIALS);

function v128() {
  return [0xfd, 0x0c, ...new Array(16).fill(0)];
}

/** Whether this browser takes the instructions of a variant. */
export function supports(variant) {
  const [operands, instruction] = TRIALS[variant];
  const body = [0, ...operands, ...instruction, 0x1a, 0x0b];
  const section = (id, bytes) => [id, bytes.length, ...bytes];
  const module = [
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [1, 0]),
    ...section(10, [1, body.length, ...body]),
  ];
  return WebAssembly.validate(new Uint8Array(module));
}

/** Fetches and compiles the fastest variant that this browser takes; that for several threads only when it is needed. */
export async function compileKernels(base = import.meta.url) {
  const variant = VARIANTS.find(supports);
  if (!variant) {
    throw Object.assign(new Error("this browser has no vector instructions in its WebAssembly"), { code: "no-simd" });
  }
  const module = await compiled(variant, base);
  let threaded = null;
  return {
    variant, module,
    /**
     * The module for several threads; null where the page may not share memory, or the browser lacks its instructions.
     * Rejects with code "no-threads" where it did not come; the next call tries again.
     */
    async threaded() {
      const possible = globalThis.crossOriginIsolated === true && variant === "relaxed" && typeof Worker === "function";
      threaded ??= possible ? compiled("threads", base) : Promise.resolve(null);
      try {
        return await threaded;
      } catch (cause) {
        threaded = null;
        throw Object.assign(new Error(cause.message, { cause }), { code: "no-threads" });
      }
    },
  };
}

async function compiled(variant, base) {
  const response = await fetch(new URL(`kernels-${variant}.wasm`, base));
  if (!response.ok) {
    throw new Error(`${response.url} answers with status ${response.status}`);
  }
  // Not as a stream: that takes a host that knows the type of wasm files.
  return WebAssembly.compile(await response.arrayBuffer());
}

const INPUT = 0;
const OUTPUT = 1;
const WEIGHTS = 2;
const QUERIES = 3;
const ATTENDED = 4;
const GATED = 5;

/** One set of weights and caches, for the model's wasm. Methods throw what the kernels refuse. */
export class Kernels {
  #exports;
  #memory;
  /** Floats that each buffer has room for, and where it begins. */
  #room = new Array(6).fill(0);
  #address = new Array(6).fill(0);
  /** Views of the memory, until it grows. */
  #floats = new Float32Array(0);
  /** Milliseconds in the kernels, by operation; only where asked for, since asking takes time too. */
  times = null;

  #pool;
  variant;

  /** As many threads as can be had, `threads` at most; a single one where the module for more did not come. */
  static async start(compiled, { threads = 1 } = {}) {
    const module = threads > 1 ? await compiled.threaded().catch(() => null) : null;
    const pool = module && (await Pool.start(module, threads));
    if (pool) {
      return new Kernels("threads", pool.exports, pool.memory, pool);
    }
    // In a worker this may be done at once, whatever the module's size.
    const { exports } = new WebAssembly.Instance(compiled.module, {});
    return new Kernels(compiled.variant, exports, exports.memory, null);
  }

  constructor(variant, exports, memory, pool) {
    this.variant = variant;
    this.#exports = exports;
    this.#memory = memory;
    this.#pool = pool;
  }

  get threads() {
    return this.#pool?.threads ?? 1;
  }

  /** Of the whole memory, in bytes. */
  get bytes() {
    return this.#memory.buffer.byteLength;
  }

  reserve(bytes) {
    this.#run("reserve", bytes);
  }

  weightBegin(kind, rows, columns) {
    return this.#run("weight_begin", kind, rows, columns);
  }

  weightRows(id, offset, bytes) {
    const address = this.#buffer(WEIGHTS, Math.ceil(bytes.length / 4));
    new Uint8Array(this.#memory.buffer, address, bytes.length).set(bytes);
    this.#run("weight_rows", id, offset, WEIGHTS, bytes.length);
  }

  weightEnd(id) {
    this.#run("weight_end", id);
  }

  layerBegin(norm, epsilon, ids, optional, ropeDims, ropeBase, ropeScale, halfSplit, ropeFactors) {
    return this.#run("layer_begin", norm, epsilon, ...ids, ...optional, ropeDims, ropeBase, ropeScale, halfSplit, ropeFactors);
  }

  feedBegin(norm, epsilon, gate, up) {
    return this.#run("feed_begin", norm, epsilon, gate, up);
  }

  embed(id, tokens, out) {
    const address = this.#buffer(INPUT, tokens.length);
    this.#buffer(OUTPUT, out.length);
    new Uint32Array(this.#memory.buffer, address, tokens.length).set(tokens);
    this.#run("embed", id, INPUT, tokens.length, OUTPUT);
    this.#take(out);
  }

  qkv(layer, cache, index, position, rows, x, q) {
    this.#give(x, q);
    this.#run("qkv", layer, cache, index, INPUT, rows, position, OUTPUT);
    this.#take(q);
  }

  attend(cache, layer, position, heads, rows, q, out) {
    this.#give(q, out);
    this.#run("attend", cache, layer, heads, INPUT, rows, position, OUTPUT);
    this.#take(out);
  }

  projectAdd(id, rows, x, residual) {
    this.#give(x, residual);
    this.#view(OUTPUT, residual.length).set(residual);
    this.#run("project_add", id, INPUT, rows, OUTPUT);
    this.#take(residual);
  }

  gateUp(feed, rows, x, out) {
    this.#give(x, out);
    this.#run("gate_up", feed, INPUT, rows, OUTPUT);
    this.#take(out);
  }

  /** A whole layer in place: what is between its steps stays in the kernels' memory. */
  layer([layer, output, feed, down], cache, index, position, [rows, heads, attended, gated], x) {
    this.#buffer(QUERIES, attended);
    this.#buffer(ATTENDED, attended);
    this.#buffer(GATED, gated);
    this.#buffer(OUTPUT, x.length);
    this.#view(OUTPUT, x.length).set(x);
    this.#run("qkv", layer, cache, index, OUTPUT, rows, position, QUERIES);
    this.#run("attend", cache, index, heads, QUERIES, rows, position, ATTENDED);
    this.#run("project_add", output, ATTENDED, rows, OUTPUT);
    this.#run("gate_up", feed, OUTPUT, rows, GATED);
    this.#run("project_add", down, GATED, rows, OUTPUT);
    this.#take(x);
  }

  logits(norm, epsilon, id, rows, x, out) {
    this.#give(x, out);
    this.#run("logits", norm, epsilon, id, INPUT, 0, rows, OUTPUT);
    this.#take(out);
  }

  cacheBegin(layers, heads, dim, capacity) {
    return this.#run("cache_begin", layers, heads, dim, capacity);
  }

  cacheCopyPrefix(from, to, length) {
    this.#run("cache_copy_prefix", from, to, length);
  }

  cacheFree(id) {
    this.#run("cache_free", id);
  }

  /** Ends the threads; the memory goes with the last reference to it. */
  free() {
    this.#pool?.end();
    this.#pool = null;
    this.#exports = null;
    this.#memory = null;
    this.#floats = new Float32Array(0);
  }

  #run(name, ...args) {
    const begun = this.times ? performance.now() : 0;
    const code = this.#exports[name](...args);
    if (this.times) {
      this.times[name] = (this.times[name] ?? 0) + performance.now() - begun;
    }
    if (code < 0) {
      throw this.#refusal(code);
    }
    return code;
  }

  #refusal(code) {
    // An address in the upper half of the memory comes as a negative number.
    const bytes = new Uint8Array(this.#memory.buffer, this.#exports.error_text() >>> 0, this.#exports.error_length());
    return Object.assign(new Error(new TextDecoder().decode(bytes.slice())), { refusal: code });
  }

  /** Makes room for a result, and puts the input in. */
  #give(x, out) {
    this.#buffer(INPUT, x.length);
    this.#buffer(OUTPUT, out.length);
    this.#view(INPUT, x.length).set(x);
  }

  #take(out) {
    out.set(this.#view(OUTPUT, out.length));
  }

  #buffer(number, length) {
    if (length > this.#room[number]) {
      const address = this.#exports.buffer(number, length) >>> 0;
      if (address === 0) {
        throw this.#refusal(0);
      }
      this.#room[number] = length;
      this.#address[number] = address;
    }
    return this.#address[number];
  }

  #view(number, length) {
    if (this.#floats.buffer !== this.#memory.buffer) {
      this.#floats = new Float32Array(this.#memory.buffer);
    }
    const from = this.#address[number] / 4;
    return this.#floats.subarray(from, from + length);
  }
}
