// From what was measured to the report.

import { cpus, loadavg, release } from "node:os";

const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const rounded = (value, digits = 2) => (value === null ? null : Number(value.toFixed(digits)));

/** Tokens a second of a pass: the prompt's until the first token is there, and those after it. */
const prefillRate = ({ prompt_tokens, first_ms }) => (prompt_tokens / first_ms) * 1000;
const decodeRate = ({ tokens, rest_ms }) => (tokens > 1 ? ((tokens - 1) / rest_ms) * 1000 : null);

/** The same by processor time, in place of the clock's. */
const byCpu = (pass) => ({ ...pass, first_ms: pass.first_cpu_ms, rest_ms: pass.rest_cpu_ms });

const engineOf = ({ info, first_token_ms, short, long, profile, gpu, peak_bytes }) => ({
  prompt_tokens: short[0].prompt_tokens,
  tokens: short[0].tokens,
  prefill_tps: rounded(median(short.map(prefillRate))),
  decode_tps: rounded(median(short.map(decodeRate))),
  prefill_tps_cpu: rounded(median(short.map(byCpu).map(prefillRate))),
  decode_tps_cpu: rounded(median(short.map(byCpu).map(decodeRate))),
  ...(long && {
    long_prompt_tokens: long.prompt_tokens,
    long_prefill_tps: rounded(prefillRate(long)),
    long_decode_tps: rounded(decodeRate(long)),
    long_prefill_tps_cpu: rounded(prefillRate(byCpu(long))),
    long_decode_tps_cpu: rounded(decodeRate(byCpu(long))),
  }),
  first_token_ms: Math.round(first_token_ms),
  peak_bytes,
  ...(gpu && { gpu_work_a_token: gpu }),
  ...(profile && { profile: profileOf(profile) }),
  info,
});

/** What of a pass is spent outside the kernels: burn's dispatch, copies, sampling, and messages between worker and page. */
function profileOf({ kernel_ms, prefill_ms, decode_ms, tokens }) {
  const inside = Object.values(kernel_ms).reduce((sum, ms) => sum + ms, 0);
  const whole = prefill_ms + decode_ms;
  const parts = Object.entries(kernel_ms).map(([name, ms]) => [name, rounded(ms)]);
  return { whole_ms: rounded(whole), kernel_ms: rounded(inside), kernel_share: rounded(inside / whole, 3), outside_ms_a_token: rounded((whole - inside) / tokens, 3), parts: Object.fromEntries(parts) };
}

/** Of two answers to the same prompt: how much of the text is the same, from the beginning, in UTF-16 units of whole characters. */
function common(a, b) {
  let at = 0;
  for (const character of a) {
    if (!b.startsWith(character, at)) {
      break;
    }
    at += character.length;
  }
  return at;
}

function textsOf(ours, theirs) {
  const pairs = ours.short.map((pass, at) => [pass.text, theirs.short[at].text]);
  const same = pairs.filter(([a, b]) => a === b).length;
  const first = pairs.find(([a, b]) => a !== b);
  const difference = first && { at: common(...first), ours: first[0].slice(common(...first)).slice(0, 60), theirs: first[1].slice(common(...first)).slice(0, 60) };
  return { passes: pairs.length, same, ...(difference && { first_difference: difference }) };
}

const SPEEDS = ["prefill_tps", "decode_tps", "long_prefill_tps", "long_decode_tps"];
const RATES = [...SPEEDS, ...SPEEDS.map((name) => `${name}_cpu`), "first_token_ms", "peak_bytes"];

/** Which engines are compared: the first pair of which both were measured. */
const PAIRS = [["seealso", "wllama"], ["seealso-webgpu", "wllama-webgpu"]];

function ratiosOf(rates, ours, theirs) {
  return Object.fromEntries(rates.filter((rate) => ours[rate] && theirs[rate]).map((rate) => [rate, rounded(ours[rate] / theirs[rate], 3)]));
}

/** The report; `ratios` are ours over theirs, `threads` several of ours over one. */
export function report(measured) {
  const models = {};
  for (const [name, { weights, engines }] of Object.entries(measured)) {
    const figures = Object.fromEntries(Object.entries(engines).map(([engine, results]) => [engine, engineOf(results)]));
    const both = PAIRS.find((pair) => pair.every((engine) => figures[engine]));
    const threads = figures.seealso && figures["seealso-threads"];
    models[name] = {
      about: weights.about,
      weight_bytes: weights.bytes,
      engines: figures,
      ...(threads && { threads: ratiosOf(SPEEDS, threads, figures.seealso) }),
      ...(both && {
        ratios: ratiosOf(RATES, ...both.map((engine) => figures[engine])),
        texts: textsOf(...both.map((engine) => engines[engine])),
      }),
    };
  }
  return { machine: { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, system: release(), load: rounded(loadavg()[0]) }, models };
}

/** The report for people. */
export function table({ machine, models }) {
  const lines = [`${machine.cpu}, ${machine.cores} cores, load ${machine.load}`];
  for (const [name, { about, engines, ratios, texts, threads }] of Object.entries(models)) {
    lines.push("", `${name}: ${about}`, ["", ...Object.keys(engines), ...(ratios ? ["ratio"] : [])].map((cell) => cell.padStart(22)).join(""));
    for (const rate of RATES) {
      const cells = Object.values(engines).map((figures) => figures[rate] ?? "");
      lines.push([rate, ...cells, ...(ratios ? [ratios[rate] ?? ""] : [])].map((cell) => String(cell).padStart(22)).join(""));
    }
    const profile = engines.seealso?.profile;
    if (profile) lines.push(`in the kernels: ${(profile.kernel_share * 100).toFixed(1)} % of the time; outside ${profile.outside_ms_a_token} ms a token`);
    for (const [engine, { gpu_work_a_token: work }] of Object.entries(engines)) {
      if (work) lines.push(`${engine}, a token: ${work.dispatches} dispatches in ${work.submits} submits, ${work.bound_bytes} bytes bound`);
    }
    if (threads) lines.push(`several threads over one: ${Object.entries(threads).map(([rate, ratio]) => `${rate} ${ratio}`).join(", ")}`);
    if (texts) lines.push(`the same text in ${texts.same} of ${texts.passes} passes`);
  }
  return lines.join("\n");
}
