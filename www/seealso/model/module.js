// What runs a model, as the worker sees it (engine-types.js): the model's wasm, and the CPU's kernels in a wasm of
// their own, or a graphics processor. Nothing is fetched before `default` is called.

import { BUILT } from "./built.js";
import { Gpu } from "./gpu.js";
import { Kernels, compileKernels } from "./kernels.js";

/** Errors that are the caller's doing, whatever a model runs on. */
const CALLERS = ["bad-call", "prompt-too-long", "no-way-on", "cancelled"];

let kernels = null;
let wasm = null;
/** The graphics processor that the wasm has opened, or is opening. @type {Promise<Gpu>|null} */
let gpu = null;

export default async function start() {
  [kernels, wasm] = await Promise.all([compileKernels(), instance()]);
}

let instances = 0;

/** The model's wasm, a new one each time: what a lost device leaves of one opens no device again. */
async function instance() {
  const url = new URL("../seealso_model_web.js", import.meta.url);
  if (instances++ > 0) {
    url.search = `again=${instances}`;
  }
  const module = await import(url);
  await module.default();
  return module;
}

/** The graphics processor; opened anew where it was lost. */
async function openedGpu() {
  if ((await gpu)?.trouble) {
    gpu = null;
    wasm = await instance();
  }
  gpu ??= Gpu.open(() => wasm.openGpu());
  return gpu;
}

/** What was measured holds as long as this stays the same. */
export const version = () => `${BUILT}-${kernels.variant}`;

/** burn's streams in a browser want to time themselves. */
export const needs = () => ({ features: ["timestamp-query"], limits: {} });

/** Whether the graphics processor computes what it must. */
export async function knownAnswer() {
  const opened = await openedGpu();
  try {
    await opened.run(async () => wasm.knownAnswer(await Kernels.start(kernels)), ["wrong-results"]);
    return true;
  } catch (error) {
    if (error.code === "wrong-results") {
      return false;
    }
    throw error;
  }
}

/** How fast a device is, by a model of random weights. */
export async function calibrate(device, threads = 1) {
  if (device === "webgpu") {
    const opened = await openedGpu();
    return opened.run(() => wasm.calibrate(), []);
  }
  if (threads > 1) {
    // Else the speed of one thread would be taken for that of several.
    await kernels.threaded();
  }
  return wasm.calibrate(await Kernels.start(kernels, { threads }));
}

/** Takes the files of a model; several are parts of one. */
export class ModelLoader {
  #place;
  #loader;

  constructor({ device, context, threads = 1 }) {
    const place = device === "webgpu" ? onGpu() : onCpu(threads);
    this.#place = place;
    this.#loader = place.then(({ wasm, kernels, run }) => run(() => new wasm.ModelLoader({ context }, kernels)));
    // Told by the first call that awaits it.
    this.#loader.catch(() => {});
  }

  async feed(bytes) {
    const [{ run }, loader] = await Promise.all([this.#place, this.#loader]);
    await run(() => loader.feed(bytes));
  }

  endFile() {}

  async finish() {
    const [place, loader] = await Promise.all([this.#place, this.#loader]);
    const model = await place.run(() => loader.finish());
    loader.free();
    return new Model(model, place);
  }

  free() {
    this.#loader.then((loader) => loader.free(), () => {});
  }
}

/** Where a model runs: the wasm, the CPU's kernels if it is these, and how to do what may fail while it is loaded, and later. */
async function onCpu(threads) {
  const run = async (work) => work();
  return { wasm, kernels: await Kernels.start(kernels, { threads }), run, later: run };
}

async function onGpu() {
  const opened = await openedGpu();
  return {
    wasm, opened,
    run: (work) => opened.run(work, ["bad-call", "wrong-results"], "device-refused"),
    later: (work) => opened.run(work, CALLERS),
  };
}

class Model {
  #model;
  #place;

  constructor(model, place) {
    this.#model = model;
    this.#place = place;
  }

  info() {
    return { ...this.#model.info(), ...this.#runner() };
  }

  #runner() {
    const { kernels: own } = this.#place;
    return own ? { kernels: own.variant, threads: own.threads } : { kernels: "webgpu" };
  }

  /** With `profile` among the options, the outcome tells the milliseconds in the CPU's kernels, by operation. */
  async generate(messages, { profile, ...options }, onEvent) {
    const { kernels: own, later } = this.#place;
    if (own) {
      own.times = profile ? {} : null;
    }
    const outcome = await later(() => this.#model.generate(messages, options, this.#watched(onEvent)));
    return profile && own ? { ...outcome, kernel_ms: own.times } : outcome;
  }

  score(messages, continuations, onEvent) {
    return this.#place.later(() => this.#model.score(messages, continuations, this.#watched(onEvent)));
  }

  /** @param {import("./judge-probe.js").Probe} probe */
  judge(messages, { layers, read = 1, weights, units = new Float32Array(), bias, adapters }, onEvent) {
    const probe = { layers, read, weights, units, bias, adapters };
    return this.#place.later(() => this.#model.judge(messages, probe, this.#watched(onEvent)));
  }

  /** The likeliest tokens after a prompt, with their logits. */
  candidates(messages, count) {
    return this.#place.later(() => this.#model.candidates(messages, count));
  }

  /** What is told of results that can't be trusted is not passed on. */
  #watched(onEvent) {
    return (event) => {
      this.#place.opened?.check();
      return onEvent(event);
    };
  }

  stats() {
    const { kernels: own } = this.#place;
    return { ...this.#runner(), kernel_bytes: own?.bytes ?? 0, wasm_bytes: this.#model.memory_bytes() };
  }

  free() {
    this.#model.free();
  }
}
