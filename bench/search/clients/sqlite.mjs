// SQLite's wasm in the browser: the database file is fetched whole and opened in memory.

import init from "@sqlite.org/sqlite-wasm";

/** Any of the words; `defaults` is FTS5's own reading of several words: all of them. */
const BETWEEN = { main: " OR ", defaults: " " };

let database;
let statement;

export async function open(base) {
  const sqlite = init({ locateFile: () => "/sqlite-code/sqlite3.wasm" });
  const bytes = fetch(`${base}index.sqlite`).then((response) => response.arrayBuffer());
  const [{ oo1, capi, wasm }, file] = await Promise.all([sqlite, bytes]);
  database = new oo1.DB();
  const pointer = wasm.allocFromTypedArray(file);
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY;
  database.checkRc(capi.sqlite3_deserialize(database.pointer, "main", pointer, file.byteLength, file.byteLength, flags));
  statement = database.prepare(
    "SELECT page, pages.title, pages.summary FROM words JOIN pages ON number = words.rowid " +
      "WHERE words MATCH ? ORDER BY rank LIMIT ?",
  );
}

export async function search(question, limit, how) {
  // Runs of letters and digits, each in quotation marks, so that none is read as FTS5's query syntax.
  const words = (question.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => `"${word}"`);
  if (words.length === 0) return [];
  const hits = [];
  statement.bind([words.join(BETWEEN[how]), limit]);
  while (statement.step()) {
    const [page, title, summary] = statement.get([]);
    hits.push({ page, title, summary });
  }
  statement.reset();
  return hits;
}
