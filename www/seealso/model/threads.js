// Several threads for the CPU's kernels: workers that run the same module on one shared memory, and how many of them
// are worth having.

/** Bytes of a thread's stack; no kernel needs more than some kilobytes. */
const STACK = 256 * 1024;
/** Pages of 64 KiB that the module's memory begins with (wasm-pack.toml), and the most that it may have. */
const INITIAL = 64;
const MOST = [65536, 32768, 16384];
/** A worker that has not begun by then is done without. */
const START_MS = 5000;

/** The threads of one module, the caller's among them. */
export class Pool {
  exports;
  memory;
  #workers = [];

  /** Null where there is no memory to share, or not a single worker. */
  static async start(module, threads) {
    const memory = sharedMemory();
    if (!memory) {
      return null;
    }
    const pool = new Pool(new WebAssembly.Instance(module, { env: { memory } }).exports, memory);
    await Promise.all(Array.from({ length: threads - 1 }, () => pool.#add(module)));
    return pool.threads > 1 ? pool : null;
  }

  constructor(exports, memory) {
    this.exports = exports;
    this.memory = memory;
  }

  get threads() {
    return this.#workers.length + 1;
  }

  async #add(module) {
    const { worker_memory, __tls_size, __tls_align } = this.exports;
    const align = __tls_align.value;
    const base = worker_memory(STACK + __tls_size.value + align) >>> 0;
    if (base === 0) {
      return;
    }
    const stack = base + STACK;
    const worker = new Worker(new URL("./kernels-worker.js", import.meta.url), { type: "module", name: "see-also-kernels" });
    const ready = isReady(worker);
    // This worker's own name is that of the channel on which the page listens (client.js).
    const trouble = globalThis.name ?? "";
    worker.postMessage({ module, memory: this.memory, stack, tls: stack + (-stack & (align - 1)), trouble });
    if (await ready) {
      this.#workers.push(worker);
    } else {
      worker.terminate();
    }
  }

  /** Ends all workers. */
  end() {
    this.exports.workers_stop();
    this.#workers.forEach((worker) => worker.terminate());
    this.#workers = [];
  }
}

/** Whether a worker says that it is ready, rather than that it failed, or nothing. */
function isReady(worker) {
  return new Promise((resolve) => {
    worker.addEventListener("message", () => resolve(true), { once: true });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      resolve(false);
    }, { once: true });
    setTimeout(resolve, START_MS, false);
  });
}

/** As much memory as the browser lets one share, since it can't be given a new maximum later. */
function sharedMemory() {
  for (const maximum of MOST) {
    try {
      return new WebAssembly.Memory({ initial: INITIAL, maximum, shared: true });
    } catch {
      // Less, then.
    }
  }
  return null;
}

/**
 * @typedef {import("./device.js").Speed} Speed
 * @typedef {{threads: number, speed: Speed|null}} Threads
 */

/**
 * How many threads are worth having: measured, and remembered as long as `versions` stay the same. More than one only
 * where both reading and writing are faster by it. Where `measure` rejects with code "no-threads", the choice holds for
 * now and is not remembered. Rejects only with what `throwIfStopped` does, which is called after each measurement.
 * @param {{cores: number, isolated: boolean}} machine
 * @param {(threads: number) => Promise<Speed>} measure
 * @returns {Promise<Threads>}
 */
export async function chooseThreads({ cores, isolated }, measure, { versions = [], memory, throwIfStopped = async () => {} } = {}) {
  if (!isolated || cores < 2) {
    return { threads: 1, speed: null };
  }
  const key = ["threads", cores, ...versions].join("|");
  const known = memory?.get(key);
  if (known) {
    return known;
  }
  let lacking = false;
  const noted = (count) => measure(count).catch((error) => {
    lacking ||= error?.code === "no-threads";
    throw error;
  });
  const best = await fastest([cores, Math.ceil(cores / 2)], (count) => measured(count, noted, throwIfStopped));
  if (best.speed && !lacking) {
    memory?.set(key, best);
  }
  return best;
}

async function fastest(counts, measured) {
  const one = await measured(1);
  let best = one;
  for (const count of new Set(counts.filter((count) => count > 1))) {
    const tried = one.speed && (await measured(count));
    if (tried?.speed && gain(tried.speed, one.speed) > Math.max(1, gain(best.speed, one.speed))) {
      best = tried;
    }
  }
  return best;
}

async function measured(threads, measure, throwIfStopped) {
  const speed = await measure(threads).catch(() => null);
  await throwIfStopped();
  return { threads, speed: speed?.decode > 0 && speed.prefill > 0 ? speed : null };
}

/** How many times as fast: the lesser of reading and writing. */
function gain(speed, one) {
  return Math.min(speed.decode / one.decode, speed.prefill / one.prefill);
}
