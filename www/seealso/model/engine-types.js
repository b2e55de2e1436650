// What the wasm of models looks like from here: the types of `module.js`, which the tests' scripted model has too, and of
// `encoder.js`.
// There is no code in this file.

/**
 * @typedef {object} ModelModule its default export starts the wasm
 * @property {() => Promise<any>} default
 * @property {() => string} version changes whenever results or speed may
 * @property {() => {features: string[], limits: Record<string, number>}} needs what it takes of a graphics processor
 * @property {() => Promise<boolean>} knownAnswer whether the graphics processor computes something small as it must
 * @property {(device: "webgpu"|"cpu", threads?: number) => Promise<{decode: number, prefill: number}>} calibrate tokens
 *   a second, about
 * @property {new (options: LoadOptions) => ModelLoader} ModelLoader
 *
 * @typedef {object} LoadOptions
 * @property {"webgpu"|"cpu"} device
 * @property {number} context tokens of context to make room for; 0 takes 4,096, or what the model was trained for where that is less
 * @property {number} threads at most as many
 *
 * @typedef {object} ModelLoader takes the files in order, each from its first byte on
 * @property {(bytes: Uint8Array) => void|Promise<void>} feed the next bytes of the current file; throws what is wrong with them
 * @property {() => void|Promise<void>} endFile the current file has ended
 * @property {() => Promise<Model>} finish all files have ended; the loader is spent
 * @property {() => void} free lets go of what was loaded so far
 *
 * @typedef {object} Model
 * @property {() => ModelInfo} info
 * @property {(messages: Message[]|string, options: GenerateOptions, onEvent: OnEvent) => Promise<Outcome>} generate
 * @property {(messages: Message[]|string, continuations: string[], onEvent: OnEvent) => Promise<Float64Array|number[]>} score
 *   log-likelihoods of what could follow, in nats
 * @property {(messages: Message[]|string, probe: import("./judge-probe.js").Probe, onEvent: OnEvent) => Promise<number>} judge
 * @property {() => object} stats memory and counters, for show
 * @property {() => void} free
 *
 * @typedef {{architecture: string, context: number, vocabulary: number, layers: number, bytes: number}} ModelInfo
 *
 * @typedef {object} EncoderModule its default export starts the wasm
 * @property {() => Promise<any>} default
 * @property {new (options: {space: string, scheme?: string}) => EncoderLoader} EncoderLoader of vectors in the space of that id
 *
 * @typedef {object} EncoderLoader as ModelLoader, for three files: config.json, tokenizer.json, model.safetensors
 * @property {(bytes: Uint8Array) => void|Promise<void>} feed
 * @property {() => void|Promise<void>} endFile
 * @property {() => Promise<Encoder>} finish
 * @property {() => void} free
 *
 * @typedef {object} Encoder
 * @property {() => EncoderInfo} info
 * @property {(texts: string[]) => Promise<Float32Array>} embed a vector of length 1 a text, one after another
 * @property {() => object} stats
 * @property {() => void} free
 *
 * @typedef {ModelInfo & {space: string, dimensions: number}} EncoderInfo vectors are comparable in one space alone;
 *   what of a text is beyond `context` tokens is left out
 *
 * @typedef {{role: "system"|"user"|"assistant", content: string}} Message
 *
 * @typedef {object} GenerateOptions all but `max_tokens` may be left out
 * @property {number} max_tokens
 * @property {number} [temperature] 0 is greedy
 * @property {number} [top_k]
 * @property {number} [top_p]
 * @property {number} [repetition_penalty]
 * @property {number} [seed]
 * @property {string[]} [stop]
 * @property {object} [mask] what tokens are allowed: `{words: string[]}`, `{citations: n}`, `{strings: n}`
 * @property {string} [prefix] names a prompt whose beginning is worth keeping
 * @property {number[]} [begun] the answer's tokens so far, to go on from; their text is not told again
 *
 * @typedef {(event: GenerateEvent) => Promise<boolean>} OnEvent awaited at each event; false ends the work
 * @typedef {{prefill: {done: number, total: number}} | {token: string, id?: number}} GenerateEvent a
 *   token's text and its number; the last text, of what was held back, has none
 *
 * @typedef {object} Outcome
 * @property {"end"|"stop"|"length"|"aborted"} reason
 * @property {number} prompt_tokens
 * @property {number} reused_tokens of the prompt, that were there from before
 * @property {number} tokens
 * @property {number[]} ids which tokens
 * @property {number} prefill_ms
 * @property {number} decode_ms
 *
 * Errors are `Error`s with a `code`. "device-lost" makes the worker go on on the CPU; while a model is loaded,
 * "wrong-results" and "device-refused" do so too.
 */
export {};
