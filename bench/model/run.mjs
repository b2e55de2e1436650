// `cargo xtask bench model [--json]`: seealso's decoder beside llama.cpp's (wllama), in Chromium, on one thread, with the
// same weights and the same prompts.
//
// Standard output is the report, as JSON with --json and as a table without; progress goes to standard error.
// The build is told in SEEALSO_SITE, the browser in CHROME. The weights are those of the folder that
// SEEALSO_MODELS names, or of www/models (README.md).
// Further options: --model a,b  of smollm2 (alone if not given) and qwen;  --engines a,b  of seealso, wllama,
// seealso-threads, which is seealso on --threads n threads, 2 if not given, and seealso-webgpu and wllama-webgpu, on the graphics
// processor that Chromium simulates;  --runs n  passes over the short prompt, 5 if not given;  --tokens n  written in each, 64 if
// not given;  --short  leave out the long prompt.

import { parseArgs } from "node:util";
import { measure } from "./measure.mjs";
import { MODELS, weightsOf } from "./models.mjs";
import { report, table } from "./report.mjs";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean" },
    model: { type: "string", default: "smollm2" },
    engines: { type: "string", default: "seealso,wllama" },
    threads: { type: "string", default: "2" },
    runs: { type: "string", default: "5" },
    tokens: { type: "string", default: "64" },
    short: { type: "boolean" },
  },
});

const say = (line) => console.error(`  ${line}`);

const listed = (name, known) => {
  const names = options[name].split(",");
  const unknown = names.find((each) => !known.includes(each));
  if (unknown) throw new Error(`--${name} takes a list of: ${known.join(", ")}`);
  return names;
};

const count = (name) => {
  const value = Number(options[name]);
  if (!(Number.isInteger(value) && value > 0)) throw new Error(`--${name} takes a whole number above 0`);
  return value;
};

const runs = count("runs");
const tokens = count("tokens");
const engines = listed("engines", ["seealso", "wllama", "seealso-threads", "seealso-webgpu", "wllama-webgpu"]);
/** A page that is not isolated has one thread. */
const threadsOf = (engine) => (engine === "seealso-threads" ? count("threads") : 1);

const measured = {};
for (const name of listed("model", Object.keys(MODELS))) {
  const weights = await weightsOf(name);
  measured[name] = { weights, engines: {} };
  for (const engine of engines) {
    say(`${name} on ${engine}`);
    measured[name].engines[engine] = await measure(engine, weights, { runs, tokens, threads: threadsOf(engine), long: !options.short, say });
  }
}
const whole = report(measured);
console.log(options.json ? JSON.stringify(whole, null, 2) : table(whole));
