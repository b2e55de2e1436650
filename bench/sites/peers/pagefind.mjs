// Pagefind, as its users run it: its command over the site's HTML without any setting, and its own JavaScript.

import { fileURLToPath } from "node:url";

import { htmlFiles, run } from "../files.mjs";
import { isAnswerable, measures, placesOf } from "../questions.mjs";

const COMMAND = fileURLToPath(new URL("../node_modules/.bin/pagefind", import.meta.url));
const WORKER = fileURLToPath(new URL("./pagefind-search.mjs", import.meta.url));

/** Its page shows so many sections below a page. */
const SHOWN = 3;

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

/** A page of its list, with the sections that it would show: of many, those with the most words of the question. */
function ranked({ url, sub_results: sections }) {
  const most = [...sections].sort((a, b) => b.locations - a.locations).slice(0, SHOWN);
  const anchor = (section) => decodeURIComponent(section.url.split("#")[1] ?? "");
  return { page: decodeURIComponent(url.split("#")[0].replace(/^\//, "")), shown: most.map(anchor) };
}
