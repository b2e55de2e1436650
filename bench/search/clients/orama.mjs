// Orama in the browser: a saved database in one JSON file, loaded as its documentation says.

import { create, load, search as query } from "@orama/orama";

import { SCHEMA } from "../engines/orama-schema.mjs";

/** The title boost of the documentation's examples; `plain` is a search with the term alone. */
const SEARCH = {
  main: { boost: { title: 2 } },
  plain: {},
};

let index;

export async function open(base) {
  index = create({ schema: SCHEMA });
  load(index, await (await fetch(`${base}index.json`)).json());
}

export async function search(question, limit, variant) {
  const { hits } = await query(index, { term: question, limit, ...SEARCH[variant] });
  return hits.map(({ document }) => document);
}
