// Orama: full text of title, summary and body; one JSON file. Orama stores whole documents, bodies included.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { create, insertMultiple, save } from "@orama/orama";

import { SCHEMA } from "./orama-schema.mjs";

export const orama = {
  name: "orama",
  package: "@orama/orama",
  variants: ["plain"],
  async build({ pages }, dir) {
    const index = create({ schema: SCHEMA });
    const documents = pages.map(({ id, title, summary, text }) => ({ page: id, title, summary, text }));
    await insertMultiple(index, documents);
    await writeFile(join(dir, "index.json"), JSON.stringify(save(index)));
  },
};
