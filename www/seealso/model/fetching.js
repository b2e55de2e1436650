// One file from the network, piece by piece: goes on where a connection broke, as long as it is still the same file.

import { ModelError } from "./errors.js";

/** How often in a row a download may fail without a single new byte before it is given up. */
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;
const STALL_MS = 30_000;
/** What is fetched at most of a file whose size nobody tells: 4 GB. */
export const MOST_UNKNOWN = 4e9;
/** Statuses of servers that may do better in a moment. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/**
 * @typedef {object} Place how far a file is
 * @property {number} at bytes that are here
 * @property {string|null} validator of the file that they are of
 * @typedef {object} Options
 * @property {typeof fetch} [fetch]
 * @property {AbortSignal} [signal]
 * @property {(ms: number, signal?: AbortSignal) => Promise<void>} [wait]
 * @property {number} [stallMs] how long a server may be silent
 */

/**
 * Yields `{ begin, total, validator }` before the first bytes and whenever they begin anew (`begin` is then where),
 * and the bytes themselves as `Uint8Array`s.
 * @param {import("./catalog.js").WeightFile} file
 * @param {Place} place moves along
 * @param {Options} options
 */
export async function* fetched(file, place, options = {}) {
  const { signal, wait = pause } = options;
  let failures = 0;
  for (;;) {
    const before = place.at;
    try {
      yield* attempt(file, place, options);
      return;
    } catch (error) {
      if (signal?.aborted) {
        throw new ModelError("cancelled");
      }
      failures = place.at > before ? 1 : failures + 1;
      if (!error.passing || failures >= ATTEMPTS) {
        throw error;
      }
    }
    await wait(FIRST_WAIT_MS * 2 ** (failures - 1), signal);
  }
}

/** How many bytes a server says that a file has; null where it does not say. Nothing of the file is fetched. */
export async function announced(url, { fetch = globalThis.fetch, signal, stallMs = STALL_MS } = {}) {
  const watch = new Watch(signal, stallMs);
  const host = hostOf(url);
  try {
    const response = await watch.over(fetch(url, { method: "HEAD", signal: watch.signal, cache: "no-store", referrerPolicy: "no-referrer" }));
    // Some servers answer this method with an error, and still have the file.
    if (!response.ok) {
      return null;
    }
    assertNoPage(response, host);
    return sizeOf(response, 0);
  } catch (error) {
    throw error instanceof ModelError ? error : new ModelError(signal?.aborted ? "cancelled" : "network", { host });
  } finally {
    watch.end();
  }
}

async function* attempt(file, place, { fetch = globalThis.fetch, signal, stallMs = STALL_MS }) {
  const host = hostOf(file.url);
  const watch = new Watch(signal, stallMs);
  try {
    const { response, begin } = await request(file, place, fetch, watch, host);
    const total = file.bytes ?? sizeOf(response, begin);
    place.at = begin;
    place.validator = validatorOf(response) ?? (begin > 0 ? place.validator : null);
    yield { begin, total, validator: place.validator };
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await watch.over(reader.read());
      if (done) {
        break;
      }
      const most = total ?? MOST_UNKNOWN;
      if (place.at + value.length > most) {
        throw new ModelError("too-long", { host, expected: most });
      }
      place.at += value.length;
      yield value;
    }
    if (total !== null && place.at < total) {
      throw passing(new ModelError("cut-short", { host, got: place.at, expected: total }));
    }
  } catch (error) {
    if (error instanceof ModelError) {
      throw error;
    }
    const stalled = watch.stalled && !signal?.aborted;
    throw passing(stalled ? new ModelError("stalled", { host, seconds: stallMs / 1000 }) : new ModelError("network", { host }));
  } finally {
    watch.end();
  }
}

/** The answer that the bytes come in, and the place in the file where it begins. */
async function request(file, place, fetch, watch, host) {
  const ask = (headers) => watch.over(fetch(file.url, {
    headers, signal: watch.signal, cache: "no-store", referrerPolicy: "no-referrer",
  }));
  const known = place.validator !== null || file.sha256 !== null;
  let response = await ask(place.at > 0 && known ? { Range: `bytes=${place.at}-` } : {});
  if (response.status === 416 || (response.status === 206 && !continuesFile(response, file, place))) {
    response.body?.cancel().catch(() => {});
    response = await ask({});
  }
  if (!response.ok) {
    response.body?.cancel().catch(() => {});
    const error = new ModelError("status", { host, status: response.status });
    throw PASSING.includes(response.status) ? passing(error) : error;
  }
  assertNoPage(response, host);
  return { response, begin: response.status === 206 ? place.at : 0 };
}

function assertNoPage({ headers }, host) {
  if (/^(text\/html|application\/xhtml)/i.test(headers.get("content-type") ?? "")) {
    throw new ModelError("web-page", { host });
  }
}

/**
 * Whether a partial answer continues what is here. Of another origin's answer only some headers can be read; where its
 * version can't be compared, the file's hash has to be known, which finds out in the end.
 */
function continuesFile(response, file, place) {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get("content-range") ?? "");
  if (range ? Number(range[1]) !== place.at : Number(response.headers.get("content-length")) !== file.bytes - place.at) {
    return false;
  }
  if (range && file.bytes !== null && range[2] !== "*" && Number(range[2]) !== file.bytes) {
    return false;
  }
  const validator = validatorOf(response);
  return validator !== null && place.validator !== null ? validator === place.validator : file.sha256 !== null;
}

/** What tells one version of a file from another. A weak ETag promises no equal bytes (RFC 9110, 8.8.1). */
function validatorOf({ headers }) {
  const etag = headers.get("etag");
  return etag && !etag.startsWith("W/") ? etag : headers.get("last-modified");
}

/** How long the whole file is; null where nothing is said, or what is said is of its compressed form. */
function sizeOf({ headers }, begin) {
  const length = Number(headers.get("content-length"));
  return length > 0 && !headers.get("content-encoding") ? begin + length : null;
}

/** Ends a request that the reader stops, or that nothing comes of for too long. */
class Watch {
  #control = new AbortController();
  #stallMs;
  #outer;
  #forward = () => this.#control.abort();
  stalled = false;

  constructor(outer, stallMs) {
    this.#outer = outer;
    this.#stallMs = stallMs;
    outer?.addEventListener("abort", this.#forward, { once: true });
    if (outer?.aborted) {
      this.#forward();
    }
  }

  get signal() {
    return this.#control.signal;
  }

  async over(promise) {
    const timer = setTimeout(() => {
      this.stalled = true;
      this.#control.abort();
    }, this.#stallMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whatever still comes is of no use. */
  end() {
    this.#outer?.removeEventListener("abort", this.#forward);
    this.#control.abort();
  }
}

function passing(error) {
  return Object.assign(error, { passing: true });
}

function hostOf(url) {
  return new URL(url).host || url;
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new ModelError("cancelled"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
