//! Sets of random vectors, and the files of a set as a server has them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use seealso_test_support::Random;

use crate::{ChunkName, Error, Hash, Int8Table, Layout, NewPack, NewSet, Space, Vectors, WantedFile, quantise, write};

/// Files in small leaves; with groups where there are more than five leaves.
pub(super) fn grouped() -> Layout {
    Layout { single_file_bytes: 0, leaf_vectors: 8, most_leaves: 5, inline_places: 0 }
}

/// Files in small leaves, without groups.
pub(super) fn divided() -> Layout {
    Layout { most_leaves: usize::MAX, inline_places: usize::MAX, ..grouped() }
}

/// One file.
pub(super) fn single() -> Layout {
    Layout { single_file_bytes: usize::MAX, ..Layout::default() }
}

/// A vector of length 1.
pub(super) fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

/// `count` vectors around `topics` directions, in three packs of which one is empty.
pub(super) fn sample(count: usize, topics: usize, dimensions: usize) -> NewSet {
    let mut random = Random::new(count as u64);
    let topics: Vec<Vec<f32>> = (0..topics).map(|_| random.floats(dimensions)).collect();
    let mut vectors = Int8Table::new(dimensions);
    for at in 0..count {
        let near: Vec<f32> = topics[at / 3 % topics.len()].iter().map(|x| x + 0.7 * random.float()).collect();
        vectors.push(quantise(&unit(&near)).unwrap().view());
    }
    let name = |at: usize| ChunkName { file: format!("concepts/page-{}.md", at / 3), number: at as u32 % 3 };
    let pack =
        |path: &str, chunks: std::ops::Range<usize>| NewPack { path: path.into(), chunks: chunks.map(name).collect() };
    let packs = vec![pack("a/first", 0..count / 3), pack("a/none", 0..0), pack("second", count / 3..count)];
    let space = Space { model: "tiny".into(), sha256: [7; 32], scheme: "plain".into(), dimensions };
    NewSet { space, packs, vectors }
}

/// A set as a server has it.
pub(super) struct Remote {
    pub(super) root: Vec<u8>,
    pub(super) files: BTreeMap<Hash, Vec<u8>>,
}

/// What a call took.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) rounds: usize,
    pub(super) files: usize,
    pub(super) bytes: usize,
}

impl Remote {
    pub(super) fn new(set: &NewSet, layout: Layout) -> Remote {
        let files = RefCell::new(BTreeMap::new());
        let written = write(set, layout, &mut |hash, bytes| {
            files.borrow_mut().insert(*hash, bytes.to_vec());
            Ok(())
        });
        Remote { root: written.unwrap().root, files: files.into_inner() }
    }

    pub(super) fn open(&self) -> Vectors {
        Vectors::open(&self.root).unwrap()
    }

    /// Calls until nothing is missing, with the bytes that `fetch` makes of a file's.
    pub(super) fn resolve_with<T>(
        &self,
        vectors: &Vectors,
        call: impl Fn(&Vectors) -> Result<T, Error>,
        fetch: impl Fn(WantedFile, &[u8]) -> Vec<u8>,
    ) -> (Result<T, Error>, Cost) {
        let mut cost = Cost::default();
        loop {
            match call(vectors) {
                Err(Error::Missing) => {}
                other => return (other, cost),
            }
            let wanted = vectors.wanted();
            assert!(!wanted.is_empty() && cost.rounds < 9, "something is missing, and nothing is wanted");
            cost.rounds += 1;
            for file in wanted {
                let bytes = fetch(file, &self.files[&file.hash]);
                cost.files += 1;
                cost.bytes += bytes.len();
                if let Err(error) = vectors.supply(file, &bytes) {
                    return (Err(error), cost);
                }
            }
        }
    }

    /// The result of a call, and what it took.
    pub(super) fn resolve<T>(&self, vectors: &Vectors, call: impl Fn(&Vectors) -> Result<T, Error>) -> (T, Cost) {
        let (result, cost) = self.resolve_with(vectors, call, |_, bytes| bytes.to_vec());
        (result.unwrap(), cost)
    }
}
