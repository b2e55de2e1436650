// What a model runs on, and how much it reads: what was found best and why, and the reader's own choice before it.

import { fill, h } from "../dom.js";
import { onFound } from "./device-memory.js";
import { probe } from "./probe.js";
import { supports } from "./kernels.js";
import { deviceFor, proposalOn } from "./reader-tier.js";
import { TIERS, tierOfContext } from "./tier.js";
import { deviceReasons, tierReasons, words } from "./words.js";

/** The settings. `element` is what to put into the document. */
export class DeviceSettings {
  element;
  #isolation;
  #onChange;
  #devices = h("fieldset", { "aria-describedby": "model-device-reason" });
  #deviceReason = h("p", { class: "note", id: "model-device-reason", role: "status" });
  #tier = h("select", { "aria-describedby": "model-tier-reason", onchange: ({ target }) => this.#change({ tier: target.value || null }) });
  #tierReason = h("p", { class: "note", id: "model-tier-reason", role: "status" });
  #threads = h("div", {});
  #machine = null;
  #settings = null;

  /** @param {import("./isolate.js").Isolation|null} isolation @param {(changes: object) => void} onChange */
  constructor(isolation, onChange) {
    this.#isolation = isolation;
    this.#onChange = onChange;
    this.element = h("section", { part: "device" }, h("h3", {}, words.settings), this.#devices, this.#deviceReason,
      h("div", { class: "row" }, h("label", {}, words.tier, this.#tier)), this.#tierReason, h("p", { class: "note" }, words.tierAbout), this.#threads);
    onFound(() => this.#machine && this.#fill());
    fill(this.#devices, h("legend", {}, words.device), Object.entries(words.devices).map(([device, name]) => this.#choice(device, name)));
  }

  /** @param {import("./settings.js").Settings} settings */
  async show(settings) {
    this.#settings = settings;
    this.#machine ??= await probe();
    this.#fill();
    await this.#showThreads();
  }

  #choice(device, name) {
    return h("label", { class: "choice" },
      h("input", { type: "radio", name: "device", value: device, onchange: () => this.#change({ device }) }), h("span", {}, name));
  }

  #change(changes) {
    this.#settings = { ...this.#settings, ...changes };
    this.#fill();
    this.#onChange(changes);
  }

  #fill() {
    const { device: wish, tier: chosen, writer, node } = this.#settings;
    for (const input of this.#devices.querySelectorAll("input")) {
      input.checked = input.value === wish;
    }
    const on = deviceFor(this.#settings, this.#machine);
    this.#deviceReason.textContent = on.reason ? deviceReasons[on.reason.code](on.reason) : words.deviceUnknown;
    const proposed = writer === "node" ? ofNode(node) : proposalOn(this.#machine, on);
    const { tier, reason } = proposalOn(this.#machine, on, chosen);
    const why = chosen === tier ? reason : proposed.reason;
    fill(this.#tier, h("option", { value: "" }, words.tierAuto(proposed.tier)), TIERS.map(({ name }) => h("option", { value: name }, name)));
    this.#tier.value = chosen === tier ? tier : "";
    this.#tierReason.textContent = tierReasons[why.code](why);
  }

  async #showThreads() {
    const state = await this.#isolation?.state();
    // The kernels for several threads want these instructions. What is on can be switched off anyway.
    if (state !== "on" && !(state === "off" && supports("relaxed"))) {
      return;
    }
    const box = h("input", { type: "checkbox", "aria-describedby": "model-threads-about", onchange: () => this.#switch(box) });
    box.checked = state === "on";
    fill(this.#threads, h("label", { class: "choice" }, box, h("span", {}, words.threads)),
      h("p", { class: "note", id: "model-threads-about" }, words.threadsAbout));
  }

  async #switch(box) {
    try {
      await (box.checked ? this.#isolation.switchOn() : this.#isolation.switchOff());
    } catch (error) {
      box.checked = !box.checked;
      this.#threads.append(h("div", { class: "error", role: "alert" }, h("p", {}, error.message)));
    }
  }
}

/** The tier for a node, by what it says of itself or the reader of it. */
function ofNode(node) {
  const tokens = node?.context ?? node?.found?.context ?? 0;
  const tier = tierOfContext(tokens);
  return { tier, reason: tokens > 0 ? { code: "node", tokens } : { code: "node-unknown" } };
}
