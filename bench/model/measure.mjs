// One engine with one model, in a browser of its own: what is timed, and the most memory that it took.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { longPrompt, shortPrompt } from "./models.mjs";
import { cpuMeter, peak } from "./processes.mjs";
import { serve } from "./server.mjs";

const FLAGS = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];

/** Switches on a graphics processor that Chromium simulates, where there is no real one. */
const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];

const here = fileURLToPath(new URL(".", import.meta.url));
/** Room for the long prompt and its answer, in tokens. */
const CONTEXT = 2048;

/**
 * Milliseconds and tokens of each pass: `{first_token_ms, short: Pass[], long: Pass?, profile: Pass?, peak_bytes, info}`. `tokens` is how many
 * are written in each.
 * @typedef {{text: string, ids: number[]|null, prompt_tokens: number, tokens: number, first_ms: number, rest_ms: number}} Pass
 */
export async function measure(engine, weights, { runs, threads, tokens, long, say }) {
  const [client, kind] = engine.split("-");
  const device = kind === "webgpu" ? "webgpu" : "cpu";
  const site = process.env.SEEALSO_SITE || join(here, "../../site");
  const server = await serve({
    "/seealso/": join(site, "seealso"),
    "/wllama/": join(here, "node_modules/@wllama/wllama/esm"),
    "/clients/": join(here, "clients"),
    "/models/": weights.folder,
  }, { isolated: threads > 1 });
  const args = device === "webgpu" ? [...FLAGS, ...WEBGPU] : FLAGS;
  const browser = await chromium.launch({ executablePath: process.env.CHROME || "/usr/bin/chromium", args });
  try {
    const page = await (await browser.newContext()).newPage();
    page.on("pageerror", (error) => say(`in the page: ${error}`));
    page.setDefaultTimeout(0);
    await page.goto(server.origin);
    const given = { client: `/clients/${client}.js`, threads, device, url: `${server.origin}/models/${weights.file}`, bytes: weights.bytes, context: CONTEXT };
    await page.evaluate(store, given);
    // The page that only downloaded is left: what follows begins as a reader's next visit does.
    await page.goto(`${server.origin}/?again`);
    const meter = await cpuMeter(browser);
    let marks = [];
    await page.exposeFunction("mark", async () => marks.push(await meter()));
    const pass = async (prompt, options = {}) => {
      marks = [];
      const timed = await page.evaluate(ask, { prompt, tokens, ...options });
      const [begun, first, end] = marks;
      return { ...timed, first_cpu_ms: first - begun, rest_cpu_ms: end - first };
    };
    const begun = await page.evaluate(firstToken, { ...given, prompt: shortPrompt(0) });
    if (device === "webgpu") {
      // Workers that wait for work of several threads would never answer.
      await Promise.all(page.workers().map((worker) => worker.evaluate(countGpuWork)));
    }
    say(`  first token after ${Math.round(begun.ms)} ms`);
    // One pass that is not counted: compilers warm up.
    await pass(shortPrompt(1));
    const short = [];
    for (let run = 0; run < runs; run++) {
      short.push(await pass(shortPrompt(run + 2)));
      say(`  ${told(short.at(-1))}`);
    }
    const far = long ? await pass(longPrompt(1)) : null;
    if (far) say(`  ${told(far)}`);
    const gpu = device === "webgpu" ? await gpuWork(page, () => pass(shortPrompt(8), { tokens: 1 }), () => pass(shortPrompt(10))) : null;
    const profile = kind === undefined && client === "seealso" ? await pass(shortPrompt(9), { profile: true }) : null;
    return { info: begun.info, first_token_ms: begun.ms, short, long: far, profile, gpu, peak_bytes: await peak(browser) };
  } finally {
    await browser.close();
    server.close();
  }
}

const told = ({ prompt_tokens, first_ms, tokens, rest_ms }) => `${prompt_tokens} tokens read at ${((prompt_tokens / first_ms) * 1000).toFixed(1)}/s, ${tokens} written at ${(((tokens - 1) / rest_ms) * 1000).toFixed(1)}/s`;

/**
 * What a token costs a graphics processor: the commands of an answer of many tokens less those of an answer of one, each to a
 * prompt of the same length. `{dispatches, submits, bound_bytes}`, the last being the sizes of all that is bound to each dispatch.
 */
async function gpuWork(page, one, many) {
  const counted = async (answer) => {
    await Promise.all(page.workers().map((worker) => worker.evaluate(() => globalThis.gpuWork?.reset())));
    const { tokens } = await answer();
    const each = await Promise.all(page.workers().map((worker) => worker.evaluate(() => globalThis.gpuWork ?? null)));
    const sum = (name) => each.reduce((total, work) => total + (work?.[name] ?? 0), 0);
    return { tokens, dispatches: sum("dispatches"), submits: sum("submits"), bound_bytes: sum("bound_bytes") };
  };
  const [first, all] = [await counted(one), await counted(many)];
  const a_token = (name) => Math.round((all[name] - first[name]) / (all.tokens - first.tokens));
  return { dispatches: a_token("dispatches"), submits: a_token("submits"), bound_bytes: a_token("bound_bytes") };
}

// What follows runs in the page.

async function store({ client, ...options }) {
  const { store } = await import(client);
  await store(options);
}

async function firstToken({ client, prompt, ...options }) {
  const start = performance.now();
  globalThis.client = await import(client);
  const info = await globalThis.client.load(options);
  let ms = null;
  await globalThis.client.generate(prompt, 1, () => {
    ms ??= performance.now() - start;
  });
  return { ms, info };
}

async function ask({ prompt, tokens, profile }) {
  await globalThis.mark();
  const start = performance.now();
  let first = null;
  let last = null;
  let marked = null;
  let text = "";
  const outcome = await globalThis.client.generate(prompt, tokens, (piece) => {
    last = performance.now();
    if (first === null) {
      first = last;
      marked = globalThis.mark();
    }
    text += piece;
  }, profile);
  await marked;
  await globalThis.mark();
  return { text, ...outcome, first_ms: first - start, rest_ms: last - first };
}

/** In a worker: counts what it has a graphics processor do, from now on. */
function countGpuWork() {
  if (!globalThis.GPUComputePassEncoder) {
    return;
  }
  const work = { dispatches: 0, submits: 0, bound_bytes: 0, reset() { Object.assign(work, { dispatches: 0, submits: 0, bound_bytes: 0 }); } };
  globalThis.gpuWork = work;
  const sizes = new WeakMap();
  const before = (kind, name, note) => {
    const real = kind.prototype[name];
    kind.prototype[name] = function (...args) {
      const result = real.apply(this, args);
      note(this, args, result);
      return result;
    };
  };
  const sizeOf = ({ resource }) => resource.size ?? (resource.buffer ?? resource).size - (resource.offset ?? 0);
  before(GPUDevice, "createBindGroup", (_, [{ entries }], group) => sizes.set(group, [...entries].reduce((sum, entry) => sum + (sizeOf(entry) || 0), 0)));
  before(GPUComputePassEncoder, "setBindGroup", (pass, [index, group]) => {
    const bound = sizes.get(pass) ?? [];
    bound[index] = sizes.get(group) ?? 0;
    sizes.set(pass, bound);
  });
  for (const name of ["dispatchWorkgroups", "dispatchWorkgroupsIndirect"]) {
    before(GPUComputePassEncoder, name, (pass) => {
      work.dispatches += 1;
      work.bound_bytes += (sizes.get(pass) ?? []).reduce((sum, size) => sum + (size ?? 0), 0);
    });
  }
  before(GPUQueue, "submit", () => {
    work.submits += 1;
  });
}
