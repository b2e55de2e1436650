// tinysearch in the browser, as the loader that its command writes does it. That loader grows the memory by a page for
// each question; this one keeps one buffer, in the engine's favour.

/** Bytes for a question. */
const BUFFER = 64 << 10;

let wasm;
let buffer;

export async function open(base) {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(`${base}index.wasm`));
  wasm = instance.exports;
  buffer = wasm.memory.grow(1) * BUFFER;
}

export async function search(question, limit) {
  const bytes = new TextEncoder().encode(`${question.slice(0, BUFFER / 4 - 1)}\0`);
  new Uint8Array(wasm.memory.buffer, buffer, bytes.length).set(bytes);
  const pointer = wasm.search(buffer, limit);
  if (pointer === 0) return [];
  const memory = new Uint8Array(wasm.memory.buffer);
  const text = new TextDecoder().decode(memory.subarray(pointer, memory.indexOf(0, pointer)));
  wasm.free_search_result(pointer);
  return JSON.parse(text).map(({ title, url, meta }) => ({ page: url, title, summary: meta }));
}
