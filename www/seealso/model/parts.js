// Whether a site has the parts that run models. It may be served while they are still being built.

import { fetchOffer } from "./catalog.js";
import { words } from "./words.js";

let there = false;

/** What to tell a reader of the parts that are not there; "" where all are. @param {string} list the address of models.json */
export async function missingParts(list) {
  if (!there) {
    // A list that can't be had says nothing of the parts.
    const { parts } = await fetchOffer(list).catch(() => ({ parts: "" }));
    there = parts === "";
    return words.parts[parts] ?? "";
  }
  return "";
}
