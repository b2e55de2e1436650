// Orama: full text of title, summary and body; one JSON file. Orama stores whole documents, bodies included.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { create, insertMultiple, save } from "@orama/orama";

import { DEFAULTS, ENGLISH } from "./orama-options.mjs";

export const orama = engine("orama", ENGLISH);

/** An engine of its own, since the analysis of text is in the index. */
export const oramaDefaults = engine("orama-defaults", DEFAULTS);

function engine(name, options) {
  return {
    name,
    package: "@orama/orama",
    async build({ pages }, dir) {
      const index = create(options);
      const documents = pages.map(({ id, title, summary, text }) => ({ page: id, title, summary, text }));
      await insertMultiple(index, documents);
      await writeFile(join(dir, "index.json"), JSON.stringify(save(index)));
    },
  };
}
