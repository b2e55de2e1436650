// llama.cpp, compiled for the browser: one thread, or all layers on the graphics processor.

import { Wllama } from "/wllama/index.js";

const made = () => {
  const wllama = new Wllama({ default: "/wllama/wasm/wllama.wasm" }, { suppressNativeLog: true });
  wllama.setCompat(null);
  return wllama;
};

let wllama = null;

/** Downloads the weights into its own cache. */
export async function store({ url }) {
  await made().modelManager.downloadModel(url);
}

export async function load({ url, device, context }) {
  wllama = made();
  await wllama.loadModelFromUrl(url, { n_threads: 1, n_gpu_layers: device === "webgpu" ? 99999 : 0, n_ctx: context });
  return { threads: wllama.getNumThreads(), libllama: Wllama.getLibllamaVersion() };
}

export async function generate(prompt, tokens, onPiece) {
  let last = null;
  await wllama.createCompletion({
    prompt, max_tokens: tokens, temperature: 0, stream: true, return_tokens: true,
    onData(chunk) {
      const text = chunk.choices[0]?.text;
      if (text) {
        onPiece(text);
      }
      last = chunk;
    },
  });
  const { timings, usage } = last ?? {};
  return { ids: null, prompt_tokens: usage?.prompt_tokens ?? timings?.prompt_n ?? null, tokens: usage?.completion_tokens ?? timings?.predicted_n ?? null, timings: timings ?? null };
}
