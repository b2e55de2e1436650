// Who goes on after the quoted answer: nobody, a model on this device, the browser's own, or a node.

import { fill, h } from "../dom.js";
import { words } from "./words.js";

/** The choice. `element` is what to put into the document. */
export class WriterChoice {
  element = h("fieldset", { part: "writers" });

  /** @param {(writer: string) => void} onPick */
  constructor(onPick) {
    fill(this.element, h("legend", {}, words.writer), Object.entries(words.writers).map(([writer, { title, about }]) => {
      const input = h("input", { type: "radio", name: "writer", value: writer, onchange: () => onPick(writer) });
      return h("label", { class: "choice", hidden: writer === "browser" }, input,
        h("span", { class: "about" }, h("span", { class: "title" }, title), h("span", { class: "snippet" }, about)));
    }));
  }

  /** @param {import("./settings.js").Settings} settings @param {string[]} missing writers that are not to be had here */
  show({ writer }, missing) {
    for (const input of this.element.querySelectorAll("input")) {
      input.checked = input.value === writer;
      input.closest("label").hidden = missing.includes(input.value);
    }
  }
}
