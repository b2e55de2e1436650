// The reader's own choices about local models, kept in this browser, where it keeps anything.

const KEY = "seealso-model";

/** @typedef {{device: "auto"|"webgpu"|"cpu", tier: string|null, model: string|null}} Settings `model` is a stored one's key */

/** @returns {Settings} */
export function readSettings() {
  const settings = { device: "auto", tier: null, model: null };
  try {
    return { ...settings, ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return settings;
  }
}

/** Keeps changed choices; returns all. @param {Partial<Settings>} changes @returns {Settings} */
export function changeSettings(changes) {
  const settings = { ...readSettings(), ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // They hold until the page is closed.
  }
  return settings;
}
