// Pagefind in the browser, as its API documentation has it: search, then the data of the results that are shown.

let pagefind;

export async function open(base) {
  pagefind = await import(`${base}pagefind.js`);
  // Without it, the index's own folder becomes a part of every result's address.
  await pagefind.options({ baseUrl: "/" });
  await pagefind.init();
}

export async function search(question, limit) {
  const { results } = await pagefind.search(question);
  const shown = await Promise.all(results.slice(0, limit).map((result) => result.data()));
  return shown.map(({ url, meta, excerpt }) => ({ page: url.slice(1), title: meta.title, summary: excerpt }));
}
