//! A sound index in many small files, whatever bytes in the place of some, and all that can be asked of it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use peak_alloc::PeakAlloc;
use seealso_index::{
    Bm25, Error, FIELDS, File, Filter, Form, Hash, Idf, Index, Layout, NewPack, NewPage, PackInfo, PackNo, PageNo,
    Query, root_form, write_packs,
};

/// The files of an index, unpacked.
#[derive(Clone)]
pub struct Files {
    /// The root.
    pub root: Vec<u8>,
    /// All others by their hashes.
    pub others: BTreeMap<Hash, Vec<u8>>,
    /// What each of them is.
    pub kinds: BTreeMap<Hash, File>,
}

/// Counts what is allocated.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// What a reader takes at most for each byte that it was given, unpacked: README.md says for what.
const MOST_GROWTH: usize = 64;
/// What it takes whatever it was given: the steps of a search among keys, words of the query.
const ROOM: usize = 512 << 10;

/// More rounds than any question takes.
const MOST_ROUNDS: usize = 40;
/// How many pages are asked for; the others are read by the same code.
const PAGES_ASKED: u32 = 3;

impl Files {
    /// Opens the root, and asks everything; what that allocates is in proportion to the bytes that the index was given.
    pub fn ask(&self, query: &str) {
        GIVEN.set(self.root.len());
        HEAP.reset_peak_usage();
        let before = HEAP.current_usage();
        if let Ok(index) = Index::open_unpacked(&self.root) {
            ask_everything(&index, self, query);
        }
        let (given, taken) = (GIVEN.get(), HEAP.peak_usage().saturating_sub(before));
        assert!(taken <= ROOM + given * MOST_GROWTH, "{taken} bytes were taken for {given}");
    }

    /// The bytes that come for a hash: the file of that name, else any.
    fn fetch(&self, hash: &Hash) -> &[u8] {
        let any = || self.others.values().nth(usize::from(hash[0]) % self.others.len().max(1));
        let bytes = self.others.get(hash).or_else(any).map_or(&[][..], Vec::as_slice);
        GIVEN.set(GIVEN.get() + bytes.len());
        bytes
    }

    /// Hashes of the sound files of a kind.
    #[allow(dead_code, reason = "not every target replaces files by their kind")]
    pub fn of_kind(&self, is: fn(&File) -> bool) -> Vec<Hash> {
        self.kinds.iter().filter(|(_, file)| is(file)).map(|(hash, _)| *hash).collect()
    }
}

thread_local! {
    /// How many bytes the index that is asked was given.
    static GIVEN: Cell<usize> = const { Cell::new(0) };
}

/// Asks until nothing is missing, or something is wrong.
fn resolve<T>(index: &Index, files: &Files, ask: impl Fn(&Index) -> Result<T, Error>) -> Option<T> {
    for _ in 0..MOST_ROUNDS {
        match ask(index) {
            Ok(found) => return Some(found),
            Err(Error::Missing) => {}
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return None;
            }
        }
        let wanted = index.wanted();
        assert!(!wanted.is_empty(), "something is missing, and nothing is wanted");
        for file in wanted {
            index.supply(file.file, files.fetch(&file.hash).to_vec()).ok()?;
        }
    }
    panic!("the rounds never end");
}

/// Asks all that a reader can ask, and checks what holds of an answer whatever the bytes.
fn ask_everything(index: &Index, files: &Files, query: &str) {
    for text in [query, "the who neor city Römische 光合成 emp"] {
        search(index, files, text);
        for name in resolve(index, files, |index| index.searcher(&Bm25::default()).names_in(text)).unwrap_or_default() {
            assert!(!text[name.start..name.end].is_empty(), "a name has letters");
        }
        for (analysis, _) in index.analyses() {
            for token in analysis.all_tokens(text) {
                let postings = resolve(index, files, |index| index.short_postings(*analysis, &token.term)).flatten();
                let postings = postings.unwrap_or_default();
                assert!(postings.is_sorted_by(|a, b| a.page < b.page));
                assert!(postings.iter().all(|posting| posting.page.0 < index.len()));
                let rarity =
                    resolve(index, files, |index| index.searcher(&Bm25::default()).rarity(*analysis, &token.term));
                assert!(rarity.is_none_or(|(idf, _)| idf.is_finite()));
            }
        }
    }
    if let Some(Some(found)) = resolve(index, files, |index| index.find_page(PackNo(0), "c/7.md")) {
        assert_eq!(resolve(index, files, |index| index.page(found)).expect("it was just read").file, "c/7.md");
    }
    for page in (0..index.len().min(PAGES_ASKED)).map(PageNo) {
        let _ = resolve(index, files, |index| index.page(page));
        let links = resolve(index, files, |index| index.links(page)).unwrap_or_default();
        assert!(links.iter().all(|linked| linked.0 < index.len()));
    }
    assert!(resolve(index, files, |index| index.page(PageNo(index.len()))).is_none());
    let _ = resolve(index, files, |index| index.pack(PackNo(1)));
    let _ = resolve(index, files, |index| index.find_pack("de"));
    let _ = resolve(index, files, |index| index.terms());
    let _ = resolve(index, files, |index| index.page_terms());
}

fn search(index: &Index, files: &Files, text: &str) {
    let filter =
        Filter { packs: vec!["history/rome".into()], tags: vec!["Office".into()], languages: vec!["en".into()] };
    let other = Bm25 { idf: Idf::Fts5, weights: [0.0; FIELDS], ..Bm25::default() };
    for (bm25, filter) in [(Bm25::default(), None), (other, None), (Bm25::default(), Some(&filter))] {
        let query = Query { text, context: "office", prefix: true, filter };
        let Some(hits) = resolve(index, files, |index| index.searcher(&bm25).search(query, 8)) else { continue };
        assert!(hits.len() <= 8);
        for hit in &hits {
            assert!(hit.score.is_finite() && hit.score >= 0.0, "{hit:?}");
            assert!(hit.page.0 < index.len());
        }
        for hit in hits.iter().take(1) {
            let _ = resolve(index, files, |index| index.searcher(&bm25).explain(query, hit.page));
        }
    }
}

/// The sound index, with lists in parts.
pub fn sound() -> &'static Files {
    static SOUND: OnceLock<Files> = OnceLock::new();
    SOUND.get_or_init(|| in_files(&packs(), Layout { lengths_in_root_up_to: 0, ..small() }))
}

/// The same with the pages' lengths in the root, and so without lists in parts.
#[allow(dead_code, reason = "not every target tells the two apart")]
pub fn sound_with_lengths_apart() -> &'static Files {
    static SOUND: OnceLock<Files> = OnceLock::new();
    SOUND.get_or_init(|| in_files(&packs(), small()))
}

/// A layout in files so small that there are many.
fn small() -> Layout {
    Layout {
        single_file_bytes: 0,
        term_bytes: 600,
        text_bytes: 100,
        inline_postings: 40,
        block_postings: 128,
        ..Layout::default()
    }
}

/// `packs` written and unpacked again.
fn in_files(packs: &[NewPack], layout: Layout) -> Files {
    let mut others = BTreeMap::new();
    let written = write_packs(packs, layout, &mut |hash, bytes| {
        others.insert(*hash, Form::of(bytes).and_then(Form::unpack).expect("it was just packed"));
        Ok(())
    });
    let root = written.expect("a few pages can be written").root;
    let root = root_form(&root).and_then(Form::unpack).expect("it was just packed");
    let mut files = Files { root, others, kinds: BTreeMap::new() };
    let index = Index::open_unpacked(&files.root).expect("it is sound");
    while index.page_terms().is_err() {
        for wanted in index.wanted() {
            files.kinds.insert(wanted.hash, wanted.file);
            index.supply(wanted.file, files.others[&wanted.hash].clone()).expect("it is sound");
        }
    }
    files
}

/// Packs of two languages: lists of several files, names of several words, links, tags, all fields.
fn packs() -> Vec<NewPack> {
    let page = |number: usize, title: String, summary: &str| NewPage {
        file: format!("c/{number}.md"),
        aliases: vec![format!("page {number}"), "the who".into()],
        title,
        summary: summary.into(),
        body: vec![("nero".into(), number as u32 % 3)],
        tags: vec!["Office".into()],
        hash: [number as u8; seealso_index::PAGE_HASH_BYTES],
        links: vec![(number as u32 + 1) % 5, 0],
    };
    let rome = (0..140).map(|at| page(at, format!("Roman emperor {at}"), "The office of Nero, and its holders."));
    let kaiser = (0..5).map(|at| page(at, format!("Römische Kaiser 光合成 {at}"), "Die Kaiser und ihr Amt."));
    let info =
        |path: &str, language: &str| PackInfo { path: path.into(), language: language.into(), ..PackInfo::default() };
    // What its title and summary say stands in the lists of words, of one of which no page says any.
    let rome_info =
        PackInfo { title: "Rome under Nero".into(), summary: "A city.".into(), ..info("history/rome", "en") };
    vec![
        NewPack { info: rome_info, pages: rome.collect(), ..NewPack::default() },
        NewPack { info: info("de", "de"), pages: kaiser.collect(), ..NewPack::default() },
    ]
}

/// The first `count` bytes of `data`, which goes on behind them.
#[allow(dead_code, reason = "not every target takes its data apart")]
pub fn take<'a>(data: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = data.split_at_checked(count)?;
    *data = rest;
    Some(taken)
}
