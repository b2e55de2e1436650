// lunr in the browser: a prebuilt index and the list of pages, each one JSON file, loaded as its guide says.

import lunr from "lunr";

let index;
let pages;

export async function open(base) {
  const [serialized, list] = await Promise.all([json(`${base}index.json`), json(`${base}pages.json`)]);
  index = lunr.Index.load(serialized);
  pages = list;
}

export async function search(question, limit, how) {
  const hits = how === "defaults" ? pasted(question) : tokenized(question);
  return hits.slice(0, limit).map(({ ref }) => pages[ref]);
}

/** The words as terms, as the documentation has it for text that is no query; trimmed as the indexed words are. */
function tokenized(question) {
  const terms = lunr.tokenizer(question).map((token) => lunr.trimmer(token)).filter((token) => token.str !== "");
  return index.query((query) => query.term(terms));
}

/** The question in the query syntax, in which a colon names a field: some questions are errors. */
function pasted(question) {
  try {
    return index.search(question);
  } catch (error) {
    if (error instanceof lunr.QueryParseError) return [];
    throw error;
  }
}

async function json(url) {
  return (await fetch(url)).json();
}
