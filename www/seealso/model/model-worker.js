// The dedicated worker in which weights are downloaded and a model runs. Its wasm is loaded with the first `load`.
//
// In:   { id, method: "download", args: [{ entry, file? }] }                       progress…, result: Stored
//       { id, method: "load",     args: [{ key | entry, file?, device, context?, threads?, remembered }] }  progress…, result: Loaded
//       { id, method: "generate", args: [{ messages, options }] }                  progress…, token…, result: Outcome
//       { id, method: "score",    args: [{ messages, continuations }] }            progress…, result: number[]
//       { id, method: "read",     args: [idOfTheGenerate, count] }                 no reply: so many tokens were read
//       { id, method: "stop",     args: [idOfTheCall] }                            result: null
//       { id, method: "unload" | "stats", args: [] }                               result: null | object
// Out:  { id, progress } | { id, token } | { id, result } | { id, error: { code, detail } }
//       Progress is that of a download or a load ({ stage, bytes, total, rate }), of a prompt ({ stage: "prefill", done,
//       total }), or says that the device changed ({ stage: "device", device, reason, remembered }).
// Calls on the model run one after the other. Generating waits while more than UNREAD tokens are unread.

import { totalBytes } from "./catalog.js";
import { chooseDevice, rememberLoss, rememberWrong } from "./device.js";
import { ModelError, sent } from "./errors.js";
import { probe } from "./probe.js";
import { Store } from "./store.js";
import { passingWeights, storedWeights } from "./stream.js";
import { chooseThreads } from "./threads.js";
import { download } from "./weights.js";

/** As many tokens may be under way to the page. */
const UNREAD = 32;

/** Calls that can be stopped: what stops each. @type {Map<number, AbortController>} */
const running = new Map();
/** Tokens that the page has not read yet, and who waits for that. @type {Map<number, {count: number, wake: () => void}>} */
const unread = new Map();
/** What the model is and where it came from. */
let loaded = null;
let engine = null;
let queue = Promise.resolve();

const methods = {
  async download(id, { entry, file = null }) {
    const store = await Store.open();
    const { key } = await download(entry, { store, file, signal: signalOf(id), onProgress: tellerOf(id) });
    return (await store.list()).find((stored) => stored.key === key);
  },
  load: (id, wanted) => inTurn(() => load(id, wanted)),
  generate: (id, { messages, options }) => inTurn(() => generate(id, messages, options)),
  score: (id, { messages, continuations }) => inTurn(async () => {
    const scores = await enduring(id, (model) => model.score(messages, continuations, (event) => onEvent(id, event)));
    return Array.from(scores);
  }),
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
  unload: () => inTurn(unload),
  stats: () => ({ loaded: loaded?.told ?? null, isolated: globalThis.crossOriginIsolated === true, ...loaded?.model.stats() }),
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
  const { module, version } = await started();
  const checks = checksOf(module, version, wanted, await probe());
  tellerOf(id)({ stage: "choosing" });
  const choice = await chooseDevice(checks);
  const asked = { module, wanted, checks, told: { ...choice, machine: checks.machine } };
  try {
    loaded = { ...asked, model: await filled(id, asked, choice.device) };
  } catch (error) {
    const reason = choice.device === "webgpu" && reasonOf(error);
    if (!reason) {
      throw error;
    }
    await moveToCpu(id, asked, reason);
  }
  return { ...loaded.told, remembered: Object.fromEntries(checks.memory), info: loaded.model.info() };
}

/** What is known, and can be found out, of the devices. */
function checksOf(module, version, wanted, machine) {
  const memory = new Map(Object.entries(wanted.remembered ?? {}));
  const versions = [version, navigator.userAgent];
  let threads = wanted.threads ? Promise.resolve({ threads: wanted.threads, speed: null }) : null;
  const cpu = () => (threads ??= chooseThreads(machine, (count) => module.calibrate("cpu", count), { versions, memory }));
  return {
    machine, memory, versions, cpu,
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

/** The model's wasm, started once. */
async function started() {
  try {
    engine ??= import("./module.js").then(async (module) => {
      await module.default();
      return { module, version: module.version() };
    });
    return await engine;
  } catch (error) {
    engine = null;
    throw new ModelError("no-engine", { detail: String(error?.message ?? error) });
  }
}

/** A model with the weights wanted. */
async function filled(id, { module, wanted, checks }, device) {
  const threads = device === "cpu" ? (await checks.cpu()).threads : 1;
  if (wanted.key) {
    const store = await Store.open();
    return store.together(wanted.key, async () => {
      const { record, files } = await storedWeights(store, wanted.key);
      return fed(id, module, { ...wanted, device, threads }, record.entry, files);
    });
  }
  const options = { file: wanted.file, signal: signalOf(id), onProgress: tellerOf(id) };
  return fed(id, module, { ...wanted, device, threads }, wanted.entry, passingWeights(wanted.entry, options));
}

async function fed(id, module, { device, threads, context = 0 }, entry, files) {
  const total = files.reduce((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0) ?? totalBytes(entry);
  const loader = new module.ModelLoader({ device, bytes: total, files: files.length, context, threads });
  const signal = signalOf(id);
  let bytes = 0;
  try {
    for (const { stream } of files) {
      for await (const chunk of piecesOf(stream)) {
        if (signal?.aborted) {
          throw new ModelError("cancelled");
        }
        await loader.feed(chunk);
        bytes += chunk.length;
        tellerOf(id)({ stage: "loading", bytes, total, rate: 0 });
        await turn();
      }
      await loader.endFile();
    }
    return await loader.finish();
  } catch (error) {
    loader.free();
    throw error;
  }
}

async function generate(id, messages, options) {
  model();
  unread.set(id, { count: 0, wake() {} });
  const begun = [];
  const hear = (event) => {
    if (event.id !== undefined) {
      begun.push(event.id);
    }
    return onEvent(id, event);
  };
  try {
    return await enduring(id, (model) => model.generate(messages, { ...options, begun: [...begun] }, hear));
  } finally {
    unread.delete(id);
  }
}

/** Does what may lose the graphics processor; where it does, once more on the CPU. */
async function enduring(id, action) {
  try {
    return await action(model());
  } catch (error) {
    if (error.code !== "device-lost" || loaded.told.device === "cpu") {
      throw error;
    }
    loaded.model.free();
    await moveToCpu(id, loaded, reasonOf(error));
    return action(model());
  }
}

/** Goes on on the CPU with what was asked for. */
async function moveToCpu(id, asked, reason) {
  const { checks, told } = asked;
  if (reason.code !== "refused") {
    (reason.code === "lost" ? rememberLoss : rememberWrong)(checks);
  }
  loaded = null;
  tellerOf(id)({ stage: "device", device: "cpu", reason, remembered: Object.fromEntries(checks.memory) });
  const onCpu = await filled(id, asked, "cpu");
  loaded = { ...asked, model: onCpu, told: { ...told, device: "cpu", reason } };
}

/** Passes on what the model tells, lets messages in, and says whether to go on. */
async function onEvent(id, { token, prefill }) {
  const queued = unread.get(id);
  if (prefill) {
    tellerOf(id)({ stage: "prefill", ...prefill });
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

function model() {
  if (!loaded) {
    throw new ModelError("not-loaded");
  }
  return loaded.model;
}

function inTurn(action) {
  const result = queue.then(action);
  queue = result.catch(() => {});
  return result;
}

function signalOf(id) {
  return running.get(id)?.signal;
}

function tellerOf(id) {
  return (progress) => postMessage({ id, progress });
}

const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()();

/** Lets the messages in that have come meanwhile. A timer would do that too, but never within four milliseconds. */
function turn() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

/** Not every browser can iterate over a stream. */
async function* piecesOf(stream) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
