//! What the writer makes, and what it refuses.

use proptest::prelude::*;

use super::support::{Remote, divided, grouped, sample, single};
use crate::{Budget, ChunkNo, Error, Int8Table, Layout, NewPack, NewSet, Vectors, file_name, quantise, write};

fn refuse(set: &NewSet) -> String {
    write(set, Layout::default(), &mut |_, _| Ok(())).unwrap_err().to_string()
}

#[test]
fn sets_that_contradict_themselves_are_refused() {
    let mut set = sample(9, 2, 4);
    set.packs.pop();
    assert_eq!(refuse(&set), "the vectors can't be written: there are 9 vectors for 3 chunks");
    let mut set = sample(9, 2, 4);
    set.space.dimensions = 5;
    assert!(refuse(&set).contains("have 4 dimensions, the space has 5"));
    let empty = NewSet { vectors: Int8Table::new(9000), packs: Vec::new(), ..sample(3, 1, 4) };
    assert!(refuse(&empty).contains("8192 are the most"));
    // A reader would refuse its scale.
    let mut set = NewSet { vectors: Int8Table::new(4), ..sample(9, 2, 4) };
    (0..9).for_each(|_| set.vectors.push(quantise(&[127.5, 0.0, 1.0, 0.0]).unwrap().view()));
    assert!(refuse(&set).contains("a vector is longer than 1"));
}

#[test]
fn the_errors_of_the_sink_stop_the_writer() {
    let full = || Error::Unwritable { reason: "the disk is full".into() };
    let mut calls = 0;
    let stopped = write(&sample(90, 2, 4), divided(), &mut |_, _| {
        calls += 1;
        if calls == 3 { Err(full()) } else { Ok(()) }
    });
    assert_eq!((stopped, calls), (Err(full()), 3));
}

#[test]
fn a_small_set_is_one_file_and_a_larger_one_has_leaves_and_groups() {
    let files = |count, layout: Layout| {
        let written = write(&sample(count, 9, 4), layout, &mut |_, _| Ok(())).unwrap();
        (written.leaves > 0, written.files > written.leaves)
    };
    // 100 vectors of 4 dimensions have 800 bytes, and as much again for their names.
    let layout = Layout { single_file_bytes: 2000, leaf_vectors: 10, most_leaves: 20, ..Layout::default() };
    assert_eq!(files(100, layout), (false, false));
    assert_eq!(files(150, layout), (true, false));
    assert_eq!(files(400, layout), (true, true));
    assert_eq!(files(0, Layout { single_file_bytes: 0, ..layout }), (false, false));
}

#[test]
fn the_same_set_gives_the_same_files_named_by_their_hashes() {
    let set = sample(500, 9, 12);
    let [one, two] = [0, 1].map(|_| Remote::new(&set, grouped()));
    assert_eq!(one.root, two.root);
    assert_eq!(one.files, two.files);
    assert!(one.files.len() > 60);
    for (hash, bytes) in &one.files {
        assert_eq!(file_name(hash), file_name(&seealso_bytes::hash_of(bytes)));
    }
}

#[test]
fn an_empty_set_finds_nothing() {
    let none = NewSet { vectors: Int8Table::new(4), packs: vec![NewPack::default()], ..sample(3, 1, 4) };
    for layout in [single(), grouped()] {
        let vectors = Remote::new(&none, layout).open();
        assert!(vectors.is_empty() && vectors.is_exact());
        assert_eq!(vectors.search(&[1.0; 4], 5, Budget::default(), &|_| true), Ok(Vec::new()));
        assert_eq!(vectors.similarities(&[1.0; 4], &[]), Ok(Vec::new()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_chunk_comes_back(count in 1usize..400, topics in 1usize..30, leaf in 1usize..40, most in 1usize..20, inline in 0usize..500) {
        let set = sample(count, topics, 6);
        let layout = Layout { single_file_bytes: 0, leaf_vectors: leaf, most_leaves: most, inline_places: inline };
        let remote = Remote::new(&set, layout);
        let vectors = remote.open();
        let query = [0.5, -0.5, 0.1, 0.2, 0.3, 0.4];
        let all: Vec<ChunkNo> = (0..count as u32).map(ChunkNo).collect();
        let (similarities, _) = remote.resolve(&vectors, |vectors| vectors.similarities(&query, &all));
        let (hits, _) = remote.resolve(&vectors, |vectors| vectors.search(&query, count, Budget::ALL, &|_| true));
        prop_assert_eq!(hits.len(), count);
        for near in hits {
            prop_assert_eq!(similarities[near.chunk.0 as usize], near.similarity);
        }
        let names: Vec<_> = set.packs.iter().flat_map(|pack| &pack.chunks).collect();
        for (chunk, name) in all.iter().zip(names) {
            prop_assert_eq!(&vectors.name(*chunk).unwrap(), name);
        }
    }

    #[test]
    fn a_search_of_all_files_is_the_scan_of_all_bytes(
        count in 1usize..300, topics in 1usize..30, leaf in 1usize..40, most in 1usize..20, nearest in 0usize..40,
        query in prop::collection::vec(-1.0f32..1.0, 6), skipped in 2u32..9,
    ) {
        let set = sample(count, topics, 6);
        prop_assume!(quantise(&query).is_ok());
        let stored = quantise(&query).unwrap();
        let products = set.vectors.iter().map(|vector| vector.dot(stored.view()));
        let mut expected: Vec<(f32, u32)> = products.zip(0..).filter(|(_, chunk)| chunk % skipped != 1).collect();
        expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        expected.truncate(nearest);
        let expected = expected.into_iter().map(|(product, chunk)| (chunk, product.clamp(0.0, 1.0)));
        let expected: Vec<(u32, f32)> = expected.collect();
        let layout = Layout { single_file_bytes: 0, leaf_vectors: leaf, most_leaves: most, inline_places: 0 };
        for layout in [layout, single()] {
            let remote = Remote::new(&set, layout);
            let is_admitted = |chunk: ChunkNo| chunk.0 % skipped != 1;
            let search = |vectors: &Vectors| vectors.search(&query, nearest, Budget::ALL, &is_admitted);
            let (found, _) = remote.resolve(&remote.open(), search);
            let found: Vec<(u32, f32)> = found.into_iter().map(|near| (near.chunk.0, near.similarity)).collect();
            prop_assert_eq!(&found, &expected);
        }
    }
}
