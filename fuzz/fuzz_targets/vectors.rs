//! Files of vectors. The first byte says which: 0 is followed by what comes after the head of a root; 1 by changes to the
//! files of a sound set (a byte names the file, 0 the root; two bytes, little endian, the place; one byte the mask); 2 by
//! files that a careless server gives in place of others (a byte names the file; a byte the one whose bytes come; two bytes,
//! little endian, how many of them); all else by the records of a file of embeddings.
#![no_main]

use std::collections::BTreeMap;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use peak_alloc::PeakAlloc;
use seealso_bytes::hash_of;
use seealso_vectors::{
    Budget, ChunkName, ChunkNo, EmbeddingCache, Error, Hash, Int8Table, Layout, Near, NewPack, NewSet, Space, Vectors,
    WantedFile, quantise, write,
};

/// Counts what is allocated.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// What a reader takes at most for each byte that it was given: names of chunks share their beginnings.
const MOST_GROWTH: usize = 128;
/// What it takes whatever it was given.
const ROOM: usize = 256 << 10;
/// More rounds than any call takes.
const MOST_ROUNDS: usize = 4;

/// The root and the other files of a set.
#[derive(Clone)]
struct Files {
    root: Vec<u8>,
    others: BTreeMap<Hash, Vec<u8>>,
}

fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else { return };
    match kind {
        0 => {
            let head = b"see-vec\0\x02\x00".as_slice();
            ask(&Files { root: [head, data].concat(), others: sound().others.clone() });
        }
        1 => ask(&changed(data)),
        2 => ask_careless_server(data),
        _ => read_embeddings(data),
    }
});

/// The sound set with the changes that `data` lists.
fn changed(data: &[u8]) -> Files {
    let mut files = sound().clone();
    for change in data.chunks_exact(4) {
        let count = files.others.len() + 1;
        let bytes = match usize::from(change[0]) % count {
            0 => &mut files.root,
            place => files.others.values_mut().nth(place - 1).expect("so many there are"),
        };
        let at = usize::from(u16::from_le_bytes([change[1], change[2]])) % bytes.len();
        bytes[at] ^= change[3];
    }
    files
}

/// Files that are cut short or stand in for others: where hashes are compared, as whoever fetches files does, what is found is
/// what the sound files have, or nothing.
fn ask_careless_server(data: &[u8]) {
    let sound = sound();
    let vectors = Vectors::open(&sound.root).expect("the root is sound");
    let mut served = sound.others.clone();
    for swap in data.chunks_exact(4) {
        let at = |place: u8| sound.others.iter().nth(usize::from(place) % sound.others.len());
        let (Some((hash, _)), Some((_, bytes))) = (at(swap[0]), at(swap[1])) else { continue };
        let length = usize::from(u16::from_le_bytes([swap[2], swap[3]])).min(bytes.len());
        served.insert(*hash, bytes[..length].to_vec());
    }
    let fetch = |file: WantedFile| {
        let bytes = served.get(&file.hash)?;
        (hash_of(bytes) == file.hash).then_some(bytes)
    };
    let search = |vectors: &Vectors| vectors.search(&[0.5, -0.25, 0.5, 0.1], 5, Budget::ALL, &|_| true);
    let similarities = |vectors: &Vectors| vectors.similarities(&[0.5, -0.25, 0.5, 0.1], &[ChunkNo(3), ChunkNo(80)]);
    static FOUND: OnceLock<(Vec<Near>, Vec<f32>)> = OnceLock::new();
    let (near, measured) = FOUND.get_or_init(|| {
        let all = |file: WantedFile| sound.others.get(&file.hash);
        (resolve_by(&vectors, all, search).expect("sound"), resolve_by(&vectors, all, similarities).expect("sound"))
    });
    vectors.clear_cache();
    assert!(resolve_by(&vectors, fetch, search).is_none_or(|found| found == *near));
    assert!(resolve_by(&vectors, fetch, similarities).is_none_or(|found| found == *measured));
}

/// Opens the root, and asks everything; what that allocates is in proportion to the bytes that it was given.
fn ask(files: &Files) {
    let given: usize = files.root.len() + files.others.values().map(Vec::len).sum::<usize>();
    HEAP.reset_peak_usage();
    let before = HEAP.current_usage();
    if let Ok(vectors) = Vectors::open(&files.root) {
        ask_everything(&vectors, files);
    }
    let taken = HEAP.peak_usage().saturating_sub(before);
    assert!(taken <= ROOM + given * MOST_GROWTH, "{taken} bytes were taken for {given}");
}

fn ask_everything(vectors: &Vectors, files: &Files) {
    let query: Vec<f32> = (0..vectors.space().dimensions).map(|at| if at % 3 == 0 { 0.5 } else { -0.25 }).collect();
    for budget in [Budget::default(), Budget { group_bytes: 0, leaf_bytes: 300, ..Budget::ALL }] {
        let search = |vectors: &Vectors| vectors.search(&query, 5, budget, &|chunk| chunk.0 % 7 != 3);
        let found = resolve(vectors, files, search).unwrap_or_default();
        assert!(found.len() <= 5);
        for near in found {
            assert!((0.0..=1.0).contains(&near.similarity) && near.chunk.0 < vectors.len() && near.chunk.0 % 7 != 3);
            assert!(vectors.pack_of(near.chunk).is_some());
        }
    }
    let chunks: Vec<ChunkNo> = (0..vectors.len().min(40)).map(ChunkNo).collect();
    if let Some(similarities) = resolve(vectors, files, |vectors| vectors.similarities(&query, &chunks)) {
        assert!(similarities.iter().all(|similarity| (0.0..=1.0).contains(similarity)));
        assert_eq!(similarities.len(), chunks.len());
    }
    let _ = resolve(vectors, files, |vectors| vectors.name(ChunkNo(vectors.len() / 2)));
    assert_eq!(vectors.packs().last().map_or(0, |pack| pack.chunks.end), vectors.len());
}

/// Asks until nothing is missing, or something is wrong.
fn resolve<T>(vectors: &Vectors, files: &Files, ask: impl Fn(&Vectors) -> Result<T, Error>) -> Option<T> {
    resolve_by(vectors, |file| files.others.get(&file.hash), ask)
}

/// As [`resolve`], with the bytes that `fetch` has for a file.
fn resolve_by<'f, T>(
    vectors: &Vectors,
    fetch: impl Fn(WantedFile) -> Option<&'f Vec<u8>>,
    ask: impl Fn(&Vectors) -> Result<T, Error>,
) -> Option<T> {
    for _ in 0..MOST_ROUNDS {
        match ask(vectors) {
            Ok(found) => return Some(found),
            Err(Error::Missing) => {}
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return None;
            }
        }
        let wanted = vectors.wanted();
        assert!(!wanted.is_empty(), "something is missing, and nothing is wanted");
        for file in wanted {
            vectors.supply(file, fetch(file)?).ok()?;
        }
    }
    panic!("the rounds never end");
}

fn read_embeddings(records: &[u8]) {
    let space = sound_set().space;
    let head = EmbeddingCache::new(space.clone()).head();
    let file = [&head, records].concat();
    let mut cache = EmbeddingCache::read(&file, space.clone());
    assert!(cache.sound_bytes() >= head.len() && cache.sound_bytes() <= file.len());
    // What is appended behind the sound bytes is read again.
    let vector = quantise(&[0.6, -0.8, 0.0, 0.0]).expect("it has a direction");
    let record = cache.insert([9; 32], vector.view()).expect("it has as many dimensions");
    let again = EmbeddingCache::read(&[&file[..cache.sound_bytes()], &record].concat(), space);
    assert_eq!(again.get(&[9; 32]), Some(vector.view()));
    assert_eq!(again.len(), cache.len());
}

/// A sound set in groups, leaves and files of places.
fn sound() -> &'static Files {
    static SOUND: OnceLock<Files> = OnceLock::new();
    SOUND.get_or_init(|| {
        let mut others = BTreeMap::new();
        let layout = Layout { single_file_bytes: 0, leaf_vectors: 8, most_leaves: 4, inline_places: 0 };
        let written = write(&sound_set(), layout, &mut |hash, bytes| {
            others.insert(*hash, bytes.to_vec());
            Ok(())
        });
        Files { root: written.expect("a few vectors can be written").root, others }
    })
}

fn sound_set() -> NewSet {
    let mut vectors = Int8Table::new(4);
    for at in 0..90u8 {
        let numbers = [7u8, 13, 29, 31].map(|step| (f32::from(at.wrapping_mul(step)) - 127.5) / 256.0);
        vectors.push(quantise(&numbers).expect("half numbers are not zero").view());
    }
    let name = |at: u32| ChunkName { file: format!("concepts/{}.md", at / 2), number: at % 2 };
    let pack =
        |path: &str, chunks: std::ops::Range<u32>| NewPack { path: path.into(), chunks: chunks.map(name).collect() };
    let space = Space { model: "tiny".into(), sha256: [7; 32], scheme: "plain".into(), dimensions: 4 };
    NewSet { space, packs: vec![pack("a/b", 0..40), pack("a/c", 40..90)], vectors }
}
