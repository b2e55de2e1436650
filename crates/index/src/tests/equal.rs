//! The heart: whatever the layout, and whichever files are there, a search finds what scoring every page would.

use proptest::prelude::*;
use seealso_test_support::Random;

use super::exhaustive::{Corpus, ranked, same};
use super::random::RandomInput as _;
use super::support::{Remote, open};
use crate::{Bm25, Filter, Query};

/// Words, context, filter, number of hits, ranking.
type Asked = (String, String, Option<Filter>, usize, Bm25);

fn asked(random: &mut Random) -> Asked {
    let vocabulary = 2 + random.below(330);
    let filter = (random.below(3) == 0).then(|| random.filter());
    let context = if random.below(3) == 0 { random.text(0, 4, vocabulary) } else { String::new() };
    let quote = if random.below(4) == 0 { format!(" \"{}\"", random.text(2, 3, 9)) } else { String::new() };
    (random.text(0, 7, vocabulary) + &quote, context, filter, 1 + random.below(20), random.ranking())
}

fn query(asked: &Asked) -> Query<'_> {
    Query { text: &asked.0, context: &asked.1, prefix: false, filter: asked.2.as_ref() }
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
        let all: Vec<Asked> = (0..12).map(|_| asked(&mut random)).collect();
        for asked in &all {
            let (query, k, bm25) = (query(asked), asked.3, &asked.4);
            let expected = corpus.search(query, k, bm25);
            let there = one_file.search(query, k, bm25).unwrap();
            prop_assert!(same(&ranked(&there), &expected), "{asked:?}: one file {there:?}, exhaustive {expected:?}");
            // Where nothing is read, common words order as many pages as are asked for.
            if bm25.adjacent > 0.0 {
                let longer = one_file.search(query, k + 9, bm25).unwrap();
                prop_assert!(longer.starts_with(&there), "{asked:?}: {there:?}, of a longer list {longer:?}");
            }
            let (fresh, _) = cold.settle(&cold.fresh(), &|index| index.search(query, k, bm25));
            prop_assert_eq!(&fresh, &there, "with nothing there: {:?}", asked);
            let later = kept.settled(|index| index.search(query, k, bm25));
            prop_assert_eq!(&later, &there, "with some files there: {:?}", asked);
        }
        // With every file there no list has a gap, and the other path is taken.
        kept.settled(|index| index.forward());
        for asked in &all {
            let (hits, rounds) = kept.settle(&kept.index, &|index| index.search(query(asked), asked.3, &asked.4));
            prop_assert_eq!(&hits, &one_file.search(query(asked), asked.3, &asked.4).unwrap());
            prop_assert_eq!(rounds, 0);
        }
    }

    #[test]
    fn every_layout_explains_alike(seed in any::<u64>(), pages in 1usize..200) {
        let mut random = Random::new(seed);
        let packs = random.packs(pages);
        let (one_file, files) = (open(&packs), Remote::new(&packs, random.layout()));
        for _ in 0..6 {
            let asked = asked(&mut random);
            let bm25 = &asked.4;
            for (place, hit) in one_file.search(query(&asked), asked.3, bm25).unwrap().into_iter().enumerate() {
                let why = one_file.explain(query(&asked), hit.page, bm25).unwrap();
                // Beyond the eight best nobody need have looked at the order of words; what is quoted brings such pages up.
                let beyond = place >= 8 || asked.0.contains('"');
                let unordered = beyond && (why.score - why.adjacent - hit.score).abs() < 1e-9;
                prop_assert!(why.score == hit.score || unordered, "{:?}, {:?}", hit, why);
                prop_assert_eq!(&files.settled(|index| index.explain(query(&asked), hit.page, bm25)), &why);
            }
            let names = one_file.names_in(&asked.0).unwrap();
            prop_assert_eq!(files.settled(|index| index.names_in(&asked.0)), names);
        }
    }
}
