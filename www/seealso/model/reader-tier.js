// The tier of a page's answers: the one that the reader chose, or else the one proposed for the model: for the device that a
// local model runs on, or for the context that a node has. Without a model, only a tier that the reader chose counts.

import { foundFor, rememberedDevices } from "./device-memory.js";
import { earlierChoice, unfitReason } from "./device.js";
import { probe } from "./probe.js";
import { proposeTier, tierOfContext } from "./tier.js";

/** @param {import("./settings.js").Settings} settings @returns {Promise<string|null>} null leaves it to the page */
export async function tierFor(settings, { probe: look = probe, ...known } = {}) {
  const { tier, writer, model, node } = settings;
  if (tier !== null) {
    return tier;
  }
  if (writer === "node") {
    return tierOfContext(node?.context ?? node?.found?.context ?? 0);
  }
  if (writer !== "local" || model === null) {
    return null;
  }
  const machine = await look();
  return proposalOn(machine, deviceFor(settings, machine, known)).tier;
}

/**
 * What a local model runs on as far as one knows: from a loaded one, else from earlier visits, else from what the browser
 * shows.
 * @param {import("./settings.js").Settings} settings
 * @param {import("./probe.js").Machine} machine
 * @param {{found?: import("./device-memory.js").Found|null, remembered?: Record<string, any>}} [known]
 * @returns {{device: string, reason: object|null, speeds?: object}}
 */
export function deviceFor(settings, machine, { found = foundFor(settings), remembered = rememberedDevices() } = {}) {
  const { device: wish } = settings;
  if (found) {
    return found;
  }
  if (wish === "cpu") {
    return { device: "cpu", reason: { code: "chosen" } };
  }
  const unfit = unfitReason(machine, {}, wish);
  if (unfit) {
    return { device: "cpu", reason: unfit };
  }
  return earlierChoice(remembered, machine, wish) ?? { device: "webgpu", reason: wish === "webgpu" ? { code: "chosen" } : null };
}

/** The tier for a device, and why; the reader's own where it is `chosen`. */
export function proposalOn(machine, { device, speeds }, chosen = null) {
  return proposeTier({ device, adapter: machine.adapter?.limits ?? null, memory: machine.memory, speed: speeds?.[device] ?? null, chosen });
}
