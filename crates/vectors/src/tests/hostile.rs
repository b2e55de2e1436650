//! Bytes that no writer made: each ends in an answer or an error, never in a panic.

use proptest::prelude::*;

use super::support::{Remote, divided, grouped, sample, single};
use crate::{Budget, ChunkNo, EmbeddingCache, Error, File, Hash, Vectors, WantedFile};

/// Calls everything that opened vectors offer, with the files that `files` has, changed by `change`.
fn use_all(vectors: &Vectors, remote: &Remote, change: impl Fn(&[u8]) -> Vec<u8> + Copy) {
    let query = vec![0.5; vectors.space().dimensions];
    let fetch = |_, bytes: &[u8]| change(bytes);
    let _ = remote.resolve_known(vectors, |vectors| vectors.search(&query, 5, Budget::default(), &|_| true), fetch);
    let chunks: Vec<ChunkNo> = (0..vectors.len().min(50)).map(ChunkNo).collect();
    let _ = remote.resolve_known(vectors, |vectors| vectors.similarities(&query, &chunks), fetch);
    let _ = remote.resolve_known(vectors, |vectors| vectors.name(ChunkNo(vectors.len() / 2)), fetch);
    let _ = (vectors.packs().count(), vectors.pack_of(ChunkNo(3)), vectors.is_exact());
}

impl Remote {
    /// As [`Remote::resolve_with`], for vectors whose root may name files that are not there.
    fn resolve_known<T>(
        &self,
        vectors: &Vectors,
        call: impl Fn(&Vectors) -> Result<T, Error>,
        fetch: impl Fn(crate::WantedFile, &[u8]) -> Vec<u8>,
    ) -> Result<T, Error> {
        for _ in 0..9 {
            match call(vectors) {
                Err(Error::Missing) => {}
                other => return other,
            }
            for file in vectors.wanted() {
                let bytes = self.files.get(&file.hash).ok_or(Error::Missing)?;
                vectors.supply(file, &fetch(file, bytes))?;
            }
        }
        panic!("the rounds never end");
    }
}

#[test]
fn no_cut_and_no_changed_byte_of_a_root_makes_the_reader_panic() {
    for layout in [single(), divided(), grouped()] {
        let remote = Remote::new(&sample(80, 6, 4), layout);
        for at in 0..remote.root.len() {
            assert!(Vectors::open(&remote.root[..at]).is_err(), "cut at {at}");
            for flip in [0x01, 0x80, 0xff] {
                let mut bad = remote.root.clone();
                bad[at] ^= flip;
                if let Ok(vectors) = Vectors::open(&bad) {
                    use_all(&vectors, &remote, <[u8]>::to_vec);
                }
            }
        }
    }
}

#[test]
fn no_cut_and_no_changed_byte_of_a_file_makes_the_reader_panic() {
    let remote = Remote::new(&sample(80, 6, 4), grouped());
    for at in 0..200 {
        for flip in [0x01, 0x80, 0xff] {
            let change = |bytes: &[u8]| {
                let mut bytes = bytes.to_vec();
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= flip;
                }
                bytes
            };
            use_all(&remote.open(), &remote, change);
        }
        use_all(&remote.open(), &remote, |bytes| bytes[..at.min(bytes.len())].to_vec());
    }
}

#[test]
fn a_damaged_file_is_named() {
    let remote = Remote::new(&sample(80, 6, 4), grouped());
    let search = |vectors: &Vectors| vectors.search(&[0.5; 4], 5, Budget::default(), &|_| true);
    for kind in [File::Group, File::Leaf] {
        let damage = |file: crate::WantedFile, bytes: &[u8]| {
            if file.file == kind { bytes[..bytes.len() - 1].to_vec() } else { bytes.to_vec() }
        };
        let damaged = std::cell::RefCell::new(String::new());
        let note = |file: crate::WantedFile, bytes: &[u8]| {
            let changed = damage(file, bytes);
            if changed.len() != bytes.len() && damaged.borrow().is_empty() {
                *damaged.borrow_mut() = file.name();
            }
            changed
        };
        let error = remote.resolve_with(&remote.open(), search, note).0.unwrap_err().to_string();
        let name = damaged.into_inner();
        assert!(error.starts_with(&format!("the vectors are damaged in the file {name}: it has ")), "{error}");
        assert!(error.ends_with("upload it again, or make them again with `seealso setup`"));
    }
}

#[test]
fn a_place_that_names_another_leaf_is_noticed() {
    let mut remote = Remote::new(&sample(80, 6, 4), divided());
    // The root ends with the places, of a byte each: the first chunk's is the eightieth from the end.
    let place = remote.root.len() - 80;
    remote.root[place] = u8::from(remote.root[place] == 0);
    let find = |vectors: &Vectors| vectors.similarities(&[0.5; 4], &[ChunkNo(1), ChunkNo(0)]);
    match remote.resolve_with(&remote.open(), find, |_, bytes| bytes.to_vec()).0 {
        Err(Error::Corrupt { file, reason }) => {
            assert_eq!(reason, "it lacks chunk 0");
            assert!(remote.files.keys().any(|hash| crate::file_name(hash) == file), "{file}");
        }
        other => panic!("{other:?}"),
    }
}

/// What is asked of vectors; how much it finds.
type Call<'c> = &'c dyn Fn(&Vectors) -> Result<usize, Error>;

proptest! {
    #[test]
    fn any_bytes_are_an_error_or_a_set(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Vectors::open(&bytes);
        let head = b"see-vec\0\x02\x00\x01m\x01s".to_vec();
        let root = [&head[..], &[1; 32], &bytes].concat();
        if let Ok(vectors) = Vectors::open(&root) {
            let query = vec![1.0; vectors.space().dimensions];
            let _ = vectors.search(&query, 3, Budget::default(), &|_| true);
            let _ = vectors.similarities(&query, &[ChunkNo(0)]);
        }
    }

    #[test]
    fn any_bytes_are_a_file_of_embeddings(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let space = sample(3, 1, 2).space;
        let head = EmbeddingCache::new(space.clone()).head();
        for file in [bytes.clone(), [head, bytes].concat()] {
            let cache = EmbeddingCache::read(&file, space.clone());
            prop_assert!(cache.sound_bytes() <= file.len());
        }
    }

    #[test]
    fn a_file_that_is_cut_or_stands_in_for_another_is_an_error(
        count in 40usize..200, from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(),
        length in any::<prop::sample::Index>(), cut in any::<bool>(),
    ) {
        let remote = Remote::new(&sample(count, 6, 4), grouped());
        let hashes: Vec<&Hash> = remote.files.keys().collect();
        let (from, to) = (*from.get(&hashes), *to.get(&hashes));
        let other = &remote.files[from];
        let served = if cut { &remote.files[to][..length.index(remote.files[to].len())] } else { other };
        prop_assume!(cut || from != to);
        let all: Vec<ChunkNo> = (0..count as u32).map(ChunkNo).collect();
        let calls: [Call<'_>; 2] = [
            &|vectors| vectors.search(&[0.5; 4], 5, Budget::ALL, &|_| true).map(|found| found.len()),
            &|vectors| vectors.similarities(&[0.5; 4], &all).map(|found| found.len()),
        ];
        for call in calls {
            let reads = std::cell::Cell::new(false);
            // As whoever fetches files does, the hash is compared first.
            let fetch = |file: WantedFile, bytes: &[u8]| {
                reads.set(reads.get() || file.hash == *to);
                let came = if file.hash == *to { served } else { bytes };
                if seealso_bytes::hash_of(came) == file.hash { came.to_vec() } else { Vec::new() }
            };
            let (result, _) = remote.resolve_with(&remote.open(), call, fetch);
            prop_assert_eq!(result.is_err(), reads.get(), "{:?}", result);
        }
    }
}
