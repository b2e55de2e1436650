// What turns texts into vectors, as the worker sees it (engine-types.js): a wasm of its own, which computes on the CPU.
// Nothing is fetched before `default` is called.

let wasm = null;

export default async function start() {
  wasm = await import(new URL("../seealso_encoder_web.js", import.meta.url));
  await wasm.default();
}

/** Takes the files of an encoder: config.json, tokenizer.json, model.safetensors. */
export class EncoderLoader {
  #loader;

  constructor({ space, scheme }) {
    this.#loader = new wasm.EncoderLoader(space, scheme);
  }

  feed(bytes) {
    this.#loader.feed(bytes);
  }

  endFile() {
    this.#loader.endFile();
  }

  async finish() {
    const encoder = new Encoder(this.#loader.finish());
    this.free();
    return encoder;
  }

  free() {
    this.#loader.free();
  }
}

class Encoder {
  #encoder;

  constructor(encoder) {
    this.#encoder = encoder;
  }

  info() {
    return this.#encoder.info();
  }

  embed(texts) {
    return this.#encoder.embed(texts);
  }

  stats() {
    return { wasm_bytes: this.#encoder.memory_bytes() };
  }

  free() {
    this.#encoder.free();
  }
}
