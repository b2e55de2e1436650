//! The rules' split over a library, which fetches the index files that the rules lack.

use super::{SubQueries, decompose};
use crate::config::Config;
use crate::library::{IndexFault, Library};
use crate::question::Question;
use crate::world::{Clock, PackSource};

/// Splits `question` by the rules of [`decompose`].
///
/// # Errors
/// [`IndexFault`].
pub(super) async fn decompose_by_rules<S: PackSource, C: Clock>(
    question: &Question,
    library: &Library<S, C>,
    config: &Config,
) -> Result<SubQueries, IndexFault> {
    let splitting = library.resolve(|index| {
        index.searcher(&config.bm25).prefetch(question.text())?;
        decompose(question, index, config)
    });
    splitting.await
}
