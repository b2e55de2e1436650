// Removes what the browser stored of packs and their index. Models are stored elsewhere, and stay.

import { h } from "../dom.js";
import { words } from "./words.js";

/** How the names of caches begin that the engine keeps (`CACHE` in src/web/copies.rs). */
const CACHES = /^seealso-\d+$/;

/** A button that removes the copies, and says what came of it; nothing where this page has no cache storage. */
export function storedCopies() {
  if (!globalThis.caches) {
    return null;
  }
  const said = h("span", { class: "muted", role: "status" });
  const button = h("button", { type: "button", class: "quiet", onclick: remove }, words.removeStored);
  async function remove() {
    button.disabled = true;
    try {
      const names = (await caches.keys()).filter((name) => CACHES.test(name));
      await Promise.all(names.map((name) => caches.delete(name)));
      said.textContent = words.removedStored;
    } catch {
      said.textContent = words.failedRemoving;
    }
    button.disabled = false;
  }
  return h("p", { class: "stored" }, button, said);
}
