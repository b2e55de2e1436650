// What a model writes before the checks: folded, named for what it is, with an estimate of how long the checked answer
// takes. It is no live region: nobody is read a draft token by token.

import { h } from "../dom.js";
import { Reasoning } from "./reasoning.js";
import { words } from "./words.js";

/** The text that one role writes at a time. `element` is what to put into the document; it shows once there is text. */
export class UncheckedText {
  #label = h("span", { class: "stage" });
  #left = h("span", { class: "note" });
  #reasoning = new Reasoning();
  #text = h("div", { class: "draft muted", part: "draft" });
  element = h("details", { class: "unchecked", part: "unchecked", hidden: true },
    h("summary", {}, this.#label, this.#left), this.#reasoning.element, this.#text);

  /** A role begins to write; what another wrote gives way. @param {string} stage the role's */
  begin(stage) {
    this.#label.textContent = words.unchecked[stage] ?? words.draft;
    this.#reasoning.clear();
    this.#text.replaceChildren();
    this.element.hidden = false;
  }

  /** More of the reasoning before it. @param {string} text */
  reason(text) {
    this.#reasoning.append(text);
  }

  /** What was written so far is this: the rest of it was reasoning. @param {string} text */
  revise(text) {
    this.#text.textContent = text;
  }

  /** More of it. @param {string} text */
  append(text) {
    this.#text.append(text);
  }

  /** Tells how long the checked answer takes. @param {number|null} seconds null where nobody can tell */
  tellLeft(seconds) {
    const text = seconds === null ? "" : words.left(seconds);
    if (this.#left.textContent !== text) {
      this.#left.textContent = text;
    }
  }
}
