// What is compared. An engine is a client of clients/, the folder and the options that it is opened with, and whether it encodes
// questions; a peer has the weights that it runs.

/** ONNX's wasm as transformers.js takes it by default, which has WebGPU too, and the one that has the CPU alone. */
const [WITH_GPU, CPU_ALONE] = [".asyncify", ""];

/**
 * The peer's weights by name: `packed` has bytes for the weights and floats for all else, `dynamic` rounds activations to bytes
 * too. Their values are the options that name their files.
 */
export const WEIGHTS = { packed: "onnx", dynamic: "dynamic" };

const seealso = (way) => ({ client: "seealso", base: "/", options: { way }, encodes: way === "meaning" });
const transformers = (weights, wasm, threads) => ({
  client: "transformers", base: `/transformers-data/${weights}/`, options: { wasm, threads }, encodes: true, weights,
});

export const ENGINES = {
  "seealso-list": seealso("list"),
  "seealso-words": seealso("words"),
  "seealso-meaning": seealso("meaning"),
  transformers: transformers("packed", WITH_GPU, 1),
  "transformers-threads": transformers("packed", WITH_GPU, 2),
  "transformers-cpu": transformers("packed", CPU_ALONE, 1),
  "transformers-dynamic": transformers("dynamic", WITH_GPU, 1),
};

/** The kinds of what is loaded, by path: the encoder's files, code, and all else, which is data of the packs. */
export function kindOf(path) {
  if (/^\/transformers-data\/[a-z]+\/models\/|^\/packs\/index\/.*\.(json|safetensors)$/.test(path)) return "model";
  return /^\/(clients|seealso|transformers|onnxruntime)\//.test(path) ? "code" : "data";
}
