// One thread of the CPU's kernels: takes part in heavy steps, on the memory that all threads share, until they end.

/** Gets the compiled module, the memory, the upper end of this thread's stack, and the place of its own values. */
addEventListener("message", ({ data: { module, memory, stack, tls } }) => {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(tls);
  postMessage("ready");
  exports.worker_loop();
  close();
}, { once: true });
