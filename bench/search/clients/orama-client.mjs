// Orama in the browser: a saved database in one JSON file, loaded as its documentation says.

import { create, load, search as query } from "@orama/orama";

/** The client's two functions, for a database of these options. */
export function client(options) {
  let index;
  return {
    async open(base) {
      index = create(options);
      load(index, await (await fetch(`${base}index.json`)).json());
    },
    async search(question, limit) {
      const { hits } = await query(index, { term: question, limit });
      return hits.map(({ document }) => document);
    },
  };
}
