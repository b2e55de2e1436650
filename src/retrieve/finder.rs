//! Who finds the pages of a question: the index by their words, or other data beside it. It is a type, not a value, so that a
//! program which finds pages by their words alone holds no code of anything else.
//!
//! A [`Finder`] prepares a [`Ranker`] for each question. A ranker stands at those places of retrieval where pages can come in,
//! change their order or drop out; each of its functions is, unless it says otherwise, what retrieval does without it.

use seealso_index::{Error, Index};

use super::decompose::SubQueries;
use super::expand::{Directories, LinkedPages, expand};
use super::fetch::{FetchedPage, Pages};
use super::rerank::rerank;
use super::search::{Rankings, search};
use crate::answer::Answer;
use crate::config::Config;
use crate::library::Library;
use crate::question::Question;
use crate::trace::Tracer;
use crate::world::{Clock, PackSource};

/// What finds pages.
#[allow(async_fn_in_trait)]
pub trait Finder {
    /// What it knows of one question.
    type Ranker: Ranker;

    /// Prepares for `question`, which was split into `sub_queries`. What cannot be used is no error: the ranker then does without.
    #[allow(private_interfaces, reason = "stages report to the trace, which only the engine writes")]
    async fn prepare<S: PackSource, C: Clock>(
        self,
        question: &Question,
        sub_queries: &SubQueries,
        library: &Library<S, C>,
        config: &Config,
        tracer: &mut Tracer<'_, C>,
    ) -> Self::Ranker;
}

/// What is known of the pages of one question beside the index.
#[allow(async_fn_in_trait)]
pub trait Ranker {
    /// The rankings by which pages are read.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
    fn search(&self, sub_queries: &SubQueries, index: &Index, config: &Config) -> Result<Rankings, Error> {
        search(sub_queries, index, config)
    }

    /// The limits of the merge that decides which hits are read.
    fn limits_of_reading(&self, config: &Config) -> Config {
        config.of_reading()
    }

    /// Takes note of the pages that were `read` for `rankings`.
    #[allow(private_interfaces, reason = "stages report to the trace, which only the engine writes")]
    async fn note_read<C: Clock>(&mut self, _rankings: &Rankings, _read: &Pages, _tracer: &mut Tracer<'_, C>) {}

    /// The rankings once pages are read.
    ///
    /// # Errors
    /// As [`Ranker::search`].
    fn rerank(
        &self,
        rankings: &Rankings,
        sub_queries: &SubQueries,
        pages: &Pages,
        index: &Index,
        config: &Config,
    ) -> Result<Rankings, Error> {
        rerank(rankings, sub_queries, pages, index, config)
    }

    /// The pages to read beside those that were picked.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the links are damaged.
    fn expand(&self, pages: &Pages, directories: &Directories, config: &Config) -> Result<LinkedPages, Error> {
        expand(pages, directories, config)
    }

    /// Those of `pages` that are answered from.
    #[allow(private_interfaces, reason = "stages report to the trace, which only the engine writes")]
    fn retain<C: Clock>(
        &mut self,
        pages: Vec<FetchedPage>,
        _sub_queries: &SubQueries,
        _tracer: &mut Tracer<'_, C>,
    ) -> Vec<FetchedPage> {
        pages
    }

    /// Ends the question: adds to the answer what its reader is to know.
    fn finish(self, _answer: &mut Answer)
    where
        Self: Sized,
    {
    }
}

/// The index finds pages by their words, and nothing else does.
#[derive(Debug, Clone, Copy, Default)]
pub struct ByWords;

impl Finder for ByWords {
    type Ranker = ByWords;

    #[allow(private_interfaces, reason = "as in the trait")]
    async fn prepare<S: PackSource, C: Clock>(
        self,
        _: &Question,
        _: &SubQueries,
        _: &Library<S, C>,
        _: &Config,
        _: &mut Tracer<'_, C>,
    ) -> ByWords {
        self
    }
}

impl Ranker for ByWords {}

/// What `finder` knows of a question, for a caller that runs the stages of retrieval itself.
pub async fn prepare<S: PackSource, C: Clock, F: Finder>(
    finder: F,
    question: &Question,
    sub_queries: &SubQueries,
    library: &Library<S, C>,
    config: &Config,
) -> F::Ranker {
    let mut unwatched = |_| {};
    let mut tracer = Tracer::new(&library.clock, &mut unwatched);
    finder.prepare(question, sub_queries, library, config, &mut tracer).await
}

/// Lets `ranker` take note of the pages that were read, for the same callers.
pub async fn note_read<S: PackSource, C: Clock, R: Ranker>(
    ranker: &mut R,
    rankings: &Rankings,
    read: &Pages,
    library: &Library<S, C>,
) {
    let mut unwatched = |_| {};
    ranker.note_read(rankings, read, &mut Tracer::new(&library.clock, &mut unwatched)).await;
}
