// FlexSearch in the browser: the export's parts, in one JSON file, are imported into an index of the same options.

import { Document } from "flexsearch";

import { OPTIONS } from "../engines/flexsearch-options.mjs";

/** `suggest` also finds pages that lack some of the words, as a question needs; `defaults` is without it. */
const SEARCH = {
  main: { merge: true, enrich: true, suggest: true },
  defaults: { merge: true, enrich: true },
};

let index;

export async function open(base) {
  const parts = await (await fetch(`${base}index.json`)).json();
  index = new Document(OPTIONS);
  for (const [key, data] of Object.entries(parts)) await index.import(key, data);
}

export async function search(question, limit, how) {
  const hits = index.search(question, { ...SEARCH[how], limit });
  return hits.slice(0, limit).map(({ doc }) => doc);
}
