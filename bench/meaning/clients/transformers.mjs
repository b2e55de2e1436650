// transformers.js in the browser as its documentation shows it: a pipeline that makes vectors, from files of this host, and an
// exact scan of all vectors. It runs in the page itself, so no message to a worker is timed.

import { nearest } from "./scan.mjs";

/** Where the library looks for models of its host. */
const MODELS = "models/";
const MODEL = "all-MiniLM-L6-v2";

let encoder;
let chunks;

/** Loads the library with its wasm, the model, the vectors and what a list shows of pages, all at once where it can. */
export async function open(base, { threads, wasm }) {
  const url = (path) => new URL(base + path, location.href).href;
  const [, index, numbers] = await Promise.all([
    openEncoder(base, threads, wasm),
    fetched(url("chunks.json"), "json"),
    fetched(url("vectors.bin"), "arrayBuffer"),
  ]);
  chunks = { ...index, numbers: new Int8Array(numbers) };
}

async function openEncoder(base, threads, wasm) {
  const { env, pipeline } = await import("/transformers/transformers.min.js");
  env.allowRemoteModels = false;
  // A path: an address of http would count as a remote one.
  env.localModelPath = base + MODELS;
  env.allowLocalModels = true;
  const code = new URL(`/onnxruntime/ort-wasm-simd-threaded${wasm}`, location.href).href;
  env.backends.onnx.wasm.wasmPaths = { mjs: `${code}.mjs`, wasm: `${code}.wasm` };
  env.backends.onnx.wasm.numThreads = threads;
  encoder = await pipeline("feature-extraction", MODEL, { dtype: "q8", device: "wasm" });
}

async function fetched(url, as) {
  const answer = await fetch(url);
  return answer[as]();
}

/** The pages for a question, best first: `{page, title, summary}` each. */
export async function search(question, limit) {
  const vector = await encode(question);
  return nearest(vector, chunks, limit);
}

/** The vector of a text, of length 1. */
export async function encode(text) {
  const { data } = await encoder(text, { pooling: "mean", normalize: true });
  return data;
}
