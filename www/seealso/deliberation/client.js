// The page's side of a deliberation: it starts the worker, and brings its models' words to it.
//
// A model here is an object with `abilities` ({ name, context, tools, judge, judges }), `write(writing, onEvent, signal)`,
// which resolves to { text, tokens, prompt_tokens, known_tokens, cut }, and `score(prompt, continuations, signal)`; one whose
// abilities say that it `judges` otherwise than by the scores of two answers has `judge(prompt, answers, signal)` too. Errors
// are `Error`s with a `code`. A node is { base, agreed, model, key, context, wait }; the worker asks it.

import { words } from "./words.js";

/** What went wrong: `code` is for programs, `message` for the reader; `names` are a node's models, where one must be named. */
export class DeliberationError extends Error {
  constructor(code, message, names = []) {
    super(message);
    this.name = "DeliberationError";
    this.code = code;
    this.names = names;
  }
}

/** Deliberates on answers, one after the other. */
export class Deliberations {
  #worker = null;
  #pending = new Map();
  #calls = new Map();
  #nextId = 1;

  /**
   * Resolves to what came of it; rejects with code "stopped" where `signal` ended it.
   * @param {object} answer the engine's answer
   * @param {{models: {expert: object, critic: object, synthesizer: object}}|{node: object}} by who plays the roles
   * @param {{tier?: string, max_tokens?: number, seed?: number}} settings
   * @param {{onStep?: (step: object) => void, signal?: AbortSignal}} options
   */
  run({ question, sentences, sub_queries, sources, notices = [] }, { models, node }, settings, options = {}) {
    const asked = { question, sentences, sub_queries, sources, notices };
    if (node) {
      return this.#call("deliberateAtNode", [asked, node, settings], options);
    }
    const abilities = Object.fromEntries(Object.entries(models).map(([role, { abilities }]) => [role, abilities]));
    return this.#call("deliberate", [asked, settings, abilities], { ...options, models });
  }

  /** What would be sent to a node: { base, origin, private, sent, kept, remarks }. Nothing is sent for that. */
  terms(base) {
    return this.#call("nodeTerms", [base]);
  }

  /** Asks a node for what it has; resolves to { name, context } of the model that would write. */
  askNode(node, options = {}) {
    return this.#call("askNode", [node], options);
  }

  /** Ends the worker; what is still running is rejected. */
  close() {
    this.#lose(new DeliberationError("stopped", words.stopped));
  }

  #call(method, args, { onStep = () => {}, signal, models = null } = {}) {
    const id = this.#nextId++;
    // Whoever stops does not wait for a model that reads on: it ends in its own time.
    const stop = () => {
      this.#post({ id: this.#nextId++, method: "stop", args: [id] });
      for (const call of this.#calls.values()) {
        call.abort();
      }
      this.#pending.get(id)?.reject(new DeliberationError("stopped", words.stopped));
    };
    const reply = new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(new DeliberationError("stopped", words.stopped));
        return;
      }
      signal?.addEventListener("abort", stop, { once: true });
      this.#pending.set(id, { resolve, reject, onStep, models });
      this.#post({ id, method, args });
    });
    return reply.finally(() => {
      signal?.removeEventListener("abort", stop);
      this.#pending.delete(id);
    });
  }

  #post(message) {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "see-also-deliberation" });
    worker.addEventListener("message", ({ data }) => this.#hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#lose(new DeliberationError("crashed", words.crashed));
    });
    return worker;
  }

  #hear({ id, step, result, error, call, role, method, args }) {
    if (call) {
      this.#ask(call, role, method, args);
      return;
    }
    const pending = this.#pending.get(id);
    if (step) {
      pending?.onStep(step);
    } else if (id === null || error?.code === "crashed" || error?.code === "no-engine") {
      this.#lose(new DeliberationError(error.code, `${words.crashed} (${error.message})`));
    } else if (pending) {
      if (error) {
        const message = error.code === "policy" ? words.policy(error.message) : error.message;
        pending.reject(new DeliberationError(error.code, message, error.names));
      } else {
        pending.resolve(result);
      }
    }
  }

  /** Has a model write, score or judge for the worker. */
  async #ask(call, role, method, args) {
    if (method === "stop") {
      this.#calls.get(call)?.abort();
      return;
    }
    // One deliberation runs at a time, and its models are the ones meant.
    const models = [...this.#pending.values()].findLast(({ models }) => models)?.models;
    if (!models) {
      this.#worker?.postMessage({ reply: call, error: { code: "stopped", message: words.stopped } });
      return;
    }
    const run = new AbortController();
    this.#calls.set(call, run);
    const tell = (event) => this.#worker?.postMessage({ reply: call, event });
    try {
      const heard = method === "write" ? [tell] : [];
      const result = await models[role][method](...args, ...heard, run.signal);
      this.#worker?.postMessage({ reply: call, result });
    } catch (error) {
      const { code = "model", message, tokens, room } = error;
      this.#worker?.postMessage({ reply: call, error: { code, message, tokens, room } });
    } finally {
      this.#calls.delete(call);
    }
  }

  #lose(error) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const call of this.#calls.values()) {
      call.abort();
    }
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) {
      reject(error);
    }
  }
}
