// Who goes on after the quoted answer: nobody, a model on this device, the browser's own, or a node.

import { fill, h } from "../dom.js";
import { words } from "./words.js";

/** The choice. `element` is what to put into the document. */
export class WriterChoice {
  element = h("fieldset", { part: "writers" });

  /**
   * @param {string[]} writers those that there are
   * @param {(writer: string) => void} onPick
   */
  constructor(writers, onPick) {
    fill(this.element, h("legend", {}, words.writer), writers.map((writer) => {
      const { title, about } = words.writers[writer];
      return h("label", { class: "choice" },
        h("input", { type: "radio", name: "writer", value: writer, onchange: () => onPick(writer) }),
        h("span", { class: "about" }, h("span", { class: "title" }, title), h("span", { class: "snippet" }, about)));
    }));
  }

  /** @param {import("./settings.js").Settings} settings */
  show({ writer }) {
    for (const input of this.element.querySelectorAll("input")) {
      input.checked = input.value === writer;
    }
  }
}
