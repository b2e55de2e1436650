// MiniSearch in the browser: its index is one JSON file, loaded as its documentation says.

import MiniSearch from "minisearch";

import { OPTIONS } from "../engines/minisearch-options.mjs";

/** The README's options for a search box; `defaults` is a search without options. */
const SEARCH = {
  main: { boost: { title: 2 }, fuzzy: 0.2 },
  defaults: {},
};

let index;

export async function open(base) {
  const text = await (await fetch(`${base}index.json`)).text();
  index = MiniSearch.loadJSON(text, OPTIONS);
}

export async function search(question, limit, how) {
  return index.search(question, SEARCH[how]).slice(0, limit);
}
