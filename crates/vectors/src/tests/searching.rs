//! What is found, and what it takes.

use seealso_test_support::Random;

use super::support::{Cost, Remote, divided, grouped, sample, single, unit};
use crate::{Budget, ChunkName, ChunkNo, Error, NewSet, Space, quantise};

/// The numbers of the chunks whose vectors have the largest products with the query, by comparing all.
fn scan(set: &NewSet, query: &[f32], count: usize, accept: impl Fn(u32) -> bool) -> Vec<u32> {
    let query = quantise(query).unwrap();
    let mut scored: Vec<(f32, u32)> = set.vectors.iter().map(|vector| vector.dot(query.view())).zip(0..).collect();
    scored.retain(|(_, chunk)| accept(*chunk));
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.iter().take(count).map(|(_, chunk)| *chunk).collect()
}

fn queries(count: usize, dimensions: usize) -> Vec<Vec<f32>> {
    let mut random = Random::new(99);
    (0..count).map(|_| unit(&random.floats(dimensions))).collect()
}

#[test]
fn a_search_of_all_files_finds_what_a_scan_finds() {
    let set = sample(300, 20, 24);
    for layout in [single(), divided(), grouped()] {
        let remote = Remote::new(&set, layout);
        let vectors = remote.open();
        for query in queries(20, 24) {
            for (count, accept) in
                [(10, &(|_| true) as &dyn Fn(u32) -> bool), (7, &|chunk| chunk % 5 == 0), (0, &|_| true)]
            {
                let search =
                    |vectors: &crate::Vectors| vectors.search(&query, count, Budget::ALL, &|chunk| accept(chunk.0));
                let (found, _) = remote.resolve(&vectors, search);
                let chunks: Vec<u32> = found.iter().map(|near| near.chunk.0).collect();
                assert_eq!(chunks, scan(&set, &query, count, accept), "{layout:?}");
                assert!(found.is_sorted_by(|a, b| a.similarity >= b.similarity));
            }
        }
    }
}

#[test]
fn similarities_and_names_are_those_of_the_chunks() {
    let set = sample(300, 20, 24);
    let query = unit(&Random::new(5).floats(24));
    let stored = quantise(&query).unwrap();
    let chunks = [299, 0, 100, 99, 7, 7].map(ChunkNo);
    let expected = chunks.map(|chunk| set.vectors.get(chunk.0 as usize).unwrap().dot(stored.view()).clamp(0.0, 1.0));
    for layout in [single(), divided(), grouped()] {
        let remote = Remote::new(&set, layout);
        let vectors = remote.open();
        assert_eq!(remote.resolve(&vectors, |vectors| vectors.similarities(&query, &chunks)).0, expected);
        let name = |chunk| remote.resolve(&vectors, |vectors| vectors.name(ChunkNo(chunk))).0;
        assert_eq!(name(100), ChunkName { file: "concepts/page-33.md".into(), number: 1 });
        assert_eq!(name(299), ChunkName { file: "concepts/page-99.md".into(), number: 2 });
    }
}

#[test]
fn similarities_are_clamped() {
    let set = sample(30, 30, 24);
    let remote = Remote::new(&set, single());
    let away: Vec<f32> = set.vectors.get(3).unwrap().floats().map(|x| -x).collect();
    let far = remote.open().similarities(&away, &[ChunkNo(3)]).unwrap();
    assert_eq!(far, [0.0]);
    let all = remote.open().search(&away, 30, Budget::default(), &|_| true).unwrap();
    assert!(all.iter().all(|near| (0.0..=1.0).contains(&near.similarity)));
    assert_eq!(all.last().unwrap().chunk, ChunkNo(3), "hits are in the order of products before these are clamped");
}

#[test]
fn a_search_takes_one_round_for_leaves_and_one_for_groups() {
    let set = sample(1000, 50, 24);
    let query = &queries(1, 24)[0];
    let check = |layout, search: (usize, bool), similarities: usize| {
        let remote = Remote::new(&set, layout);
        let vectors = remote.open();
        assert_eq!(vectors.is_exact(), search.1);
        let found = remote.resolve(&vectors, |vectors| vectors.search(query, 5, Budget::default(), &|_| true));
        assert_eq!(found.1.rounds, search.0, "{layout:?}");
        let again = remote.resolve(&vectors, |vectors| vectors.search(query, 5, Budget::default(), &|_| true));
        assert_eq!(again, (found.0, Cost::default()));
        let vectors = remote.open();
        let chunks = [0, 500, 999].map(ChunkNo);
        let (_, cost) = remote.resolve(&vectors, |vectors| vectors.similarities(query, &chunks));
        assert_eq!(cost.rounds, similarities, "{layout:?}");
        vectors.clear_cache();
        assert_eq!(remote.resolve(&vectors, |vectors| vectors.prefetch(&chunks)).1, cost);
    };
    check(single(), (0, true), 0);
    check(divided(), (1, false), 1);
    check(grouped(), (2, false), 3);
}

#[test]
fn a_search_keeps_to_its_budget_and_reads_one_leaf_at_least() {
    let set = sample(1000, 50, 24);
    for (layout, rounds) in [(divided(), 1), (grouped(), 2)] {
        let remote = Remote::new(&set, layout);
        for (group_bytes, leaf_bytes) in [(3000, 3000), (6000, 1000), (9000, 20_000)] {
            let budget = Budget { group_bytes, leaf_bytes, ..Budget::ALL };
            let search = |vectors: &crate::Vectors| vectors.search(&queries(1, 24)[0], 5, budget, &|_| true);
            let (found, cost) = remote.resolve(&remote.open(), search);
            assert!(cost.bytes as u64 <= group_bytes + leaf_bytes && cost.files > rounds, "{cost:?}");
            assert_eq!(found.len(), 5);
        }
        let few = Budget { files: 2, ..Budget::ALL };
        let (_, cost) = remote.resolve(&remote.open(), |vectors| vectors.search(&queries(1, 24)[0], 1, few, &|_| true));
        assert_eq!(cost.files, 2 * rounds);
        let none = Budget { group_bytes: 0, leaf_bytes: 0, files: 0 };
        let (found, cost) =
            remote.resolve(&remote.open(), |vectors| vectors.search(&queries(1, 24)[0], 1, none, &|_| true));
        assert_eq!((found.len(), cost.files), (1, rounds));
    }
}

#[test]
fn a_part_of_the_leaves_has_most_of_the_nearest_chunks() {
    let set = sample(1000, 50, 24);
    let mut random = Random::new(6);
    for layout in [divided(), grouped()] {
        let remote = Remote::new(&set, layout);
        let vectors = remote.open();
        let all: usize = remote.files.values().map(Vec::len).sum();
        let budget = Budget { group_bytes: all as u64 / 10, leaf_bytes: all as u64 / 10, ..Budget::ALL };
        let mut found = 0;
        for _ in 0..50 {
            // A question is near some of the vectors.
            let near = set.vectors.get(random.below(1000)).unwrap();
            let query: Vec<f32> = unit(&near.floats().map(|x| x + 0.1 * random.float()).collect::<Vec<_>>());
            let (hits, _) = remote.resolve(&vectors, |vectors| vectors.search(&query, 10, budget, &|_| true));
            let exact = scan(&set, &query, 10, |_| true);
            found += hits.iter().filter(|near| exact.contains(&near.chunk.0)).count();
        }
        assert!(found >= 450, "{layout:?}: {found} of 500");
    }
}

#[test]
fn packs_are_listed_with_their_chunks() {
    let vectors = Remote::new(&sample(9, 2, 4), single()).open();
    let packs: Vec<_> = vectors.packs().map(|pack| (pack.path, pack.chunks)).collect();
    assert_eq!(packs, [("a/first", 0..3), ("a/none", 3..3), ("second", 3..9)]);
    let of = |chunk| vectors.pack_of(ChunkNo(chunk));
    assert_eq!([of(0), of(2), of(3), of(8), of(9)], [Some(0), Some(0), Some(2), Some(2), None]);
    assert_eq!((vectors.len(), vectors.is_empty()), (9, false));
}

#[test]
fn what_is_no_query_is_refused() {
    for layout in [single(), divided(), grouped()] {
        let vectors = Remote::new(&sample(60, 4, 4), layout).open();
        let refused = |query: &[f32]| vectors.search(query, 3, Budget::default(), &|_| true).unwrap_err();
        assert_eq!(refused(&[1.0]), Error::Dimensions { expected: 4, got: 1 });
        assert_eq!(refused(&[0.0; 4]), Error::NoDirection);
        assert_eq!(refused(&[1.0, f32::NAN, 0.0, 0.0]), Error::NoDirection);
        assert_eq!(vectors.similarities(&[1.0], &[]), Err(Error::Dimensions { expected: 4, got: 1 }));
        let beyond = vectors.similarities(&[1.0; 4], &[ChunkNo(1), ChunkNo(60)]);
        assert_eq!(beyond, Err(Error::NoChunk { chunk: 60, count: 60 }));
    }
}

#[test]
fn a_model_of_another_hash_is_refused() {
    let vectors = Remote::new(&sample(9, 2, 4), single()).open();
    let same = Space { model: "tiny".into(), sha256: [7; 32], scheme: "plain".into(), dimensions: 4 };
    assert_eq!(vectors.space().check(&same.id()), Ok(()));
    let refused = vectors.space().check(&Space { sha256: [8; 32], ..same }.id()).unwrap_err().to_string();
    assert!(refused.contains("of the model tiny@070707070707") && refused.contains("encoder is tiny@080808080808"));
}
