// A worker of the variant with threads, in a browser or in Node. It gets one message,
//   { module, memory, stack, tls }
// (the compiled module, its shared memory, the upper end of this worker's stack, the place of its
// thread-local values), and takes part in heavy steps until the module's `workers_stop`.

async function serve({ module, memory, stack, tls }) {
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(tls);
  exports.worker_loop();
}

if (typeof self === "undefined") {
  const { parentPort } = await import("node:worker_threads");
  parentPort.once("message", serve);
} else {
  self.onmessage = ({ data }) => serve(data).finally(() => self.close());
}
