// MiniSearch: full text of title, summary and body; one JSON file.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import MiniSearch from "minisearch";

import { OPTIONS } from "./minisearch-options.mjs";

export const minisearch = {
  name: "minisearch",
  package: "minisearch",
  hasDefaults: true,
  async build({ pages }, dir) {
    const index = new MiniSearch(OPTIONS);
    index.addAll(pages.map((page, id) => ({ ...page, id, page: page.id })));
    await writeFile(join(dir, "index.json"), JSON.stringify(index));
  },
};
