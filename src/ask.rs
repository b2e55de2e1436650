//! `ask`: from a question to an answer with its sources. About one line a stage.

use std::fmt;

use crate::answer::Answer;
use crate::answer::compose::compose;
use crate::answer::extract::extract;
use seealso_index::Filter;

use crate::config::Config;
use crate::library::{IndexFault, Library};
use crate::mode::Mode;
use crate::question::Question;
use crate::retrieve::assemble::Manifest;
use crate::retrieve::decompose::SubQueries;
use crate::retrieve::decompose::splitter::{ByRules, Splitter};
use crate::retrieve::finder::{ByWords, Finder, Ranker};
use crate::retrieve::retrieve;
use crate::trace::{Progress, Tracer};
use crate::world::{Clock, PackSource};

/// Why a question gets no answer at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskError {
    /// It has no words to search for.
    EmptyQuestion,
    /// The index cannot be queried.
    Index(IndexFault),
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

impl From<IndexFault> for AskError {
    fn from(error: IndexFault) -> Self {
        AskError::Index(error)
    }
}

/// How a question is asked.
pub struct AskOptions<'o, P = ByRules, F = ByWords> {
    /// The pages that are searched. The See Also links of a page, which never leave its pack, are followed regardless. If
    /// `None`, it is that of the library's configuration.
    pub filter: Option<Filter>,
    /// What splits the question.
    pub splitter: P,
    /// How much is read.
    pub mode: Mode,
    /// What finds pages.
    pub finder: F,
    /// Receives the progress of each stage.
    pub watch: Option<&'o mut dyn FnMut(Progress)>,
}

impl Default for AskOptions<'_> {
    fn default() -> Self {
        AskOptions { filter: None, splitter: ByRules, mode: Mode::Standard, finder: ByWords, watch: None }
    }
}

impl<'o, P, F> AskOptions<'o, P, F> {
    /// The same, with pages found by `finder`.
    pub fn found_by<G>(self, finder: G) -> AskOptions<'o, P, G> {
        let AskOptions { filter, splitter, mode, watch, .. } = self;
        AskOptions { filter, splitter, mode, finder, watch }
    }

    /// The same, with the question split by `splitter`.
    pub fn split_by<Q>(self, splitter: Q) -> AskOptions<'o, Q, F> {
        let AskOptions { filter, mode, finder, watch, .. } = self;
        AskOptions { filter, splitter, mode, finder, watch }
    }
}

/// Answers `typed` from `library`, and returns the pages behind the answer too, in the order of its sources.
///
/// # Errors
/// [`AskError`]; a lost page is none, nor is a model that fails.
pub async fn ask<S: PackSource, C: Clock, P: Splitter, F: Finder>(
    library: &Library<S, C>,
    typed: &str,
    options: AskOptions<'_, P, F>,
) -> Result<(Answer, Manifest), AskError> {
    let filter = options.filter.unwrap_or_else(|| library.config.filter.clone());
    let config = &Config { filter, ..options.mode.config(&library.config) };
    let question = &Question::new(typed, config.question_chars).ok_or(AskError::EmptyQuestion)?;
    let mut unwatched = |_| {};
    let mut tracer = Tracer::new(&library.clock, options.watch.unwrap_or(&mut unwatched));
    let splitting = options.splitter.split(question, library, config);
    let sub_queries: SubQueries = tracer.attempt("decompose", splitting).await?.into();
    let mut ranker = options.finder.prepare(question, &sub_queries, library, config, &mut tracer).await;
    let found = retrieve(library, sub_queries, &mut ranker, config, &mut tracer).await?;
    let (chosen, manifest) = (&found.sub_queries, &found.assembled.manifest);
    let extracting = library.resolve(|index| extract(question, chosen, manifest, index, config));
    let extract = tracer.attempt("answer", extracting).await?;
    let (trace, ms) = tracer.finish();
    let (answer, manifest) = compose(question, found, extract, library.missing_languages());
    let mut answer = Answer { trace, ms, ..answer };
    ranker.finish(&mut answer);
    Ok((answer, manifest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{FixedClock, MemorySource};

    fn check(filter: &Filter, expected: &[&str]) {
        let page = |title: &str| {
            format!("---\ntitle: {title}\nsummary: What a leaf is.\n---\n\n# {title}\n\n> A leaf is flat.\n")
        };
        let (leaf, other) = (page("Leaf"), page("Leaf of paper"));
        let packs =
            [("paper", [("concepts/sheet.md", other.as_str())]), ("plants", [("concepts/leaf.md", leaf.as_str())])];
        let packs: Vec<(&str, &[(&str, &str)])> = packs.iter().map(|(path, pages)| (*path, pages.as_slice())).collect();
        let source = MemorySource::of_packs(&packs);
        let run = async {
            let library = Library::open(source, FixedClock, Config::default()).await.unwrap();
            let options = AskOptions { filter: Some(filter.clone()), ..AskOptions::default() };
            ask(&library, "What is a leaf?", options).await.unwrap().0
        };
        let found: Vec<String> =
            futures_executor::block_on(run).sources.into_iter().map(|source| source.page).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_filter_keeps_to_its_packs() {
        let packs = |names: &[&str]| Filter {
            packs: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Filter::default()
        };
        check(&packs(&[]), &["plants/concepts/leaf", "paper/concepts/sheet"]);
        check(&packs(&["paper"]), &["paper/concepts/sheet"]);
        check(&packs(&["nowhere"]), &[]);
        check(
            &Filter { languages: vec!["en".to_owned()], ..Filter::default() },
            &["plants/concepts/leaf", "paper/concepts/sheet"],
        );
        check(&Filter { languages: vec!["de".to_owned()], ..Filter::default() }, &[]);
    }
}
