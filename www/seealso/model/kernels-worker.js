// One thread of the CPU's kernels: takes part in heavy steps, on the memory that all threads share, until they end.

/**
 * Gets the compiled module, the memory, the upper end of this thread's stack, the place of its own values, and the name
 * of the channel to tell of a crash.
 */
addEventListener("message", ({ data: { module, memory, stack, tls, trouble } }) => {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(tls);
  postMessage("ready");
  try {
    exports.worker_loop();
  } catch (error) {
    // The thread that waits for this one's part waits for ever, and receives nothing meanwhile: the page has to end it.
    new BroadcastChannel(trouble).postMessage(String(error));
    throw error;
  }
  close();
}, { once: true });
