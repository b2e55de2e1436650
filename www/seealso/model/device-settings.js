// What a model runs on, and how much it reads: what was found best and why, and the reader's own choice before it.

import { fill, h } from "../dom.js";
import { unfitness } from "./device.js";
import { probe } from "./probe.js";
import { TIERS, proposeTier } from "./tier.js";
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
  #loaded = null;

  /** @param {import("./isolate.js").Isolation|null} isolation @param {(changes: object) => void} onChange */
  constructor(isolation, onChange) {
    this.#isolation = isolation;
    this.#onChange = onChange;
    this.element = h("section", { part: "device" }, h("h3", {}, words.settings), this.#devices, this.#deviceReason,
      h("div", { class: "row" }, h("label", {}, words.tier, this.#tier)), this.#tierReason, h("p", { class: "note" }, words.tierAbout), this.#threads);
    fill(this.#devices, h("legend", {}, words.device), Object.entries(words.devices).map(([device, name]) => this.#choice(device, name)));
  }

  /** @param {import("./settings.js").Settings} settings @param {object} [loaded] what a loaded model runs on */
  async show(settings, loaded = this.#loaded) {
    this.#loaded = loaded;
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
    const { device: wish, tier: chosen } = this.#settings;
    for (const input of this.#devices.querySelectorAll("input")) {
      input.checked = input.value === wish;
    }
    const { device, reason, speeds } = this.#device(wish);
    this.#deviceReason.textContent = reason ? deviceReasons[reason.code](reason) : words.deviceUnknown;
    const hints = { device, adapter: this.#machine.adapter?.limits ?? null, memory: this.#machine.memory, speed: speeds?.[device] ?? null };
    const proposed = proposeTier(hints);
    const { tier, reason: why } = proposeTier({ ...hints, chosen });
    fill(this.#tier, h("option", { value: "" }, words.tierAuto(proposed.tier)), TIERS.map(({ name }) => h("option", { value: name }, name)));
    this.#tier.value = chosen === tier ? tier : "";
    this.#tierReason.textContent = tierReasons[why.code](why);
  }

  /** What it runs on as far as one knows: from a loaded model, else from what the browser shows. */
  #device(wish) {
    if (this.#loaded && (wish === "auto" || wish === this.#loaded.device)) {
      return this.#loaded;
    }
    if (wish === "cpu") {
      return { device: "cpu", reason: { code: "chosen" } };
    }
    const unfit = unfitness(this.#machine, {}, wish);
    return unfit ? { device: "cpu", reason: unfit } : { device: "webgpu", reason: wish === "webgpu" ? { code: "chosen" } : null };
  }

  async #showThreads() {
    const state = await this.#isolation?.state();
    if (state !== "on" && state !== "off") {
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
