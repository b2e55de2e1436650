//! The quick mode: no search at all. The overview page of each pack is read, and answers if it can.
//!
//! A pack's overview is the page that is called so: `overview.md` or the like, or else the page with the pack's own title, or else
//! its first page.

use seealso_index::{Error, Hit, Index, PackNo, PageNo};

use super::decompose::SubQueries;
use super::expand::{Directories, LinkedPages};
use super::fetch::Pages;
use super::finder::{Finder, Ranker};
use super::search::{Ranking, Rankings};
use crate::config::Config;
use crate::library::Library;
use crate::question::Question;
use crate::trace::Tracer;
use crate::world::{Clock, PackSource};

/// The files that are overviews by their names, the likeliest first.
const OVERVIEW_FILES: [&str; 5] = ["overview.md", "concepts/overview.md", "README.md", "readme.md", "index.html.md"];

/// The overview page of each pack is read, without a search. Of many packs, those of the first [`Config::pages`] are.
#[derive(Debug, Clone, Copy, Default)]
pub struct ByOverview;

impl Finder for ByOverview {
    type Ranker = ByOverview;

    #[allow(private_interfaces, reason = "as in the trait")]
    async fn prepare<S: PackSource, C: Clock>(
        self,
        _: &Question,
        _: &SubQueries,
        _: &Library<S, C>,
        _: &Config,
        _: &mut Tracer<'_, C>,
    ) -> ByOverview {
        self
    }
}

impl Ranker for ByOverview {
    fn search(&self, sub_queries: &SubQueries, index: &Index, config: &Config) -> Result<Rankings, Error> {
        let pages = overview_pages(index, config)?;
        let hits: Vec<Hit> =
            pages.into_iter().map(|page| Hit { page, score: 0.0, exact: false, quoted: false }).collect();
        let ranking =
            |text: &str| Ranking { sub_query: text.to_owned(), hits: hits.clone(), lead: 0.0, explained: vec![] };
        let items = sub_queries.searched().map(|item| ranking(&item.text)).collect();
        Ok(Rankings::of(items, sub_queries))
    }

    fn limits_of_reading(&self, config: &Config) -> Config {
        Config { pages_per_sub_query: config.pages, ..config.clone() }
    }

    fn expand(&self, _: &Pages, _: &Directories, _: &Config) -> Result<LinkedPages, Error> {
        Ok(LinkedPages { wanted: Vec::new(), missed: Vec::new() })
    }
}

/// The overview pages of the packs that the filter admits.
fn overview_pages(index: &Index, config: &Config) -> Result<Vec<PageNo>, Error> {
    let searcher = index.searcher(&config.bm25);
    let mut packs: Vec<PackNo> = Vec::new();
    for path in &config.filter.packs {
        packs.extend(searcher.packs_at(path)?);
    }
    if config.filter.packs.is_empty() {
        packs.extend((0..index.pack_count()).map(PackNo));
    }
    let first_pages = packs.iter().filter_map(|&pack| index.pages_of(pack).next()).map(PageNo).collect();
    let mut pages = Vec::new();
    for first in searcher.pages_passing(Some(&config.filter), first_pages)?.into_iter().take(config.pages) {
        let Some(pack) = index.pack_of(first) else { continue };
        pages.push(overview_page(index, pack, config)?.unwrap_or(first));
    }
    Ok(pages)
}

fn overview_page(index: &Index, pack: PackNo, config: &Config) -> Result<Option<PageNo>, Error> {
    for file in OVERVIEW_FILES {
        if let Some(page) = index.find_page(pack, file)? {
            return Ok(Some(page));
        }
    }
    let named = index.searcher(&config.bm25).pages_named(&index.pack(pack)?.title)?;
    Ok(named.into_iter().find(|page| index.pages_of(pack).contains(&page.0)))
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use crate::ask::{AskOptions, ask};
    use crate::config::Config;
    use crate::library::Library;
    use crate::memory::{FixedClock, MemorySource};
    use crate::mode::Mode;
    use crate::retrieve::overview::ByOverview;
    use seealso_index::Filter;

    fn page(title: &str) -> String {
        format!(
            "---\ntitle: {title}\nsummary: About {title}.\n---\n\n# {title}\n\n> {title} is a thing.\n\n## See Also\n\n- [[oven]]\n"
        )
    }

    /// The pages that are read for a question, and whether it is answered.
    fn check(filter: &[&str], question: &str, expected: &[&str], is_answered: bool) {
        let texts = ["Bread", "Oven", "Tea", "Anchor", "Boats"].map(page);
        let packs: [(&str, &[(&str, &str)]); 3] = [
            ("baking", &[("concepts/bread.md", &texts[0]), ("concepts/oven.md", &texts[1])]),
            ("boats", &[("concepts/anchor.md", &texts[3]), ("concepts/things.md", &texts[4])]),
            ("kitchen", &[("concepts/a-tea.md", &texts[2]), ("overview.md", &texts[1])]),
        ];
        let run = async {
            let library = Library::open(MemorySource::of_packs(&packs), FixedClock, Config::default()).await.unwrap();
            let filter = Filter { packs: filter.iter().map(|&path| path.into()).collect(), ..Filter::default() };
            let options = AskOptions { filter: Some(filter), mode: Mode::Quick, ..AskOptions::default() };
            let options = options.found_by(ByOverview);
            ask(&library, question, options).await.unwrap().0
        };
        let answer = block_on(run);
        let read: Vec<&str> = answer.sources.iter().map(|source| source.page.as_str()).collect();
        assert_eq!((read, !answer.is_empty()), (expected.to_vec(), is_answered), "{question}");
    }

    #[test]
    fn the_overview_of_each_pack_is_read_and_nothing_else() {
        // By its name, by the pack's title, and the first page; "tea" would find another page.
        check(&[], "What is tea?", &["baking/concepts/bread", "boats/concepts/things", "kitchen/overview"], false);
        check(&["kitchen"], "What is an oven?", &["kitchen/overview"], true);
        check(&["boats"], "boats", &["boats/concepts/things"], true);
        check(&["nowhere"], "boats", &[], false);
    }
}
