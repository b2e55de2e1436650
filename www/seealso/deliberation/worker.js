// The worker that deliberates: it holds the checks and the roles' prompts. What models say it asks the page for, which
// knows where they run; a node it asks itself, so that a page's own policy need not let the page reach other origins.
//
// In:   { id, method: "deliberate", args: [asked, settings, abilities] }     result: Deliberation
//       { id, method: "deliberateAtNode", args: [asked, node, settings] }    result: Deliberation
//       { id, method: "nodeTerms", args: [base] }                            result: { base, origin, private, sent, kept, remarks }
//       { id, method: "askNode", args: [node] }                              result: { name, context }
//       { id, method: "stop", args: [idOfTheDeliberation] }                  result: null
//       { reply: call, result } | { reply: call, error: { code, message, … } } | { reply: call, event }
// Out:  { id, step } | { id, result } | { id, error: { code, message, names? } }
//       { call, id, role, method: "write" | "score" | "judge", args }     id: of the deliberation whose model is meant
//       { call, method: "stop" }
//       What is asked is an answer; or { question, alone: true }, whose result is an answer from the model's own knowledge.
//       An id of null belongs to no request. The message of the code "policy" is the origin that was refused.

import initChecks, { answerFromOwnKnowledge, deliberate, needsLanguages, useLanguages } from "../seealso_deliberation_web.js";

let nextCall = 1;
const calls = new Map();
const stopped = new Set();
/** Origins that the policy of this script did not let it reach. */
const refused = new Set();

const checks = once(async () => {
  await initChecks({ module_or_path: new URL("../seealso_deliberation_web_bg.wasm", import.meta.url) });
});
/** The checks, with the stemmers that the pages' languages need. Where these can't be had, words are compared as they stand. */
async function checksFor({ sources = [] }) {
  await checks();
  if (needsLanguages(sources.map(({ language }) => language ?? ""))) {
    try {
      const { languageSupport } = await import("../languages.js");
      useLanguages((await languageSupport()).analyse);
    } catch {
      // The next answer tries again.
    }
  }
}
/** What asks nodes: a wasm of its own, which who names none does not load. */
const nodes = once(async () => {
  const nodes = await import("../seealso_node_web.js");
  await nodes.default({ module_or_path: new URL("../seealso_node_web_bg.wasm", import.meta.url) });
  return nodes;
});

const methods = {
  async deliberate(id, asked, settings, abilities) {
    await checksFor(asked);
    const panel = Object.fromEntries(Object.entries(abilities).map(([role, able]) => [role, hearing(id, model(id, role, able))]));
    return watched(id, (onStep) => work(asked, panel, settings, onStep));
  },
  async deliberateAtNode(id, asked, node, settings) {
    await checksFor(asked);
    return watched(id, (onStep) => atNode(node, () => onStep({ kind: "waiting" }), (node) => {
      const writer = hearing(id, node);
      return work(asked, { expert: writer, critic: writer, synthesizer: writer }, settings, onStep);
    }));
  },
  nodeTerms: async (_id, base) => (await nodes()).nodeTerms(base),
  askNode: (id, node) => watched(id, (onStep) => atNode(node, () => onStep({ kind: "waiting" }), (writer) => writer.abilities())),
  stop(_id, deliberation) {
    stopped.add(deliberation);
    return null;
  },
};

addEventListener("message", async ({ data }) => {
  if (data.reply) {
    receive(data);
    return;
  }
  try {
    postMessage({ id: data.id, result: await methods[data.method](data.id, ...data.args) });
  } catch (error) {
    postMessage({ id: data.id, error: { code: codeOf(error), message: String(error?.message ?? error), names: error?.names } });
  }
});

// A trap reaches no caller: its promise would stay open for ever.
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  postMessage({ id: null, error: { code: "crashed", message: String(event.reason?.message ?? event.reason) } });
});

addEventListener("securitypolicyviolation", ({ blockedURI }) => {
  if (URL.canParse(blockedURI)) {
    refused.add(new URL(blockedURI).origin);
  }
});

/** Deliberates on an answer; to a question alone, the Expert's model answers from its own knowledge. */
function work(asked, panel, settings, onStep) {
  return asked.alone ? answerFromOwnKnowledge(asked.question, panel.expert, settings, onStep) : deliberate(asked, panel, settings, onStep);
}

/** The deliberations that stop at their next step. */
async function watched(id, run) {
  try {
    return await run((step) => {
      postMessage({ id, step });
      return !stopped.has(id);
    });
  } finally {
    stopped.delete(id);
  }
}

/**
 * A model that is asked only once the worker has heard what the page said meanwhile. The checks compute for long without a
 * pause, and nothing may leave after the reader stopped or agrees no longer.
 */
function hearing(id, model) {
  const after = (method) => async (...args) => {
    await messagesHeard();
    if (stopped.has(id)) {
      throw Object.assign(new Error("stopped"), { code: "stopped" });
    }
    return model[method](...args);
  };
  return {
    abilities: () => model.abilities(),
    write: after("write"),
    score: after("score"),
    ...(model.judge && { judge: after("judge") }),
  };
}

/** Promises alone never let a message in. */
function messagesHeard() {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Connects to a node, as a model for `use`. A node that the policy refuses is told from one that is not there: `fetch`
 * does not do that.
 */
async function atNode(node, goOn, use) {
  const { WebNode } = await nodes();
  refused.delete(node.agreed);
  let writer = null;
  try {
    writer = await WebNode.connect(node, goOn);
    return await use(writer);
  } catch (error) {
    throw refused.has(node.agreed) ? Object.assign(new Error(node.agreed), { code: "policy" }) : error;
  } finally {
    writer?.free();
  }
}

/** A model of the page, as the wasm wants one. */
function model(id, role, abilities) {
  const ask = (method, args, onEvent) => askPage({ id, role, method, args }, onEvent);
  return {
    abilities: () => abilities,
    write: (writing, onEvent) => ask("write", [writing], onEvent),
    score: (prompt, continuations) => ask("score", [prompt, continuations]),
    ...(abilities.judges && { judge: (prompt, answers) => ask("judge", [prompt, answers]) }),
  };
}

function askPage(asked, onEvent) {
  const call = nextCall++;
  return new Promise((resolve, reject) => {
    calls.set(call, { resolve, reject, onEvent });
    postMessage({ call, ...asked });
  });
}

function receive({ reply, event, result, error }) {
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

/** Loads a wasm when it is first wanted, and again where that failed. */
function once(load) {
  let loading = null;
  return () => {
    loading ??= load().catch((error) => {
      loading = null;
      throw Object.assign(new Error(String(error?.message ?? error)), { code: "no-engine" });
    });
    return loading;
  };
}

function codeOf(error) {
  return error instanceof WebAssembly.RuntimeError ? "crashed" : String(error?.code ?? "internal");
}
