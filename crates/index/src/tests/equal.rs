//! The central property of the index: whatever the layout is, and whichever files are there, a search finds what
//! scoring every page finds.

use proptest::prelude::*;
use seealso_test_support::Random;

use super::exhaustive::{Corpus, ranked, same};
use super::random::RandomInput as _;
use super::support::{Remote, open};
use crate::{Bm25, Filter, Query};

/// A query: words, context, filter, number of hits, ranking.
type TestQuery = (String, String, Option<Filter>, usize, Bm25);

fn test_query(random: &mut Random) -> TestQuery {
    let vocabulary = 2 + random.below(330);
    let filter = (random.below(3) == 0).then(|| random.filter());
    let context = if random.below(3) == 0 { random.text(0, 4, vocabulary) } else { String::new() };
    let quote = if random.below(4) == 0 { format!(" \"{}\"", random.text(2, 3, 9)) } else { String::new() };
    (random.text(0, 7, vocabulary) + &quote, context, filter, 1 + random.below(20), random.ranking())
}

fn query(test_query: &TestQuery) -> Query<'_> {
    Query { text: &test_query.0, context: &test_query.1, prefix: false, filter: test_query.2.as_ref() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn every_layout_finds_what_scoring_every_page_finds(seed in any::<u64>(), pages in 0usize..700) {
        let mut random = Random::new(seed);
        let packs = random.packs(pages);
        let (corpus, one_file) = (Corpus::new(&packs), open(&packs));
        let layout = random.layout();
        let (cold, kept) = (Remote::new(&packs, layout.clone()), Remote::new(&packs, layout));
        let all: Vec<TestQuery> = (0..12).map(|_| test_query(&mut random)).collect();
        for test_query in &all {
            let (query, k, bm25) = (query(test_query), test_query.3, &test_query.4);
            let expected = corpus.search(query, k, bm25);
            let there = one_file.searcher(bm25).search(query, k).unwrap();
            prop_assert!(same(&ranked(&there), &expected), "{test_query:?}: one file {there:?}, exhaustive {expected:?}");
            // Without reading texts, common terms order as many pages as are wanted.
            if bm25.adjacent > 0.0 {
                let longer = one_file.searcher(bm25).search(query, k + 9).unwrap();
                prop_assert!(longer.starts_with(&there), "{test_query:?}: {there:?}, of a longer list {longer:?}");
            }
            let (fresh, _) = cold.resolve_in_rounds(&cold.fresh(), &|index| index.searcher(bm25).search(query, k));
            prop_assert_eq!(&fresh, &there, "with nothing there: {:?}", test_query);
            let later = kept.resolve(|index| index.searcher(bm25).search(query, k));
            prop_assert_eq!(&later, &there, "with some files there: {:?}", test_query);
        }
        // With every file there, no block is unfetched, and the search runs without `lazy_topk`.
        kept.resolve(|index| index.page_terms());
        for test_query in &all {
            let (hits, rounds) = kept.resolve_in_rounds(&kept.index, &|index| index.searcher(&test_query.4).search(query(test_query), test_query.3));
            prop_assert_eq!(&hits, &one_file.searcher(&test_query.4).search(query(test_query), test_query.3).unwrap());
            prop_assert_eq!(rounds, 0);
        }
    }

    #[test]
    fn every_layout_explains_alike(seed in any::<u64>(), pages in 1usize..200) {
        let mut random = Random::new(seed);
        let packs = random.packs(pages);
        let (one_file, files) = (open(&packs), Remote::new(&packs, random.layout()));
        for _ in 0..6 {
            let test_query = test_query(&mut random);
            let bm25 = &test_query.4;
            for (place, hit) in one_file.searcher(bm25).search(query(&test_query), test_query.3).unwrap().into_iter().enumerate() {
                let why = one_file.searcher(bm25).explain(query(&test_query), hit.page).unwrap();
                // The texts of pages after the eight best need not have been read. A quotation moves such pages up.
                let beyond = place >= 8 || test_query.0.contains('"');
                let unordered = beyond && (why.score - why.adjacent - hit.score).abs() < 1e-9;
                prop_assert!(why.score == hit.score || unordered, "{:?}, {:?}", hit, why);
                prop_assert_eq!(&files.resolve(|index| index.searcher(bm25).explain(query(&test_query), hit.page)), &why);
            }
            let names = one_file.searcher(&Bm25::default()).names_in(&test_query.0).unwrap();
            prop_assert_eq!(files.resolve(|index| index.searcher(&Bm25::default()).names_in(&test_query.0)), names);
        }
    }
}
