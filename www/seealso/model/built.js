// Which wasm the scripts stand beside. The build puts a hash of the model's wasm and of the kernels' side modules here.

/** Changes whenever results or speed may. */
export const BUILT = "unbuilt";
