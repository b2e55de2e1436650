// MiniSearch, as its users would index a site: a document for each page, with its title and its text, and default options.

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import MiniSearch from "minisearch";

import { htmlFiles } from "../files.mjs";
import { isAnswerable, measures, placesOf } from "../questions.mjs";

export const minisearch = {
  name: "minisearch",

  async measure(dir, questions, _out, anchors) {
    const started = performance.now();
    const files = await htmlFiles(dir);
    const index = new MiniSearch({ fields: ["title", "text"] });
    for (const file of files) index.add(document(file, await readFile(join(dir, file), "utf8")));
    const bytes = Buffer.byteLength(JSON.stringify(index));
    const seconds = (performance.now() - started) / 1000;
    const places = questions.filter(isAnswerable).map((question) => {
      const ranked = index.search(question.question).slice(0, 12);
      return placesOf(question, ranked.map(({ id }) => ({ page: id, shown: [] })), anchors);
    });
    return {
      files: files.length,
      pages: files.length,
      seconds,
      files_per_second: files.length / seconds,
      index_bytes: bytes,
      page: measures(places.map(({ page }) => page)),
    };
  },
};

/** A page's title and text: what stands in its body, without scripts and styles. */
function document(id, html) {
  const title = /<title[^>]*>([^]*?)<\/title>/i.exec(html)?.[1] ?? "";
  const body = /<body[^>]*>([^]*)/i.exec(html)?.[1] ?? html;
  const text = body.replace(/<(script|style|svg)\b[^]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ");
  return { id, title: plain(title), text: plain(text) };
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

function plain(text) {
  const known = text.replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all);
  return known.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code)).replace(/\s+/g, " ").trim();
}
