// seealso: its own command publishes the packs; the catalog and the index folder are its index.
//
// It is measured as it is built by default, and with titles and summaries alone where the command can choose.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Rows have no bodies, so there is nothing that the other would leave out. */
export const seealso = { ...engine("seealso", []), takesRows: true };

/** Without body terms; only where `isThere` says that there is the option. */
export const seealsoMetadata = {
  ...engine("seealso-metadata", ["--body-terms", "0"]),
  async isThere() {
    const { stdout } = await run(process.env.SEEALSO_BIN, ["build", "--help"]);
    return stdout.includes("--body-terms");
  },
};

function engine(name, options) {
  return {
    name,
    ownStopWords: true,
    typing: true,
    needsBuild: true,
    async build({ packRoot, rows }, dir) {
      await run(process.env.SEEALSO_BIN, ["build", rows ?? packRoot, "-o", dir, ...options]);
    },
    /** The pages are published beside the index and are no part of it; nor is what builds keep for the next one. */
    isIndex: (file) => file === "catalog.json" || (file.startsWith("index/") && !/\.(words|files)$/.test(file)),
    /** The whole pipeline's ranking, sub-queries merged, as the command measures it on a file of questions. */
    async evaluate(dir, questions) {
      const { stdout } = await run(process.env.SEEALSO_BIN, ["eval", questions, "--packs", dir, "--json"]);
      return JSON.parse(stdout);
    },
  };
}
