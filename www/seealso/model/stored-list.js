// What is stored, complete or not, and how to be rid of it.

import { fill, focusOn, h } from "../dom.js";
import { words } from "./words.js";

/** The list. `element` is what to put into the document. */
export class StoredList {
  element;
  /** @type {import("./store.js").Stored[]} what is stored, as it was last shown */
  models = [];
  #heading = h("h3", {}, words.storage);
  #body = h("div", { class: "download" });
  #onChange;
  #store = null;

  /** @param {(message: string) => void} onChange is called with what was removed */
  constructor(onChange) {
    this.#onChange = onChange;
    this.element = h("section", { part: "stored" }, this.#heading, this.#body);
  }

  /** @param {import("./store.js").Store|null} store @param {import("./store.js").Stored[]} models */
  async show(store, models) {
    this.#store = store;
    this.models = models;
    const about = store && models.length > 0 ? await usage() : null;
    fill(this.#body,
      models.length === 0 && h("p", { class: "note" }, words.nothingStored),
      models.length > 0 && h("ul", { class: "stored" }, models.map((model) => this.#item(model))),
      about && h("p", { class: "note" }, about),
      models.length > 1 && h("button", { type: "button", onclick: () => this.#remove(() => this.#store.clear(), words.cleared) }, words.clear));
  }

  #item(model) {
    const remove = () => this.#remove(() => this.#store.remove(model.key), words.removed(model.name));
    return h("li", {},
      h("span", { class: "about" }, h("span", {}, model.name), h("span", { class: "note" }, words.storedItem(model)),
        model.sha256.map((sha256) => h("code", {}, words.hash(sha256)))),
      h("button", { type: "button", "aria-label": words.removeLabel(model.name), onclick: remove }, words.remove));
  }

  async #remove(action, message) {
    try {
      await action();
      await this.#onChange(message);
    } catch (error) {
      await this.#onChange("");
      this.#body.append(h("div", { class: "error", role: "alert", "data-code": error.code ?? "internal" }, h("p", {}, error.message)));
    }
    focusOn(this.#heading);
  }
}

async function usage() {
  const { usage, quota } = (await navigator.storage.estimate?.().catch(() => null)) ?? {};
  const persisted = await navigator.storage.persisted?.().catch(() => false);
  return [usage >= 0 && quota >= usage && words.usage(usage, quota - usage), persisted ? words.kept : words.evictable].filter(Boolean).join(" ");
}
