// A button that copies what a model wrote.

import { h } from "../dom.js";
import { words } from "./words.js";

/** @param {string} text what is copied */
export function copyButton(text) {
  const said = h("span", { role: "status", class: "muted" });
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = words.copied;
    } catch {
      said.textContent = words.copyFailed;
    }
  }
  return h("div", { class: "tools" }, h("button", { type: "button", class: "quiet", part: "copy", onclick: copy }, words.copy), said);
}
