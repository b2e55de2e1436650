// What the browser lets one see of the device, gathered in one place, so that tier.js and device.js need no browser.

/**
 * @typedef {object} Adapter a graphics processor, as WebGPU shows it
 * @property {string} key tells it from others
 * @property {boolean} software whether it is a simulated one
 * @property {string[]} features
 * @property {{maxBufferSize: number, maxStorageBufferBindingSize: number}} limits in bytes
 * @typedef {{adapter: Adapter|null, webgpu: boolean, memory: number|null, cores: number, isolated: boolean}} Machine
 */

/** Software adapters that don't always say so themselves. */
const SIMULATED = /swiftshader|llvmpipe|lavapipe|basic render|warp/i;

/** @returns {Promise<Machine>} */
export async function probe({ navigator = globalThis.navigator, isolated = globalThis.crossOriginIsolated } = {}) {
  return {
    webgpu: Boolean(navigator.gpu),
    adapter: await adapterOf(navigator.gpu),
    memory: navigator.deviceMemory ?? null,
    cores: navigator.hardwareConcurrency ?? 1,
    isolated: isolated === true,
  };
}

async function adapterOf(gpu) {
  const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (!adapter) {
    return null;
  }
  const { vendor = "", architecture = "", device = "", description = "", isFallbackAdapter = false } = adapter.info ?? {};
  const key = [vendor, architecture, device, description].join("/");
  return {
    key,
    software: isFallbackAdapter || adapter.isFallbackAdapter === true || SIMULATED.test(key),
    features: [...adapter.features].sort(),
    limits: {
      maxBufferSize: adapter.limits.maxBufferSize,
      maxStorageBufferBindingSize: adapter.limits.maxStorageBufferBindingSize,
    },
  };
}
