// A side module of the CPU kernels, from JavaScript: the exports of src/exports.rs, with refusals
// turned into errors. The same names, the same arguments; `buffer(slot, floats)` gives a
// Float32Array, valid until a buffer is made longer or a weight or cache is begun (memory may move):
// ask again with `view(slot)` after those.

export class SideModule {
  #exports;
  #places = new Map();

  /** Instantiates a compiled module, or its bytes. */
  static async load(source) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    return new SideModule((await WebAssembly.instantiate(module, {})).exports);
  }

  constructor(exports) {
    this.#exports = exports;
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value === "function" && !(name in this)) this[name] = (...args) => this.#check(name, value(...args));
    }
  }

  #check(name, code) {
    if (code >= 0 || name.startsWith("limit_products")) return code;
    const { memory, error_text, error_length } = this.#exports;
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, error_text(), error_length()).slice());
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
    return new Float32Array(this.#exports.memory.buffer, address, floats);
  }

  /** Bytes of the module's memory. */
  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
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
