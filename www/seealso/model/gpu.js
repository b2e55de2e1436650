// The graphics processor as the model's wasm uses it. What goes wrong on it is seldom told to who caused it: a device
// is lost at some time, a command is refused in silence and leaves what was in memory. So the device is watched from
// the moment on that the wasm asks the browser for it.

/** One opened graphics processor. */
export class Gpu {
  /** What went wrong with it; from then on nothing of it can be trusted. @type {string|null} */
  trouble = null;

  /** Opens it by `open`, the wasm's function. Rejects where there is none. @param {() => Promise<void>} open */
  static async open(open) {
    const gpu = new Gpu();
    const { prototype } = globalThis.GPUAdapter;
    const { requestDevice } = prototype;
    prototype.requestDevice = async function (...wanted) {
      const device = await requestDevice.apply(this, wanted);
      gpu.#watch(device);
      return device;
    };
    try {
      await open();
    } finally {
      prototype.requestDevice = requestDevice;
    }
    return gpu;
  }

  #watch(device) {
    device.lost.then(({ message, reason }) => {
      this.trouble ??= message || reason;
    });
    // Before the wasm's own listener, which would end the worker.
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.trouble ??= event.error.message;
    });
  }

  /** Throws where something went wrong. */
  check() {
    if (this.trouble !== null) {
      throw coded("device-lost", this.trouble);
    }
  }

  /**
   * Does what runs on it. Errors with a code of `own` are the caller's; all others are the device's, and come out with
   * `code`, or as its loss.
   */
  async run(work, own, code = "device-lost") {
    try {
      this.check();
      const result = await work();
      this.check();
      return result;
    } catch (error) {
      this.check();
      if (own.includes(error?.code)) {
        throw error;
      }
      throw coded(code, String(error?.message ?? error));
    }
  }
}

function coded(code, message) {
  return Object.assign(new Error(message), { code });
}
