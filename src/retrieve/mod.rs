//! Retrieval: from sub-queries to whole pages, stage by stage.

pub(crate) mod decompose;
pub(crate) mod search;
mod translations;
pub(crate) mod merge;
pub(crate) mod finder;
pub(crate) mod overview;
pub(crate) mod fetch;
pub(crate) mod page_text;
pub(crate) mod rerank;
pub(crate) mod expand;
pub(crate) mod assemble;
pub(crate) mod whole_or_parts;
pub(crate) mod loss;

use self::assemble::{Assembly, assemble};
use self::decompose::SubQueries;
use self::expand::{Directories, LinkedPages};
use self::fetch::{FetchedPage, LostPage, Pages, fetch};
use self::finder::Ranker;
use self::merge::{Picks, merge};
use self::search::Rankings;
use self::whole_or_parts::whole_or_parts;
use crate::config::Config;
use crate::library::{IndexFault, Library};
use crate::trace::{Describe, Detail, Tracer, counted, detail};
use crate::world::{Clock, PackSource};

/// The result of retrieval, before any sentence is chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Retrieval {
    /// The subjects of the question, as they are answered.
    pub sub_queries: SubQueries,
    /// The merged pages.
    pub picks: Picks,
    /// The context, and every page that was kept.
    pub assembled: Assembly,
    /// Pages that could not be fetched.
    pub lost: Vec<LostPage>,
}

/// Rankings, and the pages picked from them.
struct RankedPicks {
    rankings: Rankings,
    picks: Picks,
}

impl Describe for RankedPicks {
    fn note(&self) -> String {
        format!("{}: {}", self.rankings.note(), counted(self.picks.items.len(), "page"))
    }

    fn detail(&self) -> Detail {
        detail!({ "rankings": self.rankings.detail(), "picks": self.picks.detail() })
    }
}

/// Retrieves the pages that answer `sub_queries`, as `ranker` finds them.
///
/// # Errors
/// [`IndexFault`]; a lost page is none.
pub(crate) async fn retrieve<S: PackSource, C: Clock, R: Ranker>(
    library: &Library<S, C>,
    sub_queries: SubQueries,
    ranker: &mut R,
    config: &Config,
    tracer: &mut Tracer<'_, C>,
) -> Result<Retrieval, IndexFault> {
    // The pages that would be kept by the index alone, and the sub-queries that are answered.
    let (mut by_index, mut chosen) = (Picks { items: Vec::new() }, sub_queries.clone());
    let searching = library.resolve(|index| {
        let rankings = ranker.search(&sub_queries, index, config)?;
        by_index = merge(&rankings, index, config)?;
        let picks = merge(&rankings, index, &ranker.limits_of_reading(config))?;
        Ok(RankedPicks { rankings, picks })
    });
    let found = tracer.attempt("search", searching).await?;
    let mut read = tracer.wait("fetch", fetch(library, &found.picks.wanted(), Vec::new())).await;
    ranker.note_read(&found.rankings, &read, tracer).await;
    let merging = library.resolve(|index| {
        let mut reranked = ranker.rerank(&found.rankings, &sub_queries, &read, index, config)?;
        loss::retain_readable(&mut reranked, &found.rankings, &by_index, &read);
        let rankings;
        (chosen, rankings) = whole_or_parts(&sub_queries, reranked, &read, index, config)?;
        let picks = merge(&rankings, index, config)?;
        Ok(RankedPicks { rankings, picks })
    });
    let picks = tracer.attempt("merge", merging).await?.picks;
    renumber(&mut read, &sub_queries, &chosen);
    let (pages, unpicked) = pick_pages(read, &picks, &by_index);
    let linked = tracer.wait("expand", see_also(library, &pages, unpicked, ranker, config)).await;
    let (pages, lost) = loss::join(pages, linked);
    let pages = ranker.retain(pages, &chosen, tracer);
    let assembled = tracer.stage("assemble", || assemble(pages, config.tier));
    Ok(Retrieval { sub_queries: chosen, picks, assembled, lost })
}

/// Assigns the pages that were read for the parts of a question to the one sub-query of `chosen`, if that is the whole
/// question.
fn renumber(read: &mut Pages, searched: &SubQueries, chosen: &SubQueries) {
    if searched.whole.is_none() || chosen.items.first() != searched.whole.as_ref() {
        return;
    }
    let numbers = read.items.iter_mut().map(|page| &mut page.sub_queries);
    for numbers in numbers.chain(read.lost.iter_mut().map(|page| &mut page.sub_queries)) {
        *numbers = vec![0];
    }
}

/// The pages that were picked of those read, in the order of `picks`, with the lost ones, and the unpicked pages.
fn pick_pages(mut read: Pages, picks: &Picks, by_index: &Picks) -> (Pages, Vec<FetchedPage>) {
    loss::mark_compared(&mut read, by_index);
    let (mut items, mut unpicked) = (Vec::new(), read.items);
    for pick in &picks.items {
        if let Some(place) = unpicked.iter().position(|page| page.number == pick.page) {
            items.push(FetchedPage { sub_queries: pick.wanted_by.clone(), ..unpicked.remove(place) });
        }
    }
    (Pages { items, lost: read.lost }, unpicked)
}

/// The pages that the picked ones list under See Also. The `unpicked` pages are not fetched twice, and lost ones are
/// not requested again but reported as lost. Damaged links cost these pages, not the answer.
async fn see_also<S: PackSource, C: Clock, R: Ranker>(
    library: &Library<S, C>,
    pages: &Pages,
    unpicked: Vec<FetchedPage>,
    ranker: &R,
    config: &Config,
) -> Pages {
    let directories = Directories::of(library.index());
    match library.resolve(|_| ranker.expand(pages, &directories, config)).await {
        Ok(LinkedPages { wanted, missed }) => {
            let mut linked = fetch(library, &wanted, unpicked).await;
            linked.lost.extend(loss::missed(pages, &missed));
            linked
        }
        Err(error) => loss::of_links(error.to_string()),
    }
}
