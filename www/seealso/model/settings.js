// The reader's own choices about models, kept in this browser, where it keeps anything. No key is among them.

const KEY = "seealso-model";

/** The choices, where the browser keeps nothing for the page. */
let held = null;

/**
 * @typedef {object} NodeSettings
 * @property {string} base the base URL
 * @property {string} model its name; empty where the node has only one
 * @property {number|null} context tokens, where the reader says
 * @property {number|null} wait seconds for the first word, where the reader says
 * @property {{name: string, context: number}|null} found what the node said of itself; a context of 0 where it said nothing
 *
 * @typedef {object} Settings
 * @property {"none"|"local"|"browser"|"node"} writer who goes on after the quoted answer
 * @property {"auto"|"webgpu"|"cpu"} device
 * @property {string|null} tier
 * @property {string|null} model a stored one's key
 * @property {NodeSettings|null} node
 */

/** @returns {Settings} */
export function readSettings() {
  const settings = { device: "auto", tier: null, model: null, node: null, ...stored() };
  return { writer: settings.model ? "local" : "none", ...settings };
}

/** Keeps changed choices; returns all. @param {Partial<Settings>} changes @returns {Settings} */
export function changeSettings(changes) {
  const settings = { ...readSettings(), ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
    held = null;
  } catch {
    // They hold until the page is closed.
    held = settings;
  }
  return settings;
}

function stored() {
  if (held) {
    return held;
  }
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}
