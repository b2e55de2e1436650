// lunr: full text of title, summary and body; the index and the list of pages as two JSON files, since lunr
// stores no text. Fields are not boosted: the boost of 10 in its documentation's example ranks these questions worse.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import lunrBuild from "lunr";

export const lunr = {
  name: "lunr",
  package: "lunr",
  hasDefaults: true,
  async build({ pages }, dir) {
    const index = lunrBuild(function () {
      this.ref("number");
      this.field("title");
      this.field("summary");
      this.field("text");
      pages.forEach((page, number) => this.add({ ...page, number }));
    });
    const list = pages.map(({ id, title, summary }) => ({ page: id, title, summary }));
    await writeFile(join(dir, "index.json"), JSON.stringify(index));
    await writeFile(join(dir, "pages.json"), JSON.stringify(list));
  },
};
