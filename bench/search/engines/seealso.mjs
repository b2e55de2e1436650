// seealso: its own command publishes the packs; the catalog and the index folder are its index.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

export const seealso = {
  name: "seealso",
  ownStopWords: true,
  async build({ packRoot }, dir) {
    await promisify(execFile)(process.env.SEEALSO_BIN, ["build", packRoot, "-o", dir]);
  },
  /** The pages are published beside the index, and are no part of it. */
  isIndex: (file) => file === "catalog.json" || file.startsWith("index/"),
};
