// The one worker of a page that deliberates: the answers and the settings share it.

import { Deliberations } from "./client.js";

let one = null;

/** @returns {Deliberations} */
export function deliberations() {
  one ??= new Deliberations();
  return one;
}
