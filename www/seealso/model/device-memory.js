// What was found out of devices: kept in the page's storage for later visits, and, once a model is loaded, what that one
// runs on and why, for who shows it and who proposes a tier by it.

const KEY = "seealso-model-devices";

/** What earlier visits found, by the keys of device.js and threads.js. @returns {Record<string, any>} */
export function rememberedDevices() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** Keeps it for later visits. */
export function rememberDevices(devices) {
  try {
    localStorage.setItem(KEY, JSON.stringify(devices));
  } catch {
    // It is measured again next time.
  }
}

/**
 * @typedef {object} Found
 * @property {string} model the stored model's key
 * @property {string} wish the reader's own, as the model was loaded with
 * @property {import("./device.js").Device} device
 * @property {{code: string}} reason
 * @property {Partial<Record<import("./device.js").Device, import("./device.js").Speed>>} speeds
 */

/** Of the model that was loaded last. @type {Found|null} */
let found = null;
const listeners = new Set();

/** What the model of these settings runs on; null where it was not loaded with them. @param {import("./settings.js").Settings} settings */
export function foundFor({ model, device }) {
  return found?.model === model && found.wish === device ? found : null;
}

/** Tells what a model runs on. @param {Found} news */
export function publishFound(news) {
  found = news;
  listeners.forEach((listener) => listener());
}

/** Calls `listener` whenever there is something new. */
export function onFound(listener) {
  listeners.add(listener);
}
