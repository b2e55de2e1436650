// A model's reasoning: folded, named for what it is, apart from what the model answers.

import { h } from "../dom.js";
import { words } from "./words.js";

/** The reasoning before one text. `element` is what to put into the document; it shows once there is reasoning. */
export class Reasoning {
  #text = h("div", { class: "draft muted" });
  element = h("details", { class: "reasoning", part: "reasoning", hidden: true }, h("summary", {}, words.reasoning), this.#text);

  /** @param {string} text what there is of it already */
  constructor(text = "") {
    this.append(text);
  }

  /** More of it. @param {string} text */
  append(text) {
    this.#text.append(text);
    this.element.hidden &&= text === "";
  }

  /** None of it is left. */
  clear() {
    this.#text.replaceChildren();
    this.element.hidden = true;
  }
}
