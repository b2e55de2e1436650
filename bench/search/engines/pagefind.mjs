// Pagefind: HTML pages through its Node API; it writes many small files and its own JavaScript beside them.
//
// A page must hold every word of the query that the index knows, so that a question as people ask it finds little.

import * as pagefindNode from "pagefind";

export const pagefind = {
  name: "pagefind",
  package: "pagefind",
  async build({ pages }, dir) {
    const { index, errors } = await pagefindNode.createIndex();
    if (!index) throw new Error(`pagefind: ${errors.join("; ")}`);
    for (const { id, html } of pages) await index.addHTMLFile({ url: `/${id}`, content: html });
    await index.writeFiles({ outputPath: dir });
    await pagefindNode.close();
  },
  /** Its scripts and wasm; the files of its ready-made interfaces are written too, and never loaded here. */
  isCode: (file) => /^(pagefind[^/]*\.(js|css)|wasm\.[^/]*\.pagefind)$/.test(file),
};
