// The page's side of a deliberation: it starts the worker, and brings its models' words to it.
//
// A model here is an object with `abilities` ({ name, context, tools, judge, judges }), `write(writing, onEvent, signal)`,
// which resolves to { text, reasoning, tokens, prompt_tokens, known_tokens, cut }, and `score(prompt, continuations, signal)`; one whose
// abilities say that it `judges` otherwise than by the scores of two answers has `judge(prompt, answers, signal)` too. Errors
// are `Error`s with a `code`. A node is { base, agreed, model, key, context, wait }; the worker asks it.

import { words } from "./words.js";

/** How long a worker may take to hear of a stop before another takes its place. */
const STOP_GRACE_MS = 2000;

/** What went wrong: `code` is for programs, `message` for the reader; `names` are a node's models, where one must be named. */
export class DeliberationError extends Error {
  constructor(code, message, names = []) {
    super(message);
    this.name = "DeliberationError";
    this.code = code;
    this.names = names;
  }
}

/** Deliberates on answers, one after the other, and answers questions from a model's own knowledge. */
export class Deliberations {
  #worker = null;
  #pending = new Map();
  #calls = new Map();
  #nextId = 1;

  /**
   * Resolves to what came of it; rejects with code "stopped" where `signal` ended it.
   * @param {object} asked the engine's answer; or { question, alone: true }, to be answered from the model's own knowledge
   * @param {{models: {expert: object, critic: object, synthesizer: object}}|{node: object}} by who plays the roles
   * @param {{tier?: string, max_tokens?: number, seed?: number}} settings
   * @param {{onStep?: (step: object) => void, signal?: AbortSignal}} options
   */
  run({ question, alone, sentences, sub_queries, sources, notices = [] }, { models, node }, settings, options = {}) {
    const asked = alone ? { question, alone } : { question, sentences, sub_queries, sources, notices };
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
    const stop = () => this.#stop(id);
    const reply = new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(new DeliberationError("stopped", words.stopped));
        return;
      }
      signal?.addEventListener("abort", stop, { once: true });
      this.#pending.set(id, { resolve, reject, onStep, models, method, args });
      this.#post({ id, method, args });
    });
    return reply.finally(() => {
      signal?.removeEventListener("abort", stop);
      this.#pending.delete(id);
    });
  }

  /** Whoever stops does not wait for a model that reads on: it ends in its own time. */
  #stop(id) {
    const worker = this.#worker;
    // What else is asked computes nothing: a worker that is busy then is so with something that goes on.
    let isStopped = !this.#pending.get(id)?.method.startsWith("deliberate");
    this.#call("stop", [id]).catch(() => {}).finally(() => (isStopped = true));
    setTimeout(() => isStopped || worker !== this.#worker || this.#startAnew(), STOP_GRACE_MS);
    this.#abortCalls((deliberation) => deliberation === id);
    this.#pending.get(id)?.reject(new DeliberationError("stopped", words.stopped));
  }

  /** Another worker in the place of one that is too busy to hear anything; what else is asked, it does from the beginning. */
  #startAnew() {
    this.#end();
    for (const [id, { method, args }] of this.#pending) {
      this.#post({ id, method, args });
    }
  }

  /** Ends what the page's models do for the deliberations that `isMeant` picks. */
  #abortCalls(isMeant = () => true) {
    for (const { id, run } of this.#calls.values()) {
      if (isMeant(id)) {
        run.abort();
      }
    }
  }

  #post(message) {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "see-also-deliberation" });
    worker.addEventListener("message", ({ data }) => this.#receive(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#lose(new DeliberationError("crashed", words.crashed));
    });
    return worker;
  }

  #receive(data) {
    const { id, step, result, error, call } = data;
    if (call) {
      this.#ask(data);
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
  async #ask({ call, id, role, method, args }) {
    if (method === "stop") {
      this.#calls.get(call)?.run.abort();
      return;
    }
    // A worker that took this one's place numbers its calls anew.
    const worker = this.#worker;
    const reply = (said) => worker === this.#worker && worker.postMessage({ reply: call, ...said });
    const models = this.#pending.get(id)?.models;
    if (!models) {
      reply({ error: { code: "stopped", message: words.stopped } });
      return;
    }
    const run = new AbortController();
    this.#calls.set(call, { id, run });
    try {
      const listeners = method === "write" ? [(event) => reply({ event })] : [];
      reply({ result: await models[role][method](...args, ...listeners, run.signal) });
    } catch (error) {
      const { code = "model", message, tokens, room } = error;
      reply({ error: { code, message, tokens, room } });
    } finally {
      if (this.#calls.get(call)?.run === run) {
        this.#calls.delete(call);
      }
    }
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#abortCalls();
    this.#calls.clear();
  }

  #lose(error) {
    this.#end();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) {
      reject(error);
    }
  }
}
