// Removes what the browser stored of packs and their index. Models are stored elsewhere, and stay.

import { h } from "../dom.js";
import { words } from "./words.js";

/** How the names of caches begin that the engine keeps (`CACHE` in src/web/copies.rs). */
const CACHES = /^seealso-\d+$/;

/** Removes the copies, and says beside the button what came of it. */
export async function removeStored(button) {
  const said = button.nextElementSibling ?? h("span", { class: "muted", role: "status" });
  button.after(said);
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
