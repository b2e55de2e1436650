//! SQLite FTS5: the tokens in a table without content, the texts in a table beside it, optimised into one segment.
//! The words of a question are alternatives; `bm25` has the weights of seealso's fields.

use std::path::Path;

use anyhow::Result;
use rusqlite::{Connection, OpenFlags, params};

use crate::data::{Form, for_each_row};
use crate::engine::{Engine, Entry, TOP};
use crate::ours;

pub(crate) const NAME: &str = "fts5";

/// Letters, digits and marks make tokens, as in seealso's analysis; all else, of which the tokens hold nothing, splits.
const TABLES: &str = "
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE TABLE pages(number INTEGER PRIMARY KEY, id TEXT, title TEXT, summary TEXT);
    CREATE VIRTUAL TABLE words USING fts5(
        title, summary, content = '', tokenize = \"unicode61 remove_diacritics 0 categories 'L* N* Co M*'\"
    );
    BEGIN;";

/// Builds the index in one file.
pub(crate) fn build(rows: &Path, folder: &Path) -> Result<()> {
    let database = Connection::open(folder.join("index.sqlite"))?;
    database.execute_batch(TABLES)?;
    {
        let mut page = database.prepare("INSERT INTO pages VALUES (?1, ?2, ?3, ?4)")?;
        let mut words = database.prepare("INSERT INTO words(rowid, title, summary) VALUES (?1, ?2, ?3)")?;
        for_each_row(rows, |number, row| {
            page.execute(params![number, row.id, row.title, row.summary])?;
            words.execute(params![number, row.title_tokens, row.summary_tokens])?;
            Ok(())
        })?;
    }
    let [title, summary] = ours::weights();
    database
        .execute("INSERT INTO words(words, rank) VALUES ('rank', ?1)", [format!("bm25({title:.1}, {summary:.1})")])?;
    database.execute_batch("COMMIT; INSERT INTO words(words) VALUES ('optimize'); VACUUM;")?;
    Ok(())
}

/// An opened index.
pub(crate) struct Fts5 {
    database: Connection,
}

impl Fts5 {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let database = Connection::open_with_flags(folder.join("index.sqlite"), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // Room for the whole file, so that no question waits for the disk.
        database.execute_batch("PRAGMA cache_size = -1000000; PRAGMA mmap_size = 2000000000;")?;
        Ok(Fts5 { database })
    }
}

impl Engine for Fts5 {
    fn rank(&self, question: &Form) -> Result<Vec<u64>> {
        let words: Vec<String> = question.tokens.iter().map(|token| format!("\"{token}\"")).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let mut best =
            self.database.prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rank LIMIT ?2")?;
        let rows = best.query_map(params![words.join(" OR "), TOP as i64], |row| row.get::<_, i64>(0))?;
        rows.map(|row| Ok(u64::try_from(row?)?)).collect()
    }

    fn read(&self, row: u64) -> Result<Entry> {
        let mut page = self.database.prepare_cached("SELECT id, title, summary FROM pages WHERE number = ?1")?;
        let entry = page.query_row([i64::try_from(row)?], |row| {
            Ok(Entry { id: row.get(0)?, title: row.get(1)?, summary: row.get(2)? })
        })?;
        Ok(entry)
    }
}
