// Cross-origin isolation by a service worker, for our own chat page on hosts that send no headers. Whoever embeds the
// element on a page of their own decides over that page's headers themselves: nothing here runs unless it is called.

/** The isolation of this page, by the service worker at `url`, whose scope is its folder. */
export class Isolation {
  #url;
  #services;
  #reload;

  /** @param {string} url of the service worker's script */
  constructor(url, { services = navigator.serviceWorker, reload = () => location.reload() } = {}) {
    this.#url = url;
    this.#services = services;
    this.#reload = reload;
  }

  /**
   * "host": isolated by the server's own headers; "on": by the service worker; "off": it could be; "impossible": this
   * browser, or this page, has no service workers.
   * @returns {Promise<"host"|"on"|"off"|"impossible">}
   */
  async state() {
    const ours = Boolean(await this.#registration());
    if (globalThis.crossOriginIsolated) {
      return ours ? "on" : "host";
    }
    return this.#services ? "off" : "impossible";
  }

  /** Switches it on; the page is loaded anew. Rejects where the browser refuses. */
  async switchOn() {
    if ((await this.state()) !== "off") {
      return;
    }
    const registration = await this.#services.register(this.#url);
    await activated(registration);
    this.#reload();
  }

  /** Switches it off; the page is loaded anew. */
  async switchOff() {
    const registration = await this.#registration();
    await registration?.unregister();
    if (registration) {
      this.#reload();
    }
  }

  async #registration() {
    const registration = await this.#services?.getRegistration(new URL(".", this.#url).href).catch(() => null);
    const worker = registration?.active ?? registration?.waiting ?? registration?.installing;
    return worker?.scriptURL === this.#url ? registration : null;
  }
}

function activated({ installing, waiting, active }) {
  const worker = active ?? waiting ?? installing;
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") {
        resolve();
      } else if (worker.state === "redundant") {
        reject(new Error("The service worker could not be started."));
      }
    };
    worker.addEventListener("statechange", look);
    look();
  });
}
