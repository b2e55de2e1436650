// The error of everything about local models: a code for programs, a message for the reader, and what it tells of.

import { errors } from "./words.js";

/** `code` is one of the keys of `errors` in words.js; `detail` holds what its text names. */
export class ModelError extends Error {
  constructor(code, detail = {}) {
    super(errors[code]?.(detail) ?? String(detail.detail ?? code));
    this.name = "ModelError";
    this.code = code;
    this.detail = detail;
  }
}

/** An error as plain data, to cross from a worker; `received` makes it whole again. */
export function sent(error) {
  if (error instanceof ModelError) {
    return { code: error.code, detail: error.detail };
  }
  if (error instanceof WebAssembly.RuntimeError) {
    return { code: "crashed", detail: { detail: error.message } };
  }
  const code = typeof error?.code === "string" ? error.code : "internal";
  return { code, detail: { detail: String(error?.message ?? error) } };
}

/** The error that `sent` described. */
export function received({ code, detail }) {
  return new ModelError(code, detail);
}
