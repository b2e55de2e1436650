// Writes a corpus of texts as a pack in the Open Knowledge Format, a file a page, so that seealso builds it as it builds
// any pack, and the peers read the same files.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A sentence's end, and what follows it: a space, or nothing in scripts that write none. */
const SENTENCE_END = /[.!?](?=\s)|[。！？]/u;
/** A sentence that ends sooner is taken to end at an abbreviation. */
const LEAST_SENTENCE = 20;
/** A sentence that is longer is cut. */
const MOST_SENTENCE = 400;

/**
 * Writes `pages` of one corpus, each `{id, title, text}` with the id `<pack>/<slug>`, below `root`, and returns the pack's
 * folder. A page's description is its first sentence.
 */
export function writePack(root, pages, language) {
  const name = pages[0].id.split("/")[0];
  const index = [`# ${name}`, "", ...pages.map(({ id, title }) => `- [${linkText(title)}](${id.slice(name.length + 1)}.md)`)];
  writeFile(join(root, name, "index.md"), document({ okf_version: "0.2", title: name, language }, index.join("\n")));
  for (const { id, title, text } of pages) {
    const fields = { type: "article", title, description: firstSentence(text) };
    writeFile(join(root, `${id}.md`), document(fields, asText(text)));
  }
  return join(root, name);
}

function writeFile(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function document(fields, body) {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ["---", ...lines, "---", "", body, ""].join("\n");
}

/** The first sentence of `text`. */
export function firstSentence(text) {
  const line = text.replace(/\s+/g, " ").trim();
  for (let from = LEAST_SENTENCE; from < line.length; ) {
    const end = line.slice(from).search(SENTENCE_END);
    if (end < 0) break;
    from += end + 1;
    // A single letter before the full stop is an initial.
    if (!/(^|[\s.])\p{L}\.$/u.test(line.slice(0, from))) return line.slice(0, Math.min(from, MOST_SENTENCE));
  }
  return line.slice(0, MOST_SENTENCE);
}

/** The text without what would be Markdown or HTML in it. */
function asText(text) {
  return text.replace(/[\\`*_[\]<>#|]/g, "\\$&").replace(/^([-+]|\d+[.)])(?=\s)/gm, "\\$1");
}

function linkText(title) {
  return title.replace(/[\\[\]]/g, "\\$&");
}
