// `pagefind-search.mjs DIR LANGUAGE QUESTION…`: asks an index of Pagefind by its own JavaScript, outside of a browser. It
// is a process of its own, since the script keeps what it loaded.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** So many pages of each list are read, and so many sections below each, as its page shows them: those with the most words. */
const [LISTED, SHOWN] = [12, 3];

const [dir, wanted, ...questions] = process.argv.slice(2);
// Its indexes are named as the pages' `lang`, such as `en-us`.
const { languages } = JSON.parse(await readFile(join(dir, "pagefind-entry.json"), "utf8"));
const language = Object.keys(languages).find((tag) => tag.split("-")[0] === wanted) ?? wanted;
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
  const shown = (sections) => [...sections].sort((a, b) => b.locations.length - a.locations.length).slice(0, SHOWN);
  all.push(pages.map(({ url, sub_results: sections }) => ({ url, sections: shown(sections).map((section) => section.url) })));
}
// The script keeps the process alive.
process.stdout.write(JSON.stringify(all), () => process.exit(0));
