// The page's side of the worker: calls become promises, and a lost worker is started anew.

import { words } from "./strings.js";

/** How long a cancelled ask may go on before its worker is ended. */
const CANCEL_GRACE_MS = 2000;

/** An error of the engine: `code` is for programs, `message` for the reader. */
export class EngineError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "EngineError";
    this.code = code;
  }
}

/** One engine for one packs root. Nothing is loaded before the first call. */
export class Engine {
  #packs;
  #options;
  #worker = null;
  #opening = null;
  #pending = new Map();
  #nextId = 1;

  /**
   * @param {string} packs absolute URL of the folder that holds catalog.json
   * @param {{tier?: string, timeout_ms?: number, cache?: boolean}} options
   */
  constructor(packs, options = {}) {
    this.#packs = packs;
    this.#options = options;
  }

  /** Starts the worker and opens the index, once; resolves to what there is to ask. */
  open() {
    if (!this.#opening) {
      const opening = this.#call("open", [this.#packs, this.#options]).reply;
      this.#opening = opening;
      opening.catch(() => {
        // Only a later call may try again; one that is already waiting must fail.
        if (this.#opening === opening) {
          this.#opening = null;
        }
      });
    }
    return this.#opening;
  }

  /**
   * Asks what `filter` admits; `onProgress` is called at each stage. Aborting `signal` rejects with code "cancelled".
   * @param {{packs?: string[], tags?: string[], languages?: string[]}} filter
   * @param {{depth?: string, stages?: string[], space?: string, port?: MessagePort}} how as the worker has it; an open `port` goes along
   */
  async ask(question, onProgress, signal, filter, how) {
    let call = null;
    const stopped = new Promise((_, reject) => {
      const stop = () => {
        reject(new EngineError("cancelled", words.stopped));
        this.#cancel(call);
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted) {
        stop();
      }
    });
    const asked = this.open().then(() => {
      call = signal?.aborted ? null : this.#call("ask", [question, filter, how], onProgress, how?.port && [how.port]);
      return call?.reply;
    });
    this.prepare();
    return Promise.race([stopped, asked]);
  }

  /**
   * The ranked pages for a query, with the places of its words in them.
   * @param {{k?: number, prefix?: boolean, packs?: string[], tags?: string[], languages?: string[]}} options
   */
  async search(query, options) {
    await this.open();
    return this.#call("search", [query, options]).reply;
  }

  /** Loads what only answers and pages take, once `open` was called. Where that fails, they try again, and say so. */
  prepare() {
    if (this.#opening) {
      this.#call("prepare", []).reply.catch(() => {});
    }
  }

  /** The encoder of the packs' vectors; null where none is published. */
  async encoder() {
    await this.open();
    return this.#call("encoder", []).reply;
  }

  /**
   * The entries and patterns for a request; an open `port` of the encoder goes along.
   * @param {{question: string, asker: string, top_n?: number}} request
   * @param {{id: string, today: string}} interaction
   * @param {{space: string, port: MessagePort}} [encoder]
   */
  async retrieve(request, interaction, encoder) {
    await this.open();
    return this.#call("retrieve", [request, interaction, encoder], null, encoder && [encoder.port]).reply;
  }

  /** One whole page as a node tree. */
  async page(id) {
    await this.open();
    return this.#call("page", [id]).reply;
  }

  /** Ends the worker; what is still running is rejected. */
  close() {
    this.#lose(new EngineError("closed", words.errors.closed));
  }

  #call(method, args, onProgress, transfer = []) {
    const id = this.#nextId++;
    const reply = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onProgress });
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage({ id, method, args }, transfer);
      } catch (cause) {
        this.#lose(new EngineError("worker", `${words.errors.worker} (${cause.message})`));
      }
    });
    return { id, reply };
  }

  #start() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "see-also" });
    let hasAnswered = false;
    worker.addEventListener("message", ({ data }) => {
      hasAnswered = true;
      this.#receive(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const code = hasAnswered ? "crashed" : "worker";
      this.#lose(new EngineError(code, words.errors[code]));
    });
    return worker;
  }

  #receive({ id, progress, result, error }) {
    if (error?.code === "crashed") {
      this.#lose(new EngineError("crashed", `${words.errors.crashed} (${error.message})`));
      return;
    }
    const call = this.#pending.get(id);
    if (!call) {
      return;
    }
    if (progress) {
      call.onProgress?.(progress);
      return;
    }
    this.#pending.delete(id);
    if (error?.code === "index-lost") {
      // The site may have been built anew since: the next call looks at its catalog again.
      this.#opening = null;
    }
    if (error) {
      const message = error.code === "engine" ? `${words.errors.engine} (${error.message})` : error.message;
      call.reject(new EngineError(error.code, message));
    } else {
      call.resolve(result);
    }
  }

  #cancel(call) {
    if (!call || !this.#pending.has(call.id)) {
      return;
    }
    this.#call("cancel", [call.id]).reply.catch(() => {});
    setTimeout(() => {
      if (this.#pending.has(call.id)) {
        this.#lose(new EngineError("crashed", words.errors.crashed));
      }
    }, CANCEL_GRACE_MS);
  }

  #lose(error) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#opening = null;
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of calls) {
      call.reject(error);
    }
  }
}
