//! The answer: sentences with their citations, the sources behind them, and what happened on the way.

pub(crate) mod sentences;
pub(crate) mod question_form;
pub(crate) mod compose;
mod lists;
mod passage;
mod scored_page;
mod refusal;
mod repetition;
mod run;
mod terms;
pub(crate) mod text;
mod unit;
mod unit_reader;

pub use text::{cited_text, passage_text};
pub(crate) mod extract;

use serde::Serialize;
use std::fmt::Write as _;

use seealso_pack::{BlockKind, site_url};

use crate::retrieve::assemble::Manifest;
use crate::retrieve::fetch::{FetchedPage, Via};
use crate::trace::Stage;

/// What a question got.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The question as it was asked.
    pub question: String,
    /// The sub-queries, with the pages that each brought.
    pub sub_queries: Vec<AnsweredSubQuery>,
    /// The sentences, grouped by sub-query; none where nothing fits.
    pub sentences: Vec<CitedSentence>,
    /// Every page that was kept, numbered from 1 by its place.
    pub sources: Vec<SourcePage>,
    /// What went wrong on the way without losing the answer.
    pub notices: Vec<Notice>,
    /// The context string that a model would be given.
    pub context: String,
    /// Its length in characters.
    pub context_chars: usize,
    /// The stages, in order.
    pub trace: Vec<Stage>,
    /// How long it all took, in milliseconds.
    pub ms: f64,
}

/// A sub-query and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredSubQuery {
    /// The words searched for.
    pub text: String,
    /// Ids of the pages it brought, best first.
    pub pages: Vec<String>,
    /// Whether any sentence serves it.
    pub answered: bool,
    /// The largest share of its weight, in idf, that any page holds (0 to 1); 0 where the answer was put together anew.
    pub coverage: f64,
}

/// What a quoted text is on its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A sentence of a paragraph.
    Prose,
    /// A sentence of a list item.
    Item,
    /// A row of a table, each cell behind the head of its column.
    Row,
    /// A block of code, with its lines.
    Code,
    /// A heading, where what stands below it would mislead without it.
    Heading,
}

impl Form {
    pub(crate) fn of(kind: BlockKind) -> Form {
        match kind {
            BlockKind::ListItem => Form::Item,
            BlockKind::TableRow => Form::Row,
            BlockKind::Code => Form::Code,
            BlockKind::Heading => Form::Heading,
            _ => Form::Prose,
        }
    }

    /// Its name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Form::Prose => "prose",
            Form::Item => "item",
            Form::Row => "row",
            Form::Code => "code",
            Form::Heading => "heading",
        }
    }

    /// The form of that name; prose for any other.
    pub fn of_name(name: &str) -> Form {
        [Form::Item, Form::Row, Form::Code, Form::Heading]
            .into_iter()
            .find(|form| form.name() == name)
            .unwrap_or(Form::Prose)
    }
}

/// A sentence of a page, or another unit of it, word for word.
#[derive(Debug, Clone, PartialEq)]
pub struct CitedSentence {
    /// The sentence, as plain text.
    pub text: String,
    /// What it is on its page.
    pub form: Form,
    /// The number of its source, from 1.
    pub source: usize,
    /// The heading it stands under; empty before the first.
    pub section: String,
    /// The anchor of that heading.
    pub anchor: String,
    /// The sub-query it serves, from 0.
    pub sub_query: usize,
    /// The number of its passage in the answer, from 0: what one section of a page says together, in its order.
    pub passage: usize,
    /// How it follows the sentence before it in its passage.
    pub layout: Layout,
    /// Why it was chosen: share of the sub-query's weight that it and its title hold.
    pub score: f64,
}

/// How a sentence of a passage follows the one before it, and what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    /// Whether something is left out between it and the sentence before it.
    pub skips: bool,
    /// Whether it goes on in the paragraph or list item of the sentence before it.
    pub joins: bool,
    /// Whether it is cut, or is the passage's last and the list that it stands in, or what it announces, goes on behind it.
    pub truncated: bool,
    /// The number that its page shows before it, where it begins an item of a numbered list.
    pub number: Option<u32>,
    /// In how many lists of the passage the list is that it stands in.
    pub depth: u8,
}

/// A page that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePage {
    /// Its id: `<pack>/<file without .md>`.
    pub page: String,
    /// Its pack's path.
    pub pack: String,
    /// Its pack's title.
    pub pack_title: String,
    /// Its file inside the pack's page root.
    pub file: String,
    /// Its path under the packs root.
    pub path: String,
    /// Where a page of a site is to be opened there, relative to the packs root or as a web address; empty for other pages.
    pub site_url: String,
    /// Its title.
    pub title: String,
    /// Its summary.
    pub summary: String,
    /// Its first prose, at most 200 characters.
    pub snippet: String,
    /// Whether a sentence of the answer is from it.
    pub cited: bool,
    /// How it came to be read.
    pub via: Via,
    /// Whether the file changed since the index was built.
    pub stale: bool,
}

impl SourcePage {
    pub(crate) fn of(page: &FetchedPage, cited: bool) -> SourcePage {
        let pack = &page.pack_entry;
        SourcePage {
            page: page.id.clone(),
            pack: pack.path.clone(),
            pack_title: pack.title.clone(),
            file: page.page.file.clone(),
            path: pack.page_path(&page.page.file),
            site_url: site_url(&pack.site, &page.page.file).unwrap_or_default(),
            title: page.page.title.clone(),
            summary: page.page.summary.clone(),
            snippet: page.page.snippet(),
            cited,
            via: page.via,
            stale: page.stale,
        }
    }
}

/// Something that went wrong without losing the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// A short word for the kind, for programs.
    pub code: &'static str,
    /// A sentence for the reader.
    pub message: String,
}

/// What an answer says when no page fits.
const NOTHING_FITS: &str = "These packs do not answer this question.";
/// What it says when pages that might fit could not be had.
const PAGES_LOST: &str = "No answer: pages that may hold it could not be read.";

impl Answer {
    /// An earlier answer from its stored parts, without trace and context.
    pub fn of_parts(
        question: String,
        sub_queries: Vec<AnsweredSubQuery>,
        sentences: Vec<CitedSentence>,
        manifest: &Manifest,
    ) -> Answer {
        let cited = |number: usize| sentences.iter().any(|sentence| sentence.source == number);
        let source = |(at, page)| SourcePage::of(page, cited(at + 1));
        let sources = manifest.pages.iter().enumerate().map(source).collect();
        let (notices, trace) = (Vec::new(), Vec::new());
        Answer {
            question,
            sub_queries,
            sentences,
            sources,
            notices,
            context: String::new(),
            context_chars: 0,
            trace,
            ms: 0.0,
        }
    }

    /// Whether nothing was found that answers the question.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// Its passages, in order: sentences that one section of a page says.
    pub fn passages(&self) -> impl Iterator<Item = &[CitedSentence]> {
        self.sentences.chunk_by(|a, b| a.passage == b.passage)
    }

    /// The answer as plain text, each passage with the number of its source; or the sentence that says there is none.
    pub fn text(&self) -> String {
        if self.is_empty() {
            let lost = self.notices.iter().any(|notice| notice.code == "page-lost");
            return if lost { PAGES_LOST } else { NOTHING_FITS }.to_owned();
        }
        let mut text = String::new();
        // The part of the passage before, and whether it has lines of its own.
        let mut before: Option<(usize, bool)> = None;
        for passage in self.passages() {
            let part = passage[0].sub_query;
            let cited = text::cited_text(passage);
            let has_lines = cited.contains('\n');
            text += match before {
                None => "",
                Some((of, had_lines)) if of == part && !had_lines && !has_lines => " ",
                Some(_) => "\n\n",
            };
            text += &cited;
            before = Some((part, has_lines));
        }
        for part in self.sub_queries.iter().filter(|part| !part.answered) {
            let _ = write!(text, "\n\nThe pages that were read do not answer this part: {}.", part.text);
        }
        text
    }
}
