//! One of two finders, chosen for each question. Answering is compiled for each type of finder, and this is one type.

use futures_util::future::Either;
use seealso_index::{Error, Index};

use crate::answer::Answer;
use crate::config::Config;
use crate::library::Library;
use crate::question::Question;
use crate::retrieve::decompose::SubQueries;
use crate::retrieve::expand::{Directories, LinkedPages};
use crate::retrieve::fetch::{FetchedPage, Pages};
use crate::retrieve::finder::{Finder, Ranker};
use crate::retrieve::search::Rankings;
use crate::trace::Tracer;
use crate::world::{Clock, PackSource};

/// Calls the same function of whichever it is.
macro_rules! of_either {
    ($either:expr, $one:ident => $call:expr) => {
        match $either {
            Either::Left($one) => $call,
            Either::Right($one) => $call,
        }
    };
}

impl<A: Finder, B: Finder> Finder for Either<A, B> {
    type Ranker = Either<A::Ranker, B::Ranker>;

    #[allow(private_interfaces, reason = "as in the trait")]
    async fn prepare<S: PackSource, C: Clock>(
        self,
        question: &Question,
        sub_queries: &SubQueries,
        library: &Library<S, C>,
        config: &Config,
        tracer: &mut Tracer<'_, C>,
    ) -> Self::Ranker {
        match self {
            Either::Left(one) => Either::Left(one.prepare(question, sub_queries, library, config, tracer).await),
            Either::Right(one) => Either::Right(one.prepare(question, sub_queries, library, config, tracer).await),
        }
    }
}

impl<A: Ranker, B: Ranker> Ranker for Either<A, B> {
    fn search(&self, sub_queries: &SubQueries, index: &Index, config: &Config) -> Result<Rankings, Error> {
        of_either!(self, one => one.search(sub_queries, index, config))
    }

    fn limits_of_reading(&self, config: &Config) -> Config {
        of_either!(self, one => one.limits_of_reading(config))
    }

    #[allow(private_interfaces, reason = "as in the trait")]
    async fn note_read<C: Clock>(&mut self, rankings: &Rankings, read: &Pages, tracer: &mut Tracer<'_, C>) {
        of_either!(self, one => one.note_read(rankings, read, tracer).await);
    }

    fn rerank(
        &self,
        rankings: &Rankings,
        sub_queries: &SubQueries,
        pages: &Pages,
        index: &Index,
        config: &Config,
    ) -> Result<Rankings, Error> {
        of_either!(self, one => one.rerank(rankings, sub_queries, pages, index, config))
    }

    fn expand(&self, pages: &Pages, directories: &Directories, config: &Config) -> Result<LinkedPages, Error> {
        of_either!(self, one => one.expand(pages, directories, config))
    }

    #[allow(private_interfaces, reason = "as in the trait")]
    fn retain<C: Clock>(
        &mut self,
        pages: Vec<FetchedPage>,
        sub_queries: &SubQueries,
        tracer: &mut Tracer<'_, C>,
    ) -> Vec<FetchedPage> {
        of_either!(self, one => one.retain(pages, sub_queries, tracer))
    }

    fn finish(self, answer: &mut Answer) {
        of_either!(self, one => one.finish(answer));
    }
}
