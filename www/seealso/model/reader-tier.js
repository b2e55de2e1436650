// Which tier holds for the answers of a page: the reader's own, or the one proposed for the device that the chosen model
// runs on. As long as there is no model, only the reader's own does.

import { unfitness } from "./device.js";
import { probe } from "./probe.js";
import { proposeTier } from "./tier.js";

/** @param {import("./settings.js").Settings} settings @returns {Promise<string|null>} null leaves it to the page */
export async function tierFor({ tier, model, device: wish }, { probe: look = probe } = {}) {
  if (tier !== null || model === null) {
    return tier;
  }
  const machine = await look();
  const device = wish === "cpu" || unfitness(machine, {}, wish) ? "cpu" : "webgpu";
  return proposeTier({ device, adapter: machine.adapter?.limits ?? null, memory: machine.memory }).tier;
}
