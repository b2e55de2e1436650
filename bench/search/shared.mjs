// The shared evaluation data: where it lies, its lines, and some of them.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Where the shared evaluation data is expected: the folder that holds `questions/` and `packs/`. */
export function sharedData() {
  return resolve(process.env.SEEALSO_SHARED || join(ROOT, "../shared/data"));
}

/** The objects of a file of JSON Lines. */
export function readLines(path) {
  const lines = readFileSync(path, "utf8").split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line));
}

/** `count` of the items, evenly spread over the list. */
export function spread(items, count) {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]);
}
