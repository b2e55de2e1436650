// SQLite's own wasm build with FTS5: one database file, made by the same wasm under Node. The search table keeps no
// text of its own, since a result list shows titles and summaries only; these stand in a table beside it.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import init from "@sqlite.org/sqlite-wasm";

const TABLES = `
  CREATE TABLE pages(number INTEGER PRIMARY KEY, page TEXT, title TEXT, summary TEXT);
  CREATE VIRTUAL TABLE words USING fts5(title, summary, text, content = '', tokenize = 'porter unicode61');
  INSERT INTO words(words, rank) VALUES ('rank', 'bm25(5.0, 2.0, 1.0)');
`;

export const sqlite = {
  name: "sqlite",
  package: "@sqlite.org/sqlite-wasm",
  hasDefaults: true,
  async build({ pages }, dir) {
    const { oo1, capi } = await init();
    const database = new oo1.DB(":memory:");
    database.exec(TABLES);
    const page = database.prepare("INSERT INTO pages VALUES (?, ?, ?, ?)");
    const words = database.prepare("INSERT INTO words(rowid, title, summary, text) VALUES (?, ?, ?, ?)");
    database.transaction(() => {
      for (const [number, { id, title, summary, text }] of pages.entries()) {
        page.bind([number, id, title, summary]).stepReset();
        words.bind([number, title, summary, text]).stepReset();
      }
    });
    page.finalize();
    words.finalize();
    database.exec("INSERT INTO words(words) VALUES ('optimize'); VACUUM;");
    await writeFile(join(dir, "index.sqlite"), capi.sqlite3_js_db_export(database));
    database.close();
  },
};
