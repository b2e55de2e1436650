// Which model: those that the site offers, and one of the reader's own, from the disk or from an address.

import { fill, h } from "../dom.js";
import { entryOfFile, entryOfUrl, totalBytes } from "./catalog.js";
import { keyOf } from "./store.js";
import { words } from "./words.js";

/** The choice. `element` is what to put into the document. */
export class Picker {
  element;
  #onPick;
  #offers = h("fieldset", { part: "models" });
  #address = h("input", { type: "url", "aria-describedby": "model-address-about", onkeydown: (event) => event.key === "Enter" && this.#add() });
  #problem = h("p", { class: "note", role: "alert" });
  #picked = null;

  /** @param {(entry: import("./catalog.js").Entry, file: File|null, byReader: boolean) => void} onPick */
  constructor(onPick) {
    this.#onPick = onPick;
    this.element = h("section", {}, this.#offers,
      h("details", {},
        h("summary", {}, words.own),
        h("div", { class: "row" }, h("label", {}, words.file, h("input", { type: "file", accept: ".gguf", onchange: ({ target }) => this.#take(target) }))),
        h("div", { class: "row" }, h("label", {}, words.address, this.#address),
          h("button", { type: "button", onclick: () => this.#add() }, words.addAddress)),
        h("p", { id: "model-address-about", class: "note" }, words.addressAbout),
        this.#problem));
  }

  /**
   * Shows the choice, and proposes one where the reader has picked none yet: what was chosen before, else the default. Where
   * there is neither, nothing is picked.
   * @param {import("./catalog.js").Entry[]} entries
   * @param {import("./store.js").Stored[]} stored
   * @param {string|null} chosen the key of what the reader chose before
   */
  show(entries, stored, chosen) {
    const here = new Map(stored.map((model) => [model.key, model]));
    fill(this.#offers,
      h("legend", {}, words.models),
      entries.length === 0 && h("p", { class: "note" }, words.noModels),
      entries.map((entry) => this.#choice(entry, here.get(keyOf(entry)))));
    const first = entries.find((entry) => keyOf(entry) === chosen) ?? here.get(chosen)?.entry
      ?? entries.find((entry) => entry.default);
    if (this.#picked === null && first) {
      this.#pick(first, null, false);
    } else {
      this.#mark();
    }
  }

  #choice(entry, stored) {
    const details = { bytes: totalBytes(entry), licence: entry.licence, context: entry.context };
    return h("label", { class: "choice" },
      h("input", { type: "radio", name: "model", value: keyOf(entry), onchange: () => this.#pick(entry) }),
      h("span", { class: "about" },
        h("span", { class: "title" }, entry.title),
        h("span", { class: "snippet" }, words.model(details)),
        entry.answers && h("span", { class: "snippet", part: "record" }, words.record(entry.answers)),
        stored && h("span", { class: "badges" }, h("span", { class: "badge" }, stored.complete ? words.stored : words.part(stored.got, stored.bytes ?? details.bytes)))));
  }

  #pick(entry, file = null, byReader = true) {
    this.#picked = entry;
    this.#mark();
    this.#problem.textContent = "";
    this.#onPick(entry, file, byReader);
  }

  /** Picks a model of the reader's own, or says why it can't be one. */
  #own(entry, file) {
    try {
      this.#pick(entry(), file);
    } catch (error) {
      this.#problem.textContent = error.message;
    }
  }

  #mark() {
    for (const input of this.#offers.querySelectorAll("input")) {
      input.checked = this.#picked !== null && input.value === keyOf(this.#picked);
    }
  }

  #take({ files: [file] }) {
    if (file) {
      this.#own(() => entryOfFile(file), file);
    }
  }

  #add() {
    const text = this.#address.value.trim();
    if (URL.canParse(text) && /^https?:/i.test(text)) {
      this.#own(() => entryOfUrl(text));
    } else {
      this.#problem.textContent = words.badAddress;
      this.#address.focus();
    }
  }
}
