//! tantivy: words split at spaces, its BM25; merged to one segment, opened from disk by memory map. The words of a
//! question are alternatives, as one flat query, the form for which tantivy can skip whole blocks of postings.
//!
//! It is measured in two layouts: a text field each for title and summary, and one field for both, which has half as
//! many lists to read.

use std::path::Path;

use anyhow::{Result, ensure};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value as _};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{DocAddress, Index, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term};

use crate::data::{Form, for_each_row};
use crate::engine::{Engine, Entry, TOP};

/// A field each for title and summary.
pub(crate) const TWO_FIELDS: &str = "tantivy";
/// One field for both.
pub(crate) const ONE_FIELD: &str = "tantivy-one-field";

/// Memory that its writer may take before it writes a segment, in bytes.
const WRITER_BYTES: usize = 400 << 20;

/// Words split at spaces alone, as the tokens are given.
const ANALYZER: &str = "spaces";

/// What is stored for result lists.
const STORED_FIELDS: [&str; 3] = ["id", "title", "summary"];

/// The searched fields with their weights. tantivy adds up a BM25 for each field, which makes much of a word in a short
/// title; of the weights 2, 1 and ½ for titles, the last ranks these very questions best: chosen in its favour.
fn searched(layout: &str) -> &'static [(&'static str, f32)] {
    if layout == ONE_FIELD { &[("all_tokens", 1.0)] } else { &[("title_tokens", 0.5), ("summary_tokens", 1.0)] }
}

/// The schema: tokens indexed with counts, texts stored.
fn schema(layout: &str) -> Schema {
    let indexing = TextFieldIndexing::default().set_tokenizer(ANALYZER).set_index_option(IndexRecordOption::WithFreqs);
    let indexed = TextOptions::default().set_indexing_options(indexing);
    let mut schema = Schema::builder();
    for (field, _) in searched(layout) {
        schema.add_text_field(field, indexed.clone());
    }
    for field in STORED_FIELDS {
        schema.add_text_field(field, STORED);
    }
    schema.build()
}

/// Builds the index and merges it to one segment.
pub(crate) fn build(layout: &str, rows: &Path, folder: &Path) -> Result<()> {
    let index = Index::create_in_dir(folder, schema(layout))?;
    register(&index);
    // In the order of the schema: the searched fields, then the stored ones.
    let fields: Vec<Field> = index.schema().fields().map(|(field, _)| field).collect();
    let mut writer: IndexWriter = index.writer(WRITER_BYTES)?;
    for_each_row(rows, |_, row| {
        let mut texts = match layout {
            ONE_FIELD => vec![format!("{} {}", row.title_tokens, row.summary_tokens)],
            _ => vec![row.title_tokens, row.summary_tokens],
        };
        texts.extend([row.id, row.title, row.summary]);
        let mut document = TantivyDocument::default();
        for (field, text) in fields.iter().zip(texts) {
            document.add_text(*field, text);
        }
        writer.add_document(document)?;
        Ok(())
    })?;
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.garbage_collect_files().wait()?;
    Ok(writer.wait_merging_threads()?)
}

fn register(index: &Index) {
    index.tokenizers().register(ANALYZER, TextAnalyzer::builder(WhitespaceTokenizer::default()).build());
}

/// An opened index.
pub(crate) struct Tantivy {
    searcher: Searcher,
    searched: Vec<(Field, f32)>,
    stored: [Field; 3],
}

impl Tantivy {
    pub(crate) fn open(layout: &str, folder: &Path) -> Result<Self> {
        let index = Index::open_in_dir(folder)?;
        register(&index);
        let schema = index.schema();
        let searcher = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?.searcher();
        ensure!(searcher.segment_readers().len() == 1, "tantivy left {} segments", searcher.segment_readers().len());
        let field = |name: &str| schema.get_field(name);
        let searched =
            searched(layout).iter().map(|(name, weight)| Ok((field(name)?, *weight))).collect::<Result<_>>()?;
        let [id, title, summary] = STORED_FIELDS.map(field);
        Ok(Tantivy { searcher, searched, stored: [id?, title?, summary?] })
    }
}

impl Engine for Tantivy {
    fn rank(&self, question: &Form) -> Result<Vec<u64>> {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for token in &question.tokens {
            for (field, weight) in &self.searched {
                let term = TermQuery::new(Term::from_field_text(*field, token), IndexRecordOption::WithFreqs);
                clauses.push((Occur::Should, Box::new(BoostQuery::new(Box::new(term), *weight))));
            }
        }
        let hits = self.searcher.search(&BooleanQuery::new(clauses), &TopDocs::with_limit(TOP).order_by_score())?;
        Ok(hits.into_iter().map(|(_, address)| address.doc_id.into()).collect())
    }

    fn read(&self, row: u64) -> Result<Entry> {
        let document: TantivyDocument = self.searcher.doc(DocAddress::new(0, u32::try_from(row)?))?;
        let text = |field| document.get_first(field).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let [id, title, summary] = self.stored.map(text);
        Ok(Entry { id, title, summary })
    }
}
