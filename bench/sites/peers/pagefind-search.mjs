// `pagefind-search.mjs DIR LANGUAGE QUESTION…`: asks an index of Pagefind by its own JavaScript, outside of a browser. It
// is a process of its own, since the script keeps what it loaded.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** So many pages of each list are read. */
const LISTED = 12;

const [dir, language, ...questions] = process.argv.slice(2);
const BASE = "http://localhost/pagefind/";

// What the script asks of a browser: the page's language and address, and files.
globalThis.window = globalThis;
globalThis.location = new URL(BASE);
globalThis.document = { querySelector: () => ({ getAttribute: () => language }) };
globalThis.fetch = async (url) => {
  const path = decodeURIComponent(new URL(url, BASE).pathname).slice("/pagefind/".length);
  return new Response(await readFile(join(dir, path)));
};

const pagefind = await import(pathToFileURL(join(dir, "pagefind.js")));
await pagefind.options({ basePath: "/pagefind/", baseUrl: "/" });
await pagefind.init();
const all = [];
for (const question of questions) {
  const { results } = await pagefind.search(question);
  const pages = await Promise.all(results.slice(0, LISTED).map((result) => result.data()));
  const section = ({ url, locations }) => ({ url, locations: locations.length });
  all.push(pages.map(({ url, sub_results: sections }) => ({ url, sub_results: sections.map(section) })));
}
console.log(JSON.stringify(all));
process.exit(0);
