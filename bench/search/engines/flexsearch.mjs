// FlexSearch: a document index of title, summary and body as one field; the export's parts in one JSON file.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Document } from "flexsearch";

import { OPTIONS } from "./flexsearch-options.mjs";

export const flexsearch = {
  name: "flexsearch",
  package: "flexsearch",
  hasDefaults: true,
  async build({ pages }, dir) {
    const index = new Document(OPTIONS);
    pages.forEach(({ id, title, summary, text }, number) => {
      index.add({ id: number, page: id, title, summary, everything: `${title} ${summary} ${text}` });
    });
    const parts = {};
    await index.export((key, data) => {
      parts[key] = data;
    });
    await writeFile(join(dir, "index.json"), JSON.stringify(parts));
  },
};
