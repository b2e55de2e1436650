// The worker that deliberates: it holds the checks and the roles' prompts, and asks the page for what models say, for
// the page knows where they run.
//
// In:   { id, method: "deliberate", args: [asked, settings, abilities] }   result: Deliberation
//       { id, method: "stop", args: [idOfTheDeliberation] }                result: null
//       { reply: call, result } | { reply: call, error: { code, message, … } } | { reply: call, event }
// Out:  { id, step } | { id, result } | { id, error: { code, message } }
//       { call, role, method: "write" | "score", args }

import init, { deliberate } from "../seealso_deliberation_web.js";

let loading = null;
let nextCall = 1;
const calls = new Map();
const stopped = new Set();

const methods = {
  async deliberate(id, asked, settings, abilities) {
    await (loading ??= load());
    const panel = Object.fromEntries(Object.entries(abilities).map(([role, able]) => [role, model(role, able)]));
    const onStep = (step) => {
      postMessage({ id, step });
      return !stopped.has(id);
    };
    try {
      return await deliberate(asked, panel, settings, onStep);
    } finally {
      stopped.delete(id);
    }
  },
  stop(_id, deliberation) {
    stopped.add(deliberation);
    return null;
  },
};

addEventListener("message", async ({ data }) => {
  if (data.reply) {
    hear(data);
    return;
  }
  try {
    postMessage({ id: data.id, result: await methods[data.method](data.id, ...data.args) });
  } catch (error) {
    postMessage({ id: data.id, error: { code: codeOf(error), message: String(error?.message ?? error) } });
  }
});

// A trap reaches no caller: its promise would stay open for ever.
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  postMessage({ id: null, error: { code: "crashed", message: String(event.reason?.message ?? event.reason) } });
});

/** A model of the page, as the wasm wants one. */
function model(role, abilities) {
  return {
    abilities: () => abilities,
    write: (writing, onEvent) => ask(role, "write", [writing], onEvent),
    score: (prompt, continuations) => ask(role, "score", [prompt, continuations]),
  };
}

function ask(role, method, args, onEvent) {
  const call = nextCall++;
  return new Promise((resolve, reject) => {
    calls.set(call, { resolve, reject, onEvent });
    postMessage({ call, role, method, args });
  });
}

function hear({ reply, event, result, error }) {
  const call = calls.get(reply);
  if (event) {
    // Told not to go on: the page stops the model, whose call then ends.
    if (call?.onEvent?.(event) === false) {
      postMessage({ call: reply, method: "stop" });
    }
    return;
  }
  calls.delete(reply);
  if (error) {
    call?.reject(Object.assign(new Error(error.message), error));
  } else {
    call?.resolve(result);
  }
}

async function load() {
  try {
    await init({ module_or_path: new URL("../seealso_deliberation_web_bg.wasm", import.meta.url) });
  } catch (error) {
    loading = null;
    throw Object.assign(new Error(String(error?.message ?? error)), { code: "no-engine" });
  }
}

function codeOf(error) {
  return error instanceof WebAssembly.RuntimeError ? "crashed" : String(error?.code ?? "internal");
}
