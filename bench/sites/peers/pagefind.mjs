// Pagefind, as its users run it: its command over the site's HTML without any setting, and its own JavaScript.

import { fileURLToPath } from "node:url";

import { htmlFiles, run } from "../files.mjs";
import { isAnswerable, measures, placesOf } from "../questions.mjs";

const COMMAND = fileURLToPath(new URL("../node_modules/.bin/pagefind", import.meta.url));
const WORKER = fileURLToPath(new URL("./pagefind-search.mjs", import.meta.url));

export const pagefind = {
  name: "pagefind",

  async measure(dir, questions, out, anchors) {
    const files = (await htmlFiles(dir)).length;
    const { seconds, text } = await run(COMMAND, ["--site", dir, "--output-path", out]);
    const asked = questions.filter(isAnswerable);
    const places = [];
    for (const language of new Set(asked.map(({ lang }) => lang))) {
      const of = asked.filter(({ lang }) => lang === language);
      const found = await run(process.execPath, [WORKER, out, language, ...of.map(({ question }) => question)]);
      JSON.parse(found.text).forEach((results, at) => places.push(placesOf(of[at], results.map(ranked), anchors)));
    }
    return {
      files,
      pages: Number(/Indexed (\d+) pages?/.exec(text)?.[1] ?? 0),
      seconds,
      files_per_second: files / seconds,
      page: measures(places.map(({ page }) => page)),
      section: measures(places.map(({ section }) => section)),
    };
  },
};

/** A page of its list, with the anchors of the sections that it would show. */
function ranked({ url, sections }) {
  const parts = (url) => url.split("#").map(decodeURIComponent);
  // It names the page of a folder by the folder alone.
  const page = parts(url)[0].replace(/^\//, "").replace(/(^|\/)$/, "$1index.html");
  return { page, shown: sections.map((section) => parts(section)[1] ?? "") };
}
