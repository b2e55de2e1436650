// Stands in for module.js in the tests of the worker: it computes nothing, and says what the tests script.
// The last message says what to do: "count", "read much", "lose the device at 5", "trap".

const generated = { tokens: 0, prefill: 0, loaders: 0, freed: 0 };
/** How long the prompt is, in steps; one to read much is longer than anybody waits for. */
const PREFILL = 4;

export default async function init() {}

export const version = () => "scripted";
export const needs = () => ({ features: [], limits: {} });
export const knownAnswer = async () => true;
export const calibrate = async (device) => ({ decode: device === "cpu" ? 20 : 10, prefill: 100 });

export class ModelLoader {
  #options;
  #files = [0];
  #first = null;

  constructor(options) {
    this.#options = options;
    generated.loaders++;
  }

  feed(bytes) {
    this.#first ??= bytes[0];
    this.#files[this.#files.length - 1] += bytes.length;
  }

  endFile() {
    this.#files.push(0);
  }

  async finish() {
    return new Model(this.#options, this.#files.slice(0, -1));
  }

  free() {
    generated.freed++;
  }
}

class Model {
  #options;
  #files;

  constructor(options, files) {
    this.#options = options;
    this.#files = files;
  }

  info() {
    return { architecture: "llama", context: 2048, vocabulary: 10, layers: 1, bytes: this.#files.reduce((a, b) => a + b, 0), files: this.#files, threads: this.#options.threads };
  }

  async generate(messages, options, onEvent) {
    const wanted = messages.at(-1).content;
    const outcome = (reason, tokens) => ({ reason, tokens, prompt_tokens: PREFILL, reused_tokens: 0, prefill_ms: 0, decode_ms: 0 });
    const total = wanted === "read much" ? 1e9 : PREFILL;
    for (let done = 1; done <= total; done++) {
      generated.prefill++;
      if (!(await onEvent({ prefill: { done, total } }))) {
        return outcome("aborted", 0);
      }
    }
    if (wanted === "trap") {
      throw new WebAssembly.RuntimeError("unreachable");
    }
    const lost = Number(/^lose the device at (\d+)$/.exec(wanted)?.[1] ?? Infinity);
    for (let token = options.begun.length + 1; token <= options.max_tokens; token++) {
      if (token === lost && this.#options.device === "webgpu") {
        throw Object.assign(new Error("the device is gone"), { code: "device-lost" });
      }
      generated.tokens++;
      if (!(await onEvent({ token: `${token} `, id: token }))) {
        return outcome("aborted", token);
      }
    }
    return outcome("length", options.max_tokens);
  }

  async score(messages, continuations, onEvent) {
    await onEvent({ prefill: { done: 1, total: 1 } });
    return new Float64Array(continuations.map((text) => -text.length));
  }

  async judge(messages, { layers, weights, bias }, onEvent) {
    await onEvent({ prefill: { done: 1, total: 1 } });
    return layers * weights.length + bias;
  }

  stats() {
    return generated;
  }

  free() {
    generated.freed++;
  }
}
