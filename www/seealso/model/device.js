// Which device a model runs on. A graphics processor is used only where it is there, has what the model needs, gave
// right results in a check, and was measured to be the faster one; everything else ends on the CPU, with the reason.

/** A driver compiles some thirty programs meanwhile: a simulated processor takes half of this beside other work. */
const CHECK_MS = 90_000;
/** A device that was lost so often is not tried again. */
const LOSSES = 2;

/**
 * @typedef {"webgpu"|"cpu"} Device
 * @typedef {{decode: number, prefill: number}} Speed tokens a second
 * @typedef {object} Choice
 * @property {Device} device
 * @property {{code: string}} reason its code is a key of `deviceReasons` in words.js
 * @property {Partial<Record<Device, Speed>>} speeds what was measured
 * @typedef {object} Checks what is known and can be found out of this machine
 * @property {import("./probe.js").Machine} machine
 * @property {(device: Device) => Promise<boolean>} knownAnswer whether the device computes what it must
 * @property {(device: Device) => Promise<Speed>} calibrate
 * @property {{features?: string[], limits?: Record<string, number>}} [needs] of the graphics processor
 * @property {string[]} [versions] of all that a remembered choice depends on: the model's wasm, the browser
 * @property {Device|"auto"} [wish] the reader's own
 * @property {Memory} [memory]
 * @property {() => Promise<void>} [throwIfStopped] called after each check; rejects where the reader has stopped meanwhile
 * @property {number} [checkMs]
 * @typedef {object} Memory what earlier choices are kept in
 * @property {(key: string) => any} get
 * @property {(key: string, value: any) => void} set
 */

const NO_MEMORY = { get: () => undefined, set() {} };
const NOBODY = async () => {};

/** Chooses. What fails leads to the CPU; it rejects only with what `throwIfStopped` does. @param {Checks} checks @returns {Promise<Choice>} */
export async function chooseDevice(checks) {
  const { machine, wish = "auto", memory = NO_MEMORY } = checks;
  if (wish === "cpu") {
    return onCpu("chosen");
  }
  const unfit = unfitReason(machine, checks.needs ?? {}, wish);
  if (unfit) {
    return onCpu(unfit.code, unfit);
  }
  const key = keyOf(checks);
  const known = memory.get(key) ?? {};
  const earlier = rememberedChoice(known, wish);
  if (earlier) {
    return earlier;
  }
  const wrong = known.right ? null : await distrustReason(checks);
  if (wrong) {
    // A check that ran out of time or failed may pass on another day; wrong results stay wrong.
    memory.set(key, { ...known, wrong: wrong.code === "wrong-answer" ? wrong : undefined });
    return onCpu(wrong.code, wrong);
  }
  const choice = wish === "webgpu" ? chosenGpu(known) : await fastest(checks);
  memory.set(key, { ...known, right: true, ...(wish === "auto" && choice.reason.code === "faster" ? { choice, speeds: choice.speeds } : {}) });
  return choice;
}

/**
 * What earlier visits found for a machine with a graphics processor that comes into question, before the wasm is there to
 * tell its version; null where they found nothing.
 * @param {Record<string, any>} remembered @param {import("./probe.js").Machine} machine @param {Device|"auto"} wish
 * @returns {Choice|null}
 */
export function earlierChoice(remembered, { adapter }, wish, userAgent = globalThis.navigator?.userAgent) {
  const latest = Object.keys(remembered).findLast((key) => key.startsWith(`${adapter.key}|`) && key.endsWith(`|${userAgent}`));
  return latest ? rememberedChoice(remembered[latest], wish) : null;
}

/** What follows from what is known, without a check; null where that does not say. */
function rememberedChoice(known, wish) {
  if ((known.losses ?? 0) >= LOSSES) {
    return onCpu("lost");
  }
  if (known.wrong) {
    return onCpu(known.wrong.code, known.wrong);
  }
  if (wish === "webgpu") {
    return known.right ? chosenGpu(known) : null;
  }
  return known.choice ?? null;
}

function chosenGpu({ speeds = {} }) {
  return { device: "webgpu", reason: { code: "chosen" }, speeds };
}

/** Remembers that the graphics processor was lost while it worked. @param {Checks} checks */
export function rememberLoss(checks) {
  remember(checks, ({ losses = 0 }) => ({ losses: losses + 1 }));
}

/** Remembers that it computed wrongly for a model. @param {Checks} checks */
export function rememberWrong(checks) {
  remember(checks, () => ({ wrong: { code: "wrong-answer" } }));
}

function remember(checks, change) {
  const { memory = NO_MEMORY } = checks;
  const key = keyOf(checks);
  const known = memory.get(key) ?? {};
  memory.set(key, { ...known, ...change(known) });
}

function keyOf({ machine, versions = [] }) {
  return [machine.adapter?.key ?? "none", ...versions].join("|");
}

function onCpu(code, detail = {}) {
  return { device: "cpu", reason: { ...detail, code }, speeds: {} };
}

/** Why no graphics processor comes into question; null where one does. */
export function unfitReason({ webgpu, adapter }, { features = [], limits = {} }, wish) {
  if (!webgpu) {
    return { code: "no-webgpu" };
  }
  if (!adapter) {
    return { code: "no-adapter" };
  }
  if (adapter.software && wish !== "webgpu") {
    return { code: "software" };
  }
  const feature = features.find((name) => !adapter.features.includes(name));
  if (feature) {
    return { code: "missing-feature", feature };
  }
  const limit = Object.keys(limits).find((name) => adapter.limits[name] < limits[name]);
  return limit ? { code: "too-small", limit, needed: limits[limit], has: adapter.limits[limit] } : null;
}

/** Why the graphics processor can't be trusted; null where it can. */
async function distrustReason({ knownAnswer, throwIfStopped = NOBODY, checkMs = CHECK_MS }) {
  const result = await outcome(() => knownAnswer("webgpu"), checkMs);
  await throwIfStopped();
  if (result.value === true) {
    return null;
  }
  if (result.silent) {
    return { code: "silent", seconds: checkMs / 1000 };
  }
  return result.error ? { code: "failed", detail: result.error } : { code: "wrong-answer" };
}

async function fastest({ calibrate, throwIfStopped = NOBODY, checkMs = CHECK_MS }) {
  const cpu = await outcome(() => calibrate("cpu"), checkMs);
  await throwIfStopped();
  const gpu = await outcome(() => calibrate("webgpu"), checkMs);
  await throwIfStopped();
  for (const [device, result] of [["webgpu", gpu], ["cpu", cpu]]) {
    if (!(result.value?.decode > 0)) {
      const detail = result.error ?? (result.silent ? `no end within ${checkMs / 1000} s` : "no speed");
      return { ...onCpu("not-calibrated", { detail, device }), speeds: cpu.value?.decode > 0 ? { cpu: cpu.value } : {} };
    }
  }
  const device = gpu.value.decode > cpu.value.decode ? "webgpu" : "cpu";
  return {
    device,
    reason: { code: "faster", device, gpu: gpu.value.decode, cpu: cpu.value.decode },
    speeds: { webgpu: gpu.value, cpu: cpu.value },
  };
}

/** What came of a check: a value, an error's text, or nothing in time. */
async function outcome(check, ms) {
  let timer;
  const silence = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ silent: true }), ms);
  });
  const run = Promise.resolve().then(check).then((value) => ({ value }), (error) => ({ error: String(error?.message ?? error) }));
  try {
    return await Promise.race([run, silence]);
  } finally {
    clearTimeout(timer);
  }
}
