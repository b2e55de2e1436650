// The dedicated worker in which weights are downloaded and a model runs. Its wasm is loaded with the first `load`. Its
// name is that of a channel on which the kernels' threads tell the page of a crash, for this one then waits and receives nothing.
//
// In:   { id, method: "download", args: [{ entry, file? }] }                       progress…, result: Stored
//       { id, method: "load",     args: [{ key | entry, file?, device, context?, threads?, remembered }] }  progress…, result: Loaded
//       { id, method: "generate", args: [{ messages, options }] }                  progress…, token…, result: Outcome
//       { id, method: "score",    args: [{ messages, continuations }] }            progress…, result: number[]
//       { id, method: "judge",    args: [{ messages, probe }] }                  progress…, result: number
//       { id, method: "embed",    args: [{ texts }] }                              progress…, result: Float32Array[]
//       { id, method: "read",     args: [idOfTheGenerate, count] }                 no reply: so many tokens were read
//       { id, method: "stop",     args: [idOfTheCall] }                            result: null
//       { id, method: "unload" | "stats", args: [] }                               result: null | object
// Out:  { id, progress } | { id, token } | { id, result } | { id, error: { code, detail } }
//       Progress is that of a download or a load ({ stage, bytes, total, rate }), of a prompt ({ stage: "prefill", done,
//       total }) or of embedding ({ stage: "embed", done, total }), or says that the device changed ({ stage: "device", device, reason, remembered }).
// Calls on the model run one after the other. Generating waits while more than UNREAD tokens are unread.

import { chooseDevice, rememberLoss, rememberWrong } from "./device.js";
import { ModelError, sent } from "./errors.js";
import { fedModel, turn } from "./feeding.js";
import { probe } from "./probe.js";
import { Store, keyOf } from "./store.js";
import { chooseThreads } from "./threads.js";
import { download } from "./weights.js";

/** As many tokens may be under way to the page. */
const UNREAD = 32;
/** An encoder can be stopped after as many texts: a long one takes a good part of a second. */
const TEXTS = 4;

/** Calls that can be stopped: what stops each. @type {Map<number, AbortController>} */
const running = new Map();
/** Tokens that the page has not read yet, and who waits for that. @type {Map<number, {count: number, wake: () => void}>} */
const unread = new Map();
/** What the model is and where it came from. */
let loaded = null;
/** What runs models that write, and what runs encoders, once they are wanted. */
let engine = null;
let encoders = null;
let queue = Promise.resolve();

const methods = {
  async download(id, { entry, file = null }) {
    const store = await Store.open();
    const { key } = await download(entry, { store, file, ...optionsOf(id) });
    return (await store.list()).find((stored) => stored.key === key);
  },
  load: (id, wanted) => enqueue(() => load(id, wanted)),
  generate: (id, { messages, options }) => enqueue(() => generate(id, messages, options)),
  score: (id, { messages, continuations }) => enqueue(async () => {
    const scores = await withCpuFallback(id, (model) => model.score(messages, continuations, (event) => onEvent(id, event)));
    return Array.from(scores);
  }),
  judge: (id, { messages, probe }) => enqueue(() =>
    withCpuFallback(id, (model) => model.judge(messages, probe, (event) => onEvent(id, event)))),
  embed: (id, { texts }) => enqueue(() => embed(id, texts)),
  read(_id, call, count) {
    const queued = unread.get(call);
    if (queued) {
      queued.count -= count;
      queued.wake();
    }
  },
  stop(_id, call) {
    running.get(call)?.abort();
    unread.get(call)?.wake();
    return null;
  },
  unload: () => enqueue(unload),
  stats: () => ({ loaded: loaded?.status ?? null, isolated: globalThis.crossOriginIsolated === true, ...loaded?.model.stats() }),
};

addEventListener("message", async ({ data: { id, method, args } }) => {
  if (method === "read") {
    methods.read(id, ...args);
    return;
  }
  running.set(id, new AbortController());
  try {
    postMessage({ id, result: await methods[method](id, ...args) });
  } catch (error) {
    postMessage({ id, error: sent(error) });
  } finally {
    running.delete(id);
  }
});

// A trap inside a task of the wasm reaches no caller: its promise would stay open for ever.
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  postMessage({ id: null, error: { code: "crashed", detail: sent(event.reason).detail } });
});

async function load(id, wanted) {
  unload();
  const about = wanted.entry ? { entry: wanted.entry, files: wanted.entry.files } : await (await Store.open()).record(wanted.key);
  return about?.entry.kind === "encoder" ? loadEncoder(id, wanted, about) : loadDecoder(id, wanted);
}

async function loadDecoder(id, wanted) {
  const { module, version } = await started();
  const checks = checksOf(id, module, version, wanted, await probe());
  progressReporter(id)({ stage: "choosing" });
  const choice = await chooseDevice(checks);
  const request = { kind: "decoder", module, wanted, checks, status: { ...choice, machine: checks.machine } };
  try {
    loaded = { ...request, model: await filled(id, request, choice.device) };
  } catch (error) {
    const reason = choice.device === "webgpu" && reasonOf(error);
    if (!reason) {
      throw error;
    }
    await moveToCpu(id, request, reason);
  }
  return { ...loaded.status, remembered: Object.fromEntries(checks.memory), info: loaded.model.info() };
}

/** What is known, and can be found out, of the devices. */
function checksOf(id, module, version, wanted, machine) {
  const signal = signalOf(id);
  const throwIfStopped = async () => {
    // Lets the message in that says so.
    await turn();
    assertWanted(signal);
  };
  const memory = new Map(Object.entries(wanted.remembered ?? {}));
  const versions = [version, navigator.userAgent];
  let threads = wanted.threads ? Promise.resolve({ threads: wanted.threads, speed: null }) : null;
  const cpu = () => (threads ??= chooseThreads(machine, (count) => module.calibrate("cpu", count), { versions, memory, throwIfStopped }));
  return {
    machine, memory, versions, cpu, throwIfStopped,
    wish: wanted.device,
    needs: module.needs(),
    knownAnswer: () => module.knownAnswer(),
    calibrate: async (device) => (device === "cpu" ? (await cpu()).speed ?? module.calibrate(device) : module.calibrate(device)),
  };
}

/** Why a model that a graphics processor failed to run is to run on the CPU; nothing where it would fail there too. */
function reasonOf({ code, message }) {
  return {
    "device-lost": { code: "lost" },
    "wrong-results": { code: "wrong-answer" },
    "device-refused": { code: "refused", detail: message },
  }[code];
}

/** What runs models that write, and its version; started once. */
async function started() {
  const module = await (engine ??= starting("./module.js"));
  return { module, version: module.version() };
}

/** What a script exports, once its wasm runs. A worker in which that failed is not used any more. */
async function starting(script) {
  try {
    const module = await import(script);
    await module.default();
    return module;
  } catch (error) {
    throw new ModelError("no-engine", { detail: String(error?.message ?? error) });
  }
}

/** A model with the weights wanted. */
async function filled(id, { module, wanted, checks }, device) {
  const threads = device === "cpu" ? (await checks.cpu()).threads : 1;
  return fedModel(wanted, () => new module.ModelLoader({ device, context: wanted.context ?? 0, threads }), optionsOf(id));
}

/** Loads an encoder, which knows no other device than the CPU. */
async function loadEncoder(id, wanted, { entry, files }) {
  const module = await (encoders ??= starting("./encoder.js"));
  const space = `${entry.name}:${(files.at(-1).sha256 ?? keyOf(entry)).slice(0, 16)}`;
  const model = await fedModel(wanted, () => new module.EncoderLoader({ space, scheme: entry.scheme }), optionsOf(id));
  const status = { device: "cpu", reason: { code: "encoder" }, speeds: {}, machine: await probe() };
  loaded = { kind: "encoder", model, status };
  return { ...status, remembered: wanted.remembered ?? {}, info: model.info() };
}

async function embed(id, texts) {
  const encoder = model("encoder");
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) {
    throw new ModelError("bad-call", { detail: "an encoder takes an array of strings" });
  }
  const { dimensions } = encoder.info();
  const vectors = [];
  while (vectors.length < texts.length) {
    assertWanted(signalOf(id));
    const numbers = await encoder.embed(texts.slice(vectors.length, vectors.length + TEXTS));
    for (let at = 0; at < numbers.length; at += dimensions) {
      vectors.push(numbers.slice(at, at + dimensions));
    }
    progressReporter(id)({ stage: "embed", done: vectors.length, total: texts.length });
    await turn();
  }
  return vectors;
}

async function generate(id, messages, options) {
  model();
  unread.set(id, { count: 0, wake() {} });
  const begun = [];
  const onGenerated = (event) => {
    if (event.id !== undefined) {
      begun.push(event.id);
    }
    return onEvent(id, event);
  };
  try {
    return await withCpuFallback(id, (model) => model.generate(messages, { ...options, begun: [...begun] }, onGenerated));
  } finally {
    unread.delete(id);
  }
}

/** Does what may lose the graphics processor; where it does, once more on the CPU. */
async function withCpuFallback(id, action) {
  try {
    return await action(model());
  } catch (error) {
    if (error.code !== "device-lost" || loaded.status.device === "cpu") {
      throw error;
    }
    loaded.model.free();
    await moveToCpu(id, loaded, reasonOf(error));
    return action(model());
  }
}

/** Goes on on the CPU with what was asked for. */
async function moveToCpu(id, request, reason) {
  const { checks, status } = request;
  if (reason.code !== "refused") {
    (reason.code === "lost" ? rememberLoss : rememberWrong)(checks);
  }
  loaded = null;
  progressReporter(id)({ stage: "device", device: "cpu", reason, remembered: Object.fromEntries(checks.memory) });
  const onCpu = await filled(id, request, "cpu");
  loaded = { ...request, model: onCpu, status: { ...status, device: "cpu", reason } };
}

/** Passes on what the model tells, lets messages in, and says whether to go on. */
async function onEvent(id, { token, prefill }) {
  const queued = unread.get(id);
  if (prefill) {
    progressReporter(id)({ stage: "prefill", ...prefill });
  } else if (token) {
    postMessage({ id, token });
    queued.count++;
  }
  await turn();
  const { signal } = running.get(id);
  while (queued && queued.count > UNREAD && !signal.aborted) {
    await new Promise((resolve) => {
      queued.wake = resolve;
    });
  }
  return !signal.aborted;
}

function unload() {
  loaded?.model.free();
  loaded = null;
  return null;
}

/** The model that is loaded, if it is of that kind. */
function model(kind = "decoder") {
  if (!loaded) {
    throw new ModelError("not-loaded");
  }
  if (loaded.kind !== kind) {
    throw new ModelError("wrong-kind", { kind: loaded.kind });
  }
  return loaded.model;
}

function enqueue(action) {
  const result = queue.then(action);
  queue = result.catch(() => {});
  return result;
}

function assertWanted(signal) {
  if (signal.aborted) {
    throw new ModelError("cancelled");
  }
}

function signalOf(id) {
  return running.get(id)?.signal;
}

function progressReporter(id) {
  return (progress) => postMessage({ id, progress });
}

function optionsOf(id) {
  return { signal: signalOf(id), onProgress: progressReporter(id) };
}
