// What can be asked about, as the element says it once the packs are open.

import { h } from "./dom.js";
import { words } from "./strings.js";

/** The number of pages, which opens to the packs. @param {object} info */
export function packList(info) {
  const ready = words.ready(info.pages, info.pack_count);
  if (info.packs.length === 0) {
    // Too many to be listed.
    return h("p", { class: "muted" }, ready);
  }
  return h("details", { class: "packs" },
    h("summary", {}, ready),
    h("ul", {}, info.packs.map((pack) => h("li", { lang: pack.language || false },
      h("strong", {}, pack.title), h("span", { class: "muted" }, ` · ${words.packPages(pack.pages)}`),
      pack.summary && h("p", { class: "muted" }, pack.summary)))));
}
