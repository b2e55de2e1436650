//! `merge`: round-robin over the rankings. Round 0 takes the first page of each, round 1 the second of each, and so on.
//! Within a round, the sub-query goes first whose best page stands out most from those after it; the whole question, if
//! it was searched too, goes last.
//!
//! Scores of two rankings are never compared, only shares within one. A BM25 score has no meaning beyond its query, so
//! a merge by score would let the sub-query with more matching words starve the others. A page that was picked already
//! is skipped, and its slot stays empty. A sub-query takes some pages only, and a few parts of each page of a site.

use seealso_index::{Index, PackNo, PageNo, sort_by};
use seealso_pack::page_of_site;

use crate::config::Config;
use crate::library::page_id;
use crate::retrieve::fetch::{PageRequest, Via};
use crate::retrieve::search::{Ranking, Rankings};
use crate::trace::{Describe, Detail, counted, detail};

/// So many parts of one page of a site are taken for one page.
const MOST_PARTS: usize = 3;

/// A page picked from several rankings.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    /// The page.
    pub page: PageNo,
    /// Its id.
    pub id: String,
    /// The sub-query that found it, from 0.
    pub sub_query: usize,
    /// Its rank for that sub-query, from 0.
    pub rank: usize,
    /// All sub-queries that rank it.
    pub wanted_by: Vec<usize>,
}

/// The picked pages, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Picks {
    /// The pages.
    pub items: Vec<Pick>,
}

/// Merges `rankings` round-robin, up to the limits of `config`.
///
/// # Errors
/// [`seealso_index::Error::Corrupt`] where the index is damaged.
pub fn merge(rankings: &Rankings, index: &Index, config: &Config) -> Result<Picks, seealso_index::Error> {
    let mut items: Vec<Pick> = Vec::new();
    let parts = rankings.items.len();
    let mut order: Vec<(usize, &Ranking)> = rankings.items.iter().enumerate().collect();
    sort_by(&mut order, |a, b| b.1.lead.total_cmp(&a.1.lead));
    order.extend(rankings.whole.iter().map(|whole| (parts, whole)));
    let mut taken: Vec<PartCounts> = vec![Vec::new(); order.len()];
    let most = order.iter().map(|(_, ranking)| ranking.hits.len()).max().unwrap_or(0);
    for rank in 0..most {
        for (&(number, ranking), taken) in order.iter().zip(&mut taken) {
            let Some(hit) = ranking.hits.get(rank) else { continue };
            let entry = index.page(hit.page)?;
            if !takes(taken, entry.pack, &entry.file, config.pages_per_sub_query) {
                continue;
            }
            // A page for the whole question serves every part.
            let wants = if number < parts { number..number + 1 } else { 0..parts };
            if let Some(there) = items.iter_mut().find(|pick| pick.page == hit.page) {
                there.wanted_by.extend(wants.filter(|_| number < parts));
            } else if items.len() < config.pages {
                let id = page_id(&index.pack(entry.pack)?.path, &entry.file);
                items.push(Pick { page: hit.page, id, sub_query: wants.start, rank, wanted_by: wants.collect() });
            }
        }
    }
    Ok(Picks { items })
}

/// The pages that a sub-query takes, each with how many of its hits are parts of it.
type PartCounts = Vec<((PackNo, String), usize)>;

/// Whether a sub-query takes a hit of `file` beside what it has `taken`, of which it takes `most` pages. Parts of one page of
/// a site count as one page, as long as they are few.
fn takes(taken: &mut PartCounts, pack: PackNo, file: &str, most: usize) -> bool {
    let page = page_of_site(file);
    let place = taken.iter().position(|((known, name), _)| *known == pack && name == page);
    match place {
        Some(place) => {
            taken[place].1 += 1;
            taken[place].1 <= MOST_PARTS
        }
        None if taken.len() < most => {
            taken.push(((pack, page.to_owned()), 1));
            true
        }
        None => false,
    }
}

impl Picks {
    /// The requests for the pages.
    pub fn wanted(&self) -> Vec<PageRequest> {
        let want = |pick: &Pick| PageRequest { page: pick.page, via: Via::Search, sub_queries: pick.wanted_by.clone() };
        self.items.iter().map(want).collect()
    }
}

impl Describe for Picks {
    fn note(&self) -> String {
        counted(self.items.len(), "page")
    }

    fn detail(&self) -> Detail {
        let row = |pick: &Pick| detail!({ "page": pick.id, "sub_query": pick.sub_query, "rank": pick.rank });
        Detail::List(self.items.iter().map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieve::decompose::{SubQueries, SubQuery};
    use crate::retrieve::search::search;
    use seealso_index::{NewPack, NewPage, PackInfo, write};

    fn page(title: &str, summary: &str) -> NewPage {
        let file = format!("{}.md", title.to_lowercase());
        NewPage { file, title: title.into(), summary: summary.into(), ..NewPage::default() }
    }

    /// One subject whose pages match many words, one whose pages match a single common one.
    fn index() -> Index {
        let loud = (0..6).map(|n| page(&format!("Docker{n}"), "docker image container build layer docker"));
        let quiet = (0..6)
            .map(|n| page(&format!("Other{n}"), "a long summary that says server once among a good many other words"));
        let pages = loud.chain(quiet).collect();
        let info = PackInfo { path: "p".into(), language: "en".into(), ..PackInfo::default() };
        Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap()
    }

    fn ids(queries: &[&str], config: &Config) -> Vec<String> {
        let items = queries.iter().map(|text| SubQuery { text: text.to_string(), context: String::new() }).collect();
        let index = index();
        let rankings =
            search(&SubQueries { items, whole: None, split_rules: vec![], joined: false }, &index, config).unwrap();
        merge(&rankings, &index, config).unwrap().items.into_iter().map(|pick| pick.id).collect()
    }

    #[test]
    fn the_weaker_sub_query_is_not_starved() {
        let config = Config { pages: 4, ..Config::default() };
        let merged = ids(&["docker image container build layer", "server"], &config);
        assert_eq!(merged, ["p/docker0", "p/other0", "p/docker1", "p/other1"]);

        // A merge by score would take all four from the first sub-query.
        let index = index();
        let items = ["docker image container build layer", "server"]
            .map(|text| SubQuery { text: text.into(), context: String::new() })
            .to_vec();
        let rankings =
            search(&SubQueries { items, whole: None, split_rules: vec![], joined: false }, &index, &config).unwrap();
        let mut by_score: Vec<_> = rankings.items.iter().flat_map(|ranking| &ranking.hits).collect();
        by_score.sort_by(|a, b| b.score.total_cmp(&a.score));
        assert!(by_score[..4].iter().all(|hit| hit.page.0 < 6));
        // And so would the best pages of the whole question, without a merge.
        let whole = index.searcher(&config.bm25).search("docker image container build layer server", 4).unwrap();
        assert!(whole.iter().all(|hit| hit.page.0 < 6));
    }

    #[test]
    fn the_sub_query_goes_first_whose_best_page_stands_out() {
        let pages = vec![
            page("Gears", "Wheels with teeth, in a clock or a mill."),
            page("Springs", "Coils of steel, in a clock or a lock."),
            page("Herons", "Tall grey birds that fish in shallow water."),
            page("Geese", "Grey birds."),
        ];
        let info = PackInfo { path: "p".into(), language: "en".into(), ..PackInfo::default() };
        let index = Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap();
        let config = Config::default();
        let check = |queries: [&str; 2], expected: [&str; 2]| {
            let items = queries.map(|text| SubQuery { text: text.into(), context: String::new() }).to_vec();
            let rankings =
                search(&SubQueries { items, whole: None, split_rules: vec![], joined: false }, &index, &config)
                    .unwrap();
            let merged = merge(&rankings, &index, &config).unwrap().items;
            let first: Vec<&str> = merged.iter().map(|pick| pick.id.as_str()).take(2).collect();
            assert_eq!(first, expected, "{queries:?}");
        };
        check(["steel clock", "herons"], ["p/herons", "p/springs"]);
        check(["herons", "steel clock"], ["p/herons", "p/springs"]);
        // Of two that stand out alike, the first that was asked for.
        check(["teeth", "geese"], ["p/gears", "p/geese"]);
        check(["geese", "teeth"], ["p/geese", "p/gears"]);
    }

    #[test]
    fn sixteen_pages_are_read_at_most_and_eight_of_a_sub_query() {
        let kinds = ["kite", "drum", "loom", "plough"];
        let of = |kind: &&str| (0..9).map(|n| page(&format!("{kind}{n}"), &format!("A {kind}."))).collect::<Vec<_>>();
        let info = PackInfo { path: "p".into(), language: "en".into(), ..PackInfo::default() };
        let pages = kinds.iter().flat_map(of).collect();
        let index = Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap();
        let check = |queries: &[&str], expected: &[usize]| {
            let item = |text: &&str| SubQuery { text: text.to_string(), context: String::new() };
            let sub_queries = SubQueries {
                items: queries.iter().map(item).collect(),
                whole: None,
                split_rules: vec![],
                joined: false,
            };
            let config = Config::default();
            let rankings = search(&sub_queries, &index, &config).unwrap();
            let picks = merge(&rankings, &index, &config.of_reading()).unwrap().items;
            let brought = |number: usize| picks.iter().filter(|pick| pick.sub_query == number).count();
            assert_eq!((0..queries.len()).map(brought).collect::<Vec<_>>(), expected, "{queries:?}");
        };
        check(&kinds[..1], &[8]);
        check(&kinds[..2], &[8, 8]);
        check(&kinds[..3], &[6, 5, 5]);
        check(&kinds, &[4, 4, 4, 4]);
    }

    #[test]
    fn a_few_parts_of_a_page_of_a_site_count_as_one_page() {
        let part = |place: &str| format!("tea.html~~{place}.md");
        let files = ["tea.html.md".to_owned(), part("black"), part("green"), part("white"), "cup.html.md".to_owned()];
        let one = |file: String| NewPage { file, title: "Tea".into(), ..NewPage::default() };
        let info = PackInfo { path: "p".into(), language: "en".into(), site: "../".into(), ..PackInfo::default() };
        let pages = files.into_iter().chain(["mug.html.md".to_owned(), "pot.html.md".to_owned()]).map(one).collect();
        let index = Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap();
        let items = vec![SubQuery { text: "tea".into(), context: String::new() }];
        let sub_queries = SubQueries { items, whole: None, split_rules: vec![], joined: false };
        let config = Config { pages_per_sub_query: 2, ..Config::default() };
        let rankings = search(&sub_queries, &index, &config).unwrap();
        let picks = merge(&rankings, &index, &config).unwrap().items;
        let found: Vec<&str> = picks.iter().map(|pick| pick.id.as_str()).collect();
        assert_eq!(found, ["p/tea.html", "p/tea.html~~black", "p/tea.html~~green", "p/cup.html"]);
    }

    #[test]
    fn the_whole_question_goes_last_and_serves_every_part() {
        let pages =
            vec![page("Gears", "Wheels of a clock."), page("Springs", "Coils of a lock."), page("Clock lock", "Both.")];
        let info = PackInfo { path: "p".into(), language: "en".into(), ..PackInfo::default() };
        let index = Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap();
        let sub_query = |text: &str| SubQuery { text: text.into(), context: String::new() };
        let sub_queries = SubQueries {
            items: vec![sub_query("gears"), sub_query("springs")],
            whole: Some(sub_query("clock lock")),
            split_rules: vec!["asks"],
            joined: false,
        };
        let config = Config::default();
        let rankings = search(&sub_queries, &index, &config).unwrap();
        let picks = merge(&rankings, &index, &config).unwrap().items;
        let found: Vec<(&str, &[usize])> = picks.iter().map(|pick| (pick.id.as_str(), &pick.wanted_by[..])).collect();
        assert_eq!(found, [("p/gears", &[0][..]), ("p/springs", &[1]), ("p/clock lock", &[0, 1])]);
    }

    #[test]
    fn caps_hold_and_duplicates_are_skipped_not_refilled() {
        let config = Config::default();
        assert_eq!(ids(&["docker"], &config).len(), 4, "four pages a sub-query");
        assert_eq!(
            ids(&["docker", "server", "docker image", "container"], &config).len(),
            8,
            "the same pages are not doubled"
        );
        let two = ids(&["docker", "docker"], &config);
        assert_eq!(two, ["p/docker0", "p/docker1", "p/docker2", "p/docker3"]);
        assert!(ids(&["nothing"], &config).is_empty());
    }
}
