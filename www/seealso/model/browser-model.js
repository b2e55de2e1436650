// The browser's own model in the settings: whether it is ready, and the reader's word for the browser to download it.

import { browserModelState, prepareBrowserModel } from "../deliberation/browser.js";
import { fill, h } from "../dom.js";
import { words } from "./words.js";

/** The settings; empty unless that model is chosen. `element` is what to put into the document. */
export class BrowserModel {
  element = h("section", { part: "browser-model", role: "status" });

  /** @param {import("./settings.js").Settings} settings */
  async show({ writer }) {
    if (writer !== "browser") {
      this.element.replaceChildren();
      return;
    }
    const state = await browserModelState();
    fill(this.element, h("p", { class: "note" }, words.browserStates[state]),
      state === "downloadable" && h("button", { type: "button", class: "primary", onclick: () => this.#prepare() }, words.prepareBrowser));
  }

  async #prepare() {
    const progress = h("p", { class: "note" }, words.browserStates.downloading);
    fill(this.element, progress);
    try {
      await prepareBrowserModel({ onProgress: (share) => (progress.textContent = words.browserProgress(share)) });
      await this.show({ writer: "browser" });
    } catch (error) {
      fill(this.element, h("div", { class: "error", role: "alert" }, h("p", {}, words.browserFailed(error.message))));
    }
  }
}
