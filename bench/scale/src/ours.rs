//! seealso's index, through the public interface of `seealso-index`: the one file that knows it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use seealso_index::{Analysis, Bm25, Index, NewPack, NewPage, PageNo, write};

use crate::data::{Form, PACK, for_each_row};
use crate::engine::{Engine, Entry, TOP};

pub(crate) const NAME: &str = "seealso";

/// The weights that the peers are given too: title, summary.
pub(crate) fn weights() -> [f64; 2] {
    let [title, _aliases, summary, _body] = Bm25::default().weights;
    [title, summary]
}

/// The tokens of `text` in reading order, stop words included.
pub(crate) fn all_tokens(text: &str) -> Vec<String> {
    Analysis::English.all_tokens(text).into_iter().map(|token| token.term).collect()
}

/// The words of `text` that are no stop words, as they stand there.
pub(crate) fn content_words(text: &str) -> String {
    let tokens = Analysis::English.tokens(text);
    tokens.iter().map(|token| &text[token.start..token.end]).collect::<Vec<_>>().join(" ")
}

/// Builds the index of all rows as one pack.
pub(crate) fn build(rows: &Path, index: &Path) -> Result<()> {
    let mut pack = NewPack { path: PACK.into(), language: "en".into(), ..NewPack::default() };
    for_each_row(rows, |_, row| {
        let file = format!("{}.md", row.id);
        pack.pages.push(NewPage { file, title: row.title, summary: row.summary, ..NewPage::default() });
        Ok(())
    })?;
    Ok(fs::write(index.join("index.idx"), write(&[pack])?)?)
}

/// An opened index.
pub(crate) struct Ours {
    index: Index,
    bm25: Bm25,
}

impl Ours {
    pub(crate) fn open(index: &Path) -> Result<Self> {
        let bytes = fs::read(index.join("index.idx")).context("reading the index")?;
        Ok(Ours { index: Index::open(bytes)?, bm25: Bm25::default() })
    }
}

impl Engine for Ours {
    fn rank(&self, question: &Form) -> Result<Vec<u64>> {
        let hits = self.index.search(question.text.as_str(), TOP, &self.bm25)?;
        Ok(hits.iter().map(|hit| hit.page.0.into()).collect())
    }

    fn read(&self, row: u64) -> Result<Entry> {
        let page = self.index.page(PageNo(u32::try_from(row)?))?;
        let id = page.file.strip_suffix(".md").unwrap_or(&page.file).to_owned();
        Ok(Entry { id, title: page.title, summary: page.summary })
    }
}
