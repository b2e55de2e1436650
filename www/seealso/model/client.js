// The page's side of the model's worker: calls become promises and streams of text. Nothing is started before the
// first call, and a worker that ended unexpectedly is started anew by the next one.

import { rememberDevices, rememberedDevices } from "./device-memory.js";
import { ModelError, received } from "./errors.js";

/** One local model: one that writes, or an encoder. Who wants both has two of these. */
export class LocalModel {
  #worker = null;
  /** Where the threads of the worker tell of a crash, which it can't hear itself. */
  #trouble = null;
  #pending = new Map();
  #nextId = 1;
  /** Is called when the loaded model runs on another device by now. */
  #moved = () => {};

  /**
   * Downloads a model into the store, or the rest of it. Resolves to what the store says of it.
   * @param {import("./catalog.js").Entry} entry
   * @param {{file?: File, onProgress?: (progress: object) => void, signal?: AbortSignal}} options
   * @returns {Promise<import("./store.js").Stored>}
   */
  download(entry, { file, onProgress, signal } = {}) {
    // Asked of the page, for workers can't. Whether and when it is granted is the browser's and the reader's to say; the
    // download does not wait for that.
    navigator.storage?.persist?.().catch(() => false);
    return this.#call("download", [{ entry, file }], { onProgress, signal });
  }

  /**
   * Loads a stored model by its key, or one that is not to be kept by its entry. `device` is "auto", "webgpu" or "cpu".
   * Resolves to what it runs on and why, and to what it is; `onDevice` is called with the former, and whenever it changes later.
   */
  async load(wanted, { onProgress, onDevice = () => {}, signal } = {}) {
    this.#moved = () => {};
    const loaded = await this.#call("load", [{ device: "auto", ...wanted, remembered: rememberedDevices() }], { onProgress, signal });
    rememberDevices(loaded.remembered);
    const { device, reason, speeds } = loaded;
    this.#moved = (on) => onDevice({ speeds, ...on });
    this.#moved({ device, reason });
    return loaded;
  }

  /**
   * Generates, as an iterator over pieces of text; its return value is the outcome. Leaving the loop stops the model.
   * @param {import("./engine-types.js").Message[]} messages
   * @param {import("./engine-types.js").GenerateOptions} options
   */
  async *generate(messages, options, { onProgress, signal } = {}) {
    const queue = new Queue();
    const call = this.#start("generate", [{ messages, options }], { onProgress, signal, onToken: (token) => queue.push(token) });
    call.reply.then((outcome) => queue.end(outcome), (error) => queue.fail(error));
    try {
      for (;;) {
        const { tokens, ended, outcome } = await queue.next();
        if (tokens.length > 0) {
          this.#tell("read", call.id, tokens.length);
          yield tokens.join("");
        } else if (ended) {
          return outcome;
        }
      }
    } finally {
      this.#stop(call.id);
    }
  }

  /** Log-likelihoods of continuations, in nats. */
  score(messages, continuations, { onProgress, signal } = {}) {
    return unlessAborted(this.#call("score", [{ messages, continuations }], { onProgress, signal }), signal);
  }

  /**
   * A number that tells what the model has in mind after the messages, before it says anything.
   * @param {import("./judge-probe.js").Probe} probe made for this model
   * @returns {Promise<number>}
   */
  judge(messages, probe, { onProgress, signal } = {}) {
    return unlessAborted(this.#call("judge", [{ messages, probe }], { onProgress, signal }), signal);
  }

  /**
   * The vectors of texts by a loaded encoder: one a text, in their order, each of length 1.
   * @param {string[]} texts
   * @returns {Promise<Float32Array[]>}
   */
  embed(texts, { onProgress, signal } = {}) {
    return unlessAborted(this.#call("embed", [{ texts }], { onProgress, signal }), signal);
  }

  /** Lets go of the model; the worker stays. */
  unload() {
    return this.#call("unload", []);
  }

  /** Memory and counters, for show. */
  stats() {
    return this.#call("stats", []);
  }

  /** Ends the worker; what is still running is rejected. */
  close() {
    this.#lose(new ModelError("closed"));
  }

  #call(method, args, options) {
    return this.#start(method, args, options).reply;
  }

  #start(method, args, { onProgress, onToken, signal } = {}) {
    const id = this.#nextId++;
    const stop = () => this.#stop(id);
    const reply = new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(new ModelError("cancelled"));
        return;
      }
      this.#pending.set(id, { resolve, reject, onProgress, onToken });
      signal?.addEventListener("abort", stop, { once: true });
      try {
        this.#post({ id, method, args });
      } catch (cause) {
        this.#pending.delete(id);
        reject(new ModelError("bad-call", { detail: cause.message }));
      }
    });
    return { id, reply: reply.finally(() => signal?.removeEventListener("abort", stop)) };
  }

  #post(message) {
    this.#worker ??= this.#newWorker();
    this.#worker.postMessage(message);
  }

  /** Says something of a call to the worker that runs it. Where that one has ended, nobody needs to hear it. */
  #tell(method, ...args) {
    this.#worker?.postMessage({ id: this.#nextId++, method, args });
  }

  #stop(id) {
    if (this.#pending.has(id)) {
      this.#tell("stop", id);
    }
  }

  #newWorker() {
    // A name of its own, for the channel too on which a thread of the kernels tells that it crashed.
    const name = `see-also-model-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    const worker = new Worker(new URL("./model-worker.js", import.meta.url), { type: "module", name });
    this.#trouble = new BroadcastChannel(name);
    this.#trouble.addEventListener("message", ({ data }) => this.#lose(new ModelError("crashed", { detail: data })));
    let hasAnswered = false;
    worker.addEventListener("message", ({ data }) => {
      hasAnswered = true;
      this.#receive(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#lose(new ModelError(hasAnswered ? "crashed" : "worker"));
    });
    return worker;
  }

  #receive({ id, progress, token, result, error }) {
    if (id === null || error?.code === "crashed" || error?.code === "no-engine") {
      // What a trap leaves of the wasm's memory is not to be trusted, and a worker that failed to import a script may
      // remember that for good.
      this.#lose(received(error));
      return;
    }
    const call = this.#pending.get(id);
    if (progress) {
      const { remembered, ...shared } = progress;
      if (remembered) {
        rememberDevices(remembered);
      }
      if (shared.stage === "device") {
        this.#moved({ device: shared.device, reason: shared.reason });
      }
      call?.onProgress?.(shared);
    } else if (token !== undefined) {
      call?.onToken?.(token);
    } else if (call) {
      this.#pending.delete(id);
      if (error) {
        call.reject(received(error));
      } else {
        call.resolve(result);
      }
    }
  }

  #lose(error) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#trouble?.close();
    this.#trouble = null;
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of calls) {
      call.reject(error);
    }
  }
}

/** Tokens between the worker and the reader of the iterator. */
class Queue {
  #tokens = [];
  #end = null;
  #wake = () => {};

  push(token) {
    this.#tokens.push(token);
    this.#wake();
  }

  end(outcome) {
    this.#end = { outcome };
    this.#wake();
  }

  fail(error) {
    this.#end = { error };
    this.#wake();
  }

  /** All that has come since the last time; waits for something to come. */
  async next() {
    while (this.#tokens.length === 0 && !this.#end) {
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
    const tokens = this.#tokens.splice(0);
    if (tokens.length === 0 && this.#end.error) {
      throw this.#end.error;
    }
    return { tokens, ended: this.#end !== null, outcome: this.#end?.outcome };
  }
}

/** What was stopped gives nothing, also where the worker was done before it heard of that. */
async function unlessAborted(reply, signal) {
  const result = await reply;
  if (signal?.aborted) {
    throw new ModelError("cancelled");
  }
  return result;
}
