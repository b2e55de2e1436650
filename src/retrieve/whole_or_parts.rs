//! `whole_or_parts`: whether a question is answered part by part or as a whole, if the rules that split it were unsure.
//! Both were searched; the one that covers the question better wins.
//!
//! The first pages of the parts are compared with the first page of the whole question: the whole wins if that one page
//! contains more of the question's words, by weight, than they do together. So parts whose search lost their subject
//! ("which route applies") lose, while parts with two subjects win: no single page contains the words of both.

use seealso_index::{Error, Hit, Index};

use crate::config::Config;
use crate::retrieve::decompose::SubQueries;
use crate::retrieve::fetch::Pages;
use crate::retrieve::rerank::covered_weight;
use crate::retrieve::search::Rankings;

/// The sub-queries that win, without an alternative, and their rankings, which are of the read `pages`. If both cover
/// as much, the parts win; the ranking of the whole question is then kept beside theirs.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub fn whole_or_parts(
    sub_queries: &SubQueries,
    rankings: Rankings,
    pages: &Pages,
    index: &Index,
    config: &Config,
) -> Result<(SubQueries, Rankings), Error> {
    if let (Some(whole), Some(ranking)) = (&sub_queries.whole, &rankings.whole) {
        let of_parts: Vec<Hit> = rankings.items.iter().filter_map(|part| part.hits.first()).copied().collect();
        let of_whole: Vec<Hit> = ranking.hits.first().copied().into_iter().collect();
        let covered = |hits: &[Hit]| covered_weight(whole, hits, pages, index, config);
        if covered(&of_whole)? > covered(&of_parts)? {
            let rankings = Rankings { items: rankings.whole.into_iter().collect(), whole: None };
            return Ok((SubQueries::of_one(whole.clone()), rankings));
        }
    }
    Ok((SubQueries { whole: None, ..sub_queries.clone() }, rankings))
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use super::*;
    use crate::library::Library;
    use crate::memory::{FixedClock, MemorySource};
    use crate::retrieve::decompose::SubQuery;
    use crate::retrieve::fetch::fetch;
    use crate::retrieve::merge::merge;
    use crate::retrieve::search::search;

    /// Page by page: its name, and what it says.
    const PAGES: [(&str, &str); 5] = [
        ("speeding-notice", "A speeding notice names the driver of a car in Ulster."),
        ("bus-route", "Which bus route applies on Sundays."),
        ("loom", "A loom holds the warp under tension."),
        ("kiln", "A kiln burns clay hard. Oak heats it."),
        ("crafts", "Clay is for a kiln, a warp for a loom."),
    ];

    /// Whether the parts win whose first pages are `of_parts`, where that of the whole question is `of_whole`; what they
    /// are searched with.
    fn check(texts: [&str; 2], of_parts: [&str; 2], whole: &str, of_whole: &str, parts_win: bool) {
        let files = PAGES.map(|(title, says)| {
            (format!("{title}.md"), format!("---\ntitle: {title}\nsummary: {says}\n---\n\n{says}\n"))
        });
        let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        let source = MemorySource::of_packs(&[("things", &files)]);
        let library = block_on(Library::open(source, FixedClock, Config::default())).unwrap();
        let (index, config) = (library.index(), &library.config);
        let sub_query = |text: &str| SubQuery { text: text.into(), context: String::new() };
        let every_page = SubQueries::of_one(sub_query("speeding bus loom kiln crafts"));
        let rankings = search(&every_page, index, config).unwrap();
        let pages = block_on(fetch(&library, &merge(&rankings, index, &config.of_reading()).unwrap().wanted(), vec![]));
        let first = |title: &str| {
            let page = pages.items.iter().find(|page| page.page.title == title).unwrap();
            let mut ranking = rankings.items[0].clone();
            ranking.hits.retain(|hit| hit.page == page.number);
            ranking
        };
        let items = texts.map(sub_query).to_vec();
        let asked = SubQueries { items, whole: Some(sub_query(whole)), split_rules: vec!["asks"], joined: false };
        let found = Rankings { items: of_parts.map(first).to_vec(), whole: Some(first(of_whole)) };
        let (chosen, found) = whole_or_parts(&asked, found, &pages, index, config).unwrap();
        let expected = if parts_win { asked.items } else { vec![sub_query(whole)] };
        assert_eq!((chosen.items, chosen.whole), (expected, None), "{whole}");
        assert_eq!((found.items.len(), found.whole.is_some()), if parts_win { (2, true) } else { (1, false) });
    }

    #[test]
    fn the_better_coverage_wins() {
        let crafts = ["loom warp", "kiln oak"];
        check(crafts, ["loom", "kiln"], "loom warp kiln oak", "crafts", true);
        check(crafts, ["crafts", "crafts"], "loom warp kiln oak", "crafts", true);
        let notice = "speeding notice driver in Ulster, which route applies";
        check(["route applies", "applies"], ["bus-route", "bus-route"], notice, "speeding-notice", false);
        check(["route applies", "notice driver"], ["bus-route", "speeding-notice"], notice, "speeding-notice", true);
    }
}
