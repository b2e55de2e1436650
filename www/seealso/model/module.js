// What runs a model, as the worker sees it (engine-types.js): the model's wasm, and the CPU's kernels in a wasm of
// their own. Both are fetched by `default`, and not before.

import init, { ModelLoader as Loader, version as wasmVersion } from "../seealso_model_web.js";
import { Kernels, compileKernels } from "./kernels.js";

let kernels = null;

export default async function start() {
  [kernels] = await Promise.all([compileKernels(), init()]);
}

export const version = () => `${wasmVersion()}-${kernels.variant}`;

/** No graphics processor has what this build needs: it has kernels for the CPU only. */
export const needs = () => ({ features: ["seealso-gpu-kernels"], limits: {} });

/** Not a check yet: with one device there is nothing to choose, so the CPU is taken at its word. */
export const knownAnswer = async (device) => device === "cpu";

/** Not measured yet, for the same reason. */
export const calibrate = async () => ({ decode: 0, prefill: 0 });

/** Takes the files of a model; several are parts of one. */
export class ModelLoader {
  #loader;
  #kernels;

  constructor(options) {
    this.#kernels = new Kernels(kernels);
    this.#loader = new Loader({ context: options.context }, this.#kernels);
  }

  feed(bytes) {
    this.#loader.feed(bytes);
  }

  endFile() {}

  async finish() {
    const model = this.#loader.finish();
    this.#loader.free();
    return new Model(model, this.#kernels);
  }

  free() {
    this.#loader.free();
  }
}

class Model {
  #model;
  #kernels;

  constructor(model, kernels) {
    this.#model = model;
    this.#kernels = kernels;
  }

  info() {
    return { ...this.#model.info(), kernels: kernels.variant };
  }

  /** With `profile` among the options, the outcome tells the milliseconds in the kernels, by operation. */
  async generate(messages, { profile, ...options }, onEvent) {
    this.#kernels.times = profile ? {} : null;
    const outcome = await this.#model.generate(messages, options, onEvent);
    return profile ? { ...outcome, kernel_ms: this.#kernels.times } : outcome;
  }

  score(messages, continuations, onEvent) {
    return this.#model.score(messages, continuations, onEvent);
  }

  /** The likeliest tokens after a prompt, with their logits. */
  candidates(messages, count) {
    return this.#model.candidates(messages, count);
  }

  stats() {
    return { kernels: kernels.variant, kernel_bytes: this.#kernels.bytes, wasm_bytes: this.#model.memory_bytes() };
  }

  free() {
    this.#model.free();
  }
}
