// Which tier holds for the answers of a page: the reader's own, or the one that is proposed for who writes them: for the
// device that the chosen model runs on, or for the context that a node has. Where nobody writes, only the reader's own does.

import { unfitness } from "./device.js";
import { probe } from "./probe.js";
import { proposeTier, tierOfContext } from "./tier.js";

/** @param {import("./settings.js").Settings} settings @returns {Promise<string|null>} null leaves it to the page */
export async function tierFor(settings, { probe: look = probe } = {}) {
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
  return proposalOn(machine, deviceFor(settings, machine)).tier;
}

/**
 * What a local model runs on as far as one knows: from a loaded one, else from what the browser shows.
 * @param {import("./settings.js").Settings} settings
 * @param {import("./probe.js").Machine} machine
 * @param {object|null} loaded what a loaded model runs on, and why
 * @returns {{device: string, reason: object|null, speeds?: object}}
 */
export function deviceFor({ device: wish }, machine, loaded = null) {
  if (loaded && (wish === "auto" || wish === loaded.device)) {
    return loaded;
  }
  if (wish === "cpu") {
    return { device: "cpu", reason: { code: "chosen" } };
  }
  const unfit = unfitness(machine, {}, wish);
  return unfit ? { device: "cpu", reason: unfit } : { device: "webgpu", reason: wish === "webgpu" ? { code: "chosen" } : null };
}

/** The tier for a device, and why; the reader's own where it is `chosen`. */
export function proposalOn(machine, { device, speeds }, chosen = null) {
  return proposeTier({ device, adapter: machine.adapter?.limits ?? null, memory: machine.memory, speed: speeds?.[device] ?? null, chosen });
}
