// A side module of the CPU kernels, from JavaScript: the exports of src/exports.rs, with refusals
// turned into errors. The same names, the same arguments; `buffer(slot, floats)` gives a
// Float32Array, valid until a buffer is made longer or a weight or cache is begun (memory may move):
// ask again with `view(slot)` after those.

/** The initial memory of wasm-pack.toml's variant with threads. */
const INITIAL_PAGES = 64;

/** A worker's stack: no kernel needs more than some kilobytes. */
const STACK_BYTES = 256 * 1024;

const defaultSpawn = () => new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });

export class SideModule {
  #exports;
  #places = new Map();

  #memory;
  #workers = [];

  /**
   * Instantiates a compiled module, or its bytes. The variant with threads wants
   * `{ threads, spawn, maximumBytes }`: how many in all (this one counts), how to start a worker of
   * worker.mjs, and the most memory that it may take. Where workers don't come, there are fewer.
   */
  static async load(source, { threads = 1, spawn = defaultSpawn, maximumBytes = 2 ** 32 } = {}) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    if (WebAssembly.Module.imports(module).length === 0) {
      const { exports } = await WebAssembly.instantiate(module, {});
      return new SideModule(exports, exports.memory);
    }
    const [initial, maximum] = [INITIAL_PAGES, Math.max(INITIAL_PAGES, Math.ceil(maximumBytes / 65536))];
    const memory = new WebAssembly.Memory({ initial, maximum, shared: true });
    const side = new SideModule((await WebAssembly.instantiate(module, { env: { memory } })).exports, memory);
    for (let i = 1; i < threads; i++) await side.#startWorker(module, spawn);
    return side;
  }

  /** Starts one worker on a stack of its own and waits until it takes part, or half a second. */
  async #startWorker(module, spawn) {
    const { worker_memory, workers, __tls_size, __tls_align } = this.#exports;
    const tlsBytes = __tls_size.value + __tls_align.value;
    const base = worker_memory(STACK_BYTES + tlsBytes) >>> 0;
    if (base === 0) return;
    const before = workers();
    const worker = spawn();
    this.#workers.push(worker);
    const tls = base + STACK_BYTES;
    worker.postMessage({ module, memory: this.#memory, stack: tls, tls: tls + (-tls & (__tls_align.value - 1)) });
    for (let tries = 0; tries < 500 && workers() === before; tries++) await new Promise((done) => setTimeout(done, 1));
  }

  /** Ends the workers; the module can still be used, with one thread. */
  stop() {
    if (this.#workers.length > 0) this.#exports.workers_stop();
    this.#workers = [];
  }

  constructor(exports, memory) {
    this.#exports = exports;
    this.#memory = memory;
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value === "function" && !name.startsWith("__") && !(name in this)) this[name] = (...args) => this.#check(name, value(...args));
    }
  }

  #check(name, code) {
    if (code >= 0 || name.startsWith("limit_products")) return code;
    const { error_text, error_length } = this.#exports;
    const text = new TextDecoder().decode(new Uint8Array(this.#memory.buffer, error_text() >>> 0, error_length()).slice());
    throw Object.assign(new Error(`${name}: ${text}`), { code });
  }

  /** Makes buffer `slot` hold `floats` values. */
  buffer(slot, floats) {
    const address = this.#exports.buffer(slot, floats) >>> 0;
    if (address === 0) throw new Error(`there is no memory for buffer ${slot} of ${floats} values`);
    this.#places.set(slot, [address, floats]);
    return this.view(slot);
  }

  /** The values of a buffer that was made. */
  view(slot) {
    const [address, floats] = this.#places.get(slot) ?? [0, 0];
    return new Float32Array(this.#memory.buffer, address, floats);
  }

  /** Bytes of the module's memory. */
  get memoryBytes() {
    return this.#memory.buffer.byteLength;
  }

  /** Gives a weight all its bytes through buffer `slot`, in portions. */
  weight(kind, outFeatures, inFeatures, portions, slot = 15) {
    const id = this.weight_begin(kind, outFeatures, inFeatures);
    let at = 0;
    for (const bytes of portions) {
      const [, floats] = this.#places.get(slot) ?? [0, 0];
      if (floats * 4 < bytes.length) this.buffer(slot, Math.ceil(bytes.length / 4));
      const view = this.view(slot);
      new Uint8Array(view.buffer, view.byteOffset, bytes.length).set(bytes);
      this.weight_rows(id, at, slot, bytes.length);
      at += bytes.length;
    }
    this.weight_end(id);
    return id;
  }
}
