// seealso's model, as a page of a site uses it.

import { LocalModel } from "/seealso/model/client.js";

const entryOf = ({ url, bytes }) => ({
  name: "bench", files: [{ url, bytes, sha256: null }], format: "gguf", licence: "", architecture: "", context: 2048,
  tier: "micro", default: false,
});

let model = null;

/** Downloads the weights, as a reader does once. */
export async function store(options) {
  const { key } = await new LocalModel().download(entryOf(options));
  localStorage.setItem("bench-key", key);
}

export async function load({ context, device, threads }) {
  model = new LocalModel();
  const { info, device: got } = await model.load({ key: localStorage.getItem("bench-key"), device, threads, context });
  if (got !== device) {
    throw new Error(`${device} can't be used here`);
  }
  return info;
}

export async function generate(prompt, tokens, onPiece, profile = false) {
  const answer = model.generate(prompt, { max_tokens: tokens, profile });
  for (;;) {
    const { done, value } = await answer.next();
    if (done) {
      return { ids: value.ids, prompt_tokens: value.prompt_tokens, tokens: value.tokens, prefill_ms: value.prefill_ms, decode_ms: value.decode_ms, kernel_ms: value.kernel_ms ?? null };
    }
    onPiece(value);
  }
}
