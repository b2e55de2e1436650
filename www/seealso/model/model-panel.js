// The settings of models: the choice of a local model, with its size and licence, its download after the reader's consent,
// and the deletion of stored ones; the choice of a node; the tier, and the device that a model runs on. The panel is loaded
// when a reader opens it, and belongs to an element's shadow root, whose styles it shares.

import { browserModelState } from "../deliberation/browser.js";
import { focusOn, h } from "../dom.js";
import { agreement } from "../node/agreement.js";
import { NodeSettings } from "../node/node-settings.js";
import { BrowserModel } from "./browser-model.js";
import { fetchOffer } from "./catalog.js";
import { LocalModel } from "./client.js";
import { DeviceSettings } from "./device-settings.js";
import { DownloadBox } from "./download-box.js";
import { panelStyles } from "./panel-styles.js";
import { Picker } from "./picker.js";
import { changeSettings, readSettings } from "./settings.js";
import { Store, keyOf } from "./store.js";
import { StoredList } from "./stored-list.js";
import { words } from "./words.js";
import { WriterChoice } from "./writer-choice.js";

/** A site whose parts are still being built is looked at anew so often. */
const BUILDING_MS = 5000;

/** The panel. `element` is what to put into the document. */
export class ModelPanel {
  element;
  #options;
  #heading = h("h2", { id: "model-title" }, h("span", {}, words.title));
  #said = h("p", { role: "status", class: "hidden" });
  #problem = h("div", {});
  /** What is said of parts that are not there, in place of all choices. */
  #parts = h("p", { role: "status", class: "note", part: "parts" });
  #choices;
  #picker = new Picker((entry, file, byReader) => this.#pick(entry, file, byReader));
  #download;
  #stored = new StoredList((message) => this.#changed(message));
  #devices;
  #browser = new BrowserModel();
  #writers = new WriterChoice((writer) => this.#change({ writer }));
  #node = new NodeSettings((changes) => this.#change(changes));

  /**
   * @param {object} options
   * @param {string} options.catalog address of models.json
   * @param {LocalModel} [options.model]
   * @param {import("./isolate.js").Isolation} [options.isolation] for a page that may be loaded anew to be isolated
   * @param {(settings: import("./settings.js").Settings) => void} [options.onChange] is called with the reader's choices
   * @param {() => void} [options.onClose]
   */
  constructor({ catalog, model = new LocalModel(), isolation = null, onChange = () => {}, onClose = () => {} }) {
    this.#options = { catalog, onChange, onClose };
    this.#download = new DownloadBox(model, (message, stored, writer) => this.#changed(message, stored, writer));
    this.#devices = new DeviceSettings(isolation, (changes) => this.#options.onChange(changeSettings(changes)));
    this.#heading.append(h("button", { type: "button", class: "quiet", onclick: () => this.close() }, words.close));
    this.#choices = h("div", { class: "choices" }, this.#writers.element, this.#browser.element,
      h("section", { part: "local" }, h("h3", {}, words.local), this.#picker.element, this.#download.element, this.#stored.element),
      this.#node.element, this.#devices.element);
    this.element = h("section", { class: "model-panel", part: "model-panel", "aria-labelledby": "model-title", onkeydown: (event) => this.#key(event) },
      this.#heading, h("p", { class: "note" }, words.about), this.#said, this.#problem, this.#parts, this.#choices);
  }

  /**
   * Shows the panel in an element's shadow root, above what else its page has there, and fills it. The focus goes to it,
   * unless the reader is in a field by then: who types a question while the settings still load would lose it.
   */
  async showIn(root) {
    if (!root.adoptedStyleSheets.includes(panelStyles)) {
      root.adoptedStyleSheets.push(panelStyles);
    }
    root.querySelector("form").after(this.element);
    if (!root.activeElement?.matches("input, textarea")) {
      focusOn(this.#heading);
    }
    await this.refresh();
  }

  /** Takes the panel away; a download goes on. */
  close() {
    this.element.remove();
    this.#options.onClose();
  }

  /** Looks anew at what is offered and what is stored. */
  async refresh() {
    this.#problem.replaceChildren();
    const offered = fetchOffer(this.#options.catalog).catch((error) => this.#tell(error));
    const store = await Store.open().catch((error) => this.#tell(error));
    const stored = (await store?.list()) ?? [];
    await this.#stored.show(store ?? null, stored);
    const { models, parts } = (await offered) ?? { models: [], parts: "" };
    this.#showParts(parts);
    const writing = models.filter(({ kind }) => kind === "decoder");
    await store?.renew(stored, writing);
    const settings = readSettings();
    this.#picker.show(writing, stored, settings.model);
    this.#download.refresh((entry) => this.#storedOf(entry));
    await this.#showChoices(settings);
  }

  /** Nothing can be chosen while the parts that would run it are not there. */
  #showParts(parts) {
    this.#parts.textContent = words.parts[parts] ?? "";
    this.#parts.hidden = parts === "";
    this.#choices.hidden = parts !== "";
    if (parts === "building") {
      setTimeout(() => this.element.isConnected && this.refresh(), BUILDING_MS);
    }
  }

  /** Keeps what the reader chose, and shows what follows from it. */
  #change(changes) {
    const settings = changeSettings(changes);
    if (settings.writer !== "node") {
      agreement.pause();
    }
    this.#options.onChange(settings);
    return this.#showChoices(settings);
  }

  async #showChoices(settings) {
    const hasOwn = settings.writer === "browser" || (await browserModelState()) !== "unavailable";
    this.#writers.show(settings, hasOwn ? [] : ["browser"]);
    await Promise.all([this.#browser.show(settings), this.#node.show(settings), this.#devices.show(settings)]);
  }

  #pick(entry, file, byReader) {
    const stored = this.#storedOf(entry);
    this.#download.offer(entry, file, stored);
    if (stored?.complete && byReader) {
      this.#change({ model: stored.key, writer: "local" });
    }
  }

  #storedOf(entry) {
    return this.#stored.models.find(({ key }) => key === keyOf(entry)) ?? null;
  }

  /**
   * A download ends when it ends: it makes its model the writer only where nobody else is, or was chosen since it began,
   * and so never ends an answer of theirs.
   */
  async #changed(message, stored, before) {
    if (stored) {
      const { writer } = readSettings();
      const free = writer === before && (writer === "none" || writer === "local");
      this.#change({ model: stored.key, writer: free ? "local" : writer });
    }
    await this.refresh();
    this.#said.textContent = message;
  }

  #tell(error) {
    this.#problem.append(h("div", { class: "error", role: "alert", "data-code": error.code ?? "internal" }, h("p", {}, error.message)));
  }

  #key(event) {
    // Escape leaves a field or a list as it would anywhere, and closes the panel from all else.
    if (event.key === "Escape" && !event.target.matches("input:not([type=radio], [type=checkbox]), select")) {
      event.stopPropagation();
      this.close();
    }
  }
}
