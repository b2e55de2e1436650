//! `ask`: a question goes in, an answer with its sources comes out. About one line a stage.

use std::fmt;

use crate::answer::extract::{Extract, extract};
use crate::answer::{Answer, AnsweredSubQuery, Notice, SourcePage};
use crate::config::Config;
use crate::library::Library;
use crate::question::Question;
use crate::retrieve::assemble::{Assembled, assemble};
use crate::retrieve::decompose::{SubQueries, decompose};
use crate::retrieve::expand::{Directories, expand};
use crate::retrieve::fetch::{FetchedPage, LostPage, Pages, Via, Wanted, fetch};
use crate::retrieve::merge::{Picks, merge};
use crate::retrieve::search::{Rankings, search};
use crate::trace::{Progress, Tracer};
use crate::world::{Clock, PackSource};

/// Why a question gets no answer at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskError {
    /// There is nothing in it to search for.
    EmptyQuestion,
    /// The index turned out to be damaged.
    Index(seealso_index::Error),
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskError::EmptyQuestion => f.write_str("the question is empty; type a few words"),
            AskError::Index(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AskError {}

impl From<seealso_index::Error> for AskError {
    fn from(error: seealso_index::Error) -> Self {
        AskError::Index(error)
    }
}

/// What retrieval found, before any sentence is chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Retrieved {
    /// The subjects of the question.
    pub sub_queries: SubQueries,
    /// A ranking for each.
    pub rankings: Rankings,
    /// The merged pages.
    pub picks: Picks,
    /// The context, and every page that was read.
    pub assembled: Assembled,
    /// Pages that could not be had.
    pub lost: Vec<LostPage>,
}

/// Answers `typed` from `library`, telling `watch` of each stage.
///
/// # Errors
/// [`AskError`]; a lost page is none.
pub async fn ask<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    typed: &str,
    watch: &mut dyn FnMut(Progress),
) -> Result<Answer, AskError> {
    let config = &library.config;
    let question = Question::new(typed, config.question_chars).ok_or(AskError::EmptyQuestion)?;
    let mut tracer = Tracer::new(&library.clock, watch);
    let found = retrieve(library, &question, &mut tracer).await?;
    let extract =
        tracer.stage("answer", || extract(&found.sub_queries, &found.assembled.manifest, library.index(), config))?;
    let (trace, ms) = tracer.finish();
    Ok(Answer { trace, ms, ..compose(library, &question, found, extract) })
}

/// Finds the pages for `question`: all stages up to the assembled context.
pub(crate) async fn retrieve<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    question: &Question,
    tracer: &mut Tracer<'_, C>,
) -> Result<Retrieved, AskError> {
    let (index, config) = (library.index(), &library.config);
    let sub_queries = tracer.stage("decompose", || decompose(question, index, config))?;
    let rankings = tracer.stage("search", || search(&sub_queries, index, config))?;
    let picks = tracer.stage("merge", || merge(&rankings, index, config))?;
    let pages = tracer.wait("fetch", fetch(library, &wanted(&picks))).await;
    let linked = tracer.wait("expand", see_also(library, &pages, config)).await;
    let (pages, lost) = together(pages, linked);
    let assembled = tracer.stage("assemble", || Ok::<_, AskError>(assemble(pages, config.tier)))?;
    Ok(Retrieved { sub_queries, rankings, picks, assembled, lost })
}

fn wanted(picks: &Picks) -> Vec<Wanted> {
    let want = |pick: &crate::retrieve::merge::Pick| Wanted {
        page: pick.page,
        via: Via::Search,
        sub_queries: pick.wanted_by.clone(),
    };
    picks.items.iter().map(want).collect()
}

/// The pages that the fetched ones list under See Also. Damaged links cost these pages, not the answer.
async fn see_also<S: PackSource, C: Clock>(library: &Library<S, C>, pages: &Pages, config: &Config) -> Pages {
    match expand(pages, &Directories::of(library.index()), config) {
        Ok(wanted) => fetch(library, &wanted).await,
        Err(error) => {
            let lost = LostPage { number: None, id: "See Also".to_owned(), reason: error.to_string() };
            Pages { items: Vec::new(), lost: vec![lost] }
        }
    }
}

fn together(mut pages: Pages, linked: Pages) -> (Vec<FetchedPage>, Vec<LostPage>) {
    pages.items.extend(linked.items);
    pages.lost.extend(linked.lost);
    (pages.items, pages.lost)
}

/// Puts the parts of an answer together; the trace comes after.
fn compose<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    question: &Question,
    found: Retrieved,
    extract: Extract,
) -> Answer {
    let answered = |number: usize| extract.sentences.iter().any(|sentence| sentence.sub_query == number);
    let brought = |number: usize| -> Vec<String> {
        found.picks.items.iter().filter(|pick| pick.wanted_by.contains(&number)).map(|pick| pick.id.clone()).collect()
    };
    let sub_queries = found.sub_queries.items.iter().enumerate().map(|(number, item)| AnsweredSubQuery {
        text: item.text.clone(),
        pages: brought(number),
        answered: answered(number),
    });
    let cited = |place: usize| extract.sentences.iter().any(|sentence| sentence.source == place + 1);
    let pages = &found.assembled.manifest.pages;
    let sources = pages.iter().enumerate().map(|(place, page)| source_page(library, page, cited(place))).collect();
    Answer {
        question: question.text().to_owned(),
        sub_queries: sub_queries.collect(),
        sources,
        notices: notices(question, &found, library.missing_languages()),
        context_chars: found.assembled.context.chars,
        context: found.assembled.context.text,
        sentences: extract.sentences,
        trace: Vec::new(),
        ms: 0.0,
    }
}

fn source_page<S: PackSource, C: Clock>(library: &Library<S, C>, page: &FetchedPage, cited: bool) -> SourcePage {
    let pack = library.pack(page.pack);
    SourcePage {
        page: page.id.clone(),
        pack: pack.path.clone(),
        pack_title: pack.title.clone(),
        file: page.page.file.clone(),
        path: pack.page_path(&page.page.file),
        title: page.page.title.clone(),
        summary: page.page.summary.clone(),
        snippet: page.page.snippet(),
        cited,
        via: page.via,
        stale: page.stale,
    }
}

fn notices(
    question: &Question,
    found: &Retrieved,
    missing_languages: impl Iterator<Item = &'static str>,
) -> Vec<Notice> {
    let mut notices = Vec::new();
    for language in missing_languages {
        let message = format!(
            "Language support for {language} could not be loaded; packs in that language were left out. Ask again to \
             try once more."
        );
        notices.push(Notice { code: "language-missing", message });
    }
    if question.was_cut() {
        let message = "The question is very long; only its beginning was asked.".to_owned();
        notices.push(Notice { code: "question-cut", message });
    }
    if found.sub_queries.joined {
        let message = "The question has many subjects; the last of them were searched for together.".to_owned();
        notices.push(Notice { code: "subjects-joined", message });
    }
    for lost in &found.lost {
        let message = format!("A page could not be read and is left out: {}.", lost.reason);
        notices.push(Notice { code: "page-lost", message });
    }
    for page in found.assembled.manifest.pages.iter().filter(|page| page.stale) {
        let message =
            format!("{} changed since the index was built; `seealso build` brings the index up to date.", page.id);
        notices.push(Notice { code: "page-changed", message });
    }
    notices
}
