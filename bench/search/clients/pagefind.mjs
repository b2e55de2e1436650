// Pagefind in the browser, as its API documentation has it: search, then the data of the results that are shown.

/** English words that a question holds and a search box's query does not. */
const STOP_WORDS = new Set(
  ("a about an and are as at be by can did do does for from had has have how i if in into is it its me my of on or " +
    "should so than that the their then there they this to was we were what when where which who why will with " +
    "would you your").split(" "),
);

let pagefind;

export async function open(base) {
  pagefind = await import(`${base}pagefind.js`);
  await pagefind.init();
}

/** Every word must be on a page, so that a pasted question finds little; the variant drops what carries no meaning. */
export async function search(question, limit, variant) {
  const { results } = await pagefind.search(variant === "main" ? question : withoutStopWords(question));
  const shown = await Promise.all(results.slice(0, limit).map((result) => result.data()));
  return shown.map(({ url, meta, excerpt }) => ({ page: url.slice(1), title: meta.title, summary: excerpt }));
}

function withoutStopWords(question) {
  return question
    .split(/\s+/)
    .filter((word) => !STOP_WORDS.has(word.toLowerCase().replace(/[^a-z]/g, "")))
    .join(" ");
}
