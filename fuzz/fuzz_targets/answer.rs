//! A question over a small wiki, some of whose pages come as any text or don't come: they are read, ranked again,
//! followed, laid out and quoted from, and the answer holds together whatever they say.
//!
//! The bytes are parts with a zero byte between. The first begins with a byte that says, where it is odd, that the
//! index is built of the pages as they come, as that of a hostile pack is; the rest of it is the question. Each other
//! part comes in the place of one page, in order; an empty one is a page that is lost.
#![no_main]

use std::sync::OnceLock;

use futures_executor::block_on;
use libfuzzer_sys::fuzz_target;
use seealso::{
    Answer, Config, Filter, FixedClock, Library, Manifest, MemorySource, Question, Ranking, Tier, ask_and_keep,
    decompose, fetch, merge, rerank, search,
};
use seealso_index::Hit;
use seealso_pack::{CATALOG_FILE, Pack, catalog_of};

/// Pack, its language, and its pages: file and text.
const WIKI: [(&str, &str, &[(&str, &str)]); 2] = [
    (
        "bread",
        "en",
        &[
            ("c/yeast.md", include_str!("../wiki/bread/c/yeast.md")),
            ("c/loaf.md", include_str!("../wiki/bread/c/loaf.md")),
            ("c/rye.md", include_str!("../wiki/bread/c/rye.md")),
            ("c/oven.md", include_str!("../wiki/bread/c/oven.md")),
        ],
    ),
    ("tea", "zh", &[("tea.md", include_str!("../wiki/tea/tea.md")), ("pot.md", include_str!("../wiki/tea/pot.md"))]),
];
/// Both packs have so many pages.
const MOST_SOURCES: usize = 6;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.split(|&byte| byte == 0).map(String::from_utf8_lossy);
    let first = parts.next().unwrap_or_default();
    let built_anew = first.bytes().next().is_some_and(|byte| byte % 2 == 1);
    let question = first.get(1..).unwrap_or_default();
    let comes: Vec<String> = parts.map(String::from).collect();
    let library = open(&comes, built_anew);
    let answered = block_on(ask_and_keep(&library, question, Filter::default(), &mut |_| ()));
    match (Question::new(question, library.config.question_chars), answered) {
        (Some(question), Ok((answer, pages))) => {
            check_rankings(&library, &question);
            check(&answer, &pages);
        }
        (None, Err(error)) => assert!(!error.to_string().is_empty()),
        (_, answered) => panic!("{question:?}: {answered:?}"),
    }
});

type Opened = Library<MemorySource, FixedClock>;

/// The wiki with `comes` in the place of its pages; its index is of the sound pages, or `built_anew`.
fn open(comes: &[String], built_anew: bool) -> Opened {
    static SOUND: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    let mut comes = comes.iter();
    let packs = WIKI.map(|(path, language, pages)| {
        let come = pages.iter().map(|&(file, sound)| (file, comes.next().map_or(sound, String::as_str)));
        (path, language, come.collect::<Vec<_>>())
    });
    let mut files = match built_anew {
        true => built(&packs),
        false => {
            SOUND.get_or_init(|| built(&WIKI.map(|(path, language, pages)| (path, language, pages.to_vec())))).clone()
        }
    };
    for (path, _, pages) in &packs {
        let there = pages.iter().filter(|(_, text)| !text.is_empty());
        files.extend(there.map(|(file, text)| (format!("{path}/wiki/{file}"), text.as_bytes().to_vec())));
    }
    let config = Config { tier: Tier::Micro, ..Config::default() };
    match block_on(Library::open(MemorySource::new(files), FixedClock, config)) {
        Ok(library) => library,
        Err(error) => panic!("an index that was just built opens: {error}"),
    }
}

/// The catalog and the index of `packs`.
fn built(packs: &[(&str, &str, Vec<(&str, &str)>)]) -> Vec<(String, Vec<u8>)> {
    let packs = packs.iter().map(|(path, language, pages)| {
        let mut pack = Pack::of_pages(path, pages);
        pack.manifest.language = (*language).to_owned();
        pack
    });
    let built = catalog_of(&packs.collect::<Vec<_>>()).expect("six pages can be indexed");
    let catalog = (CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
    built.files.into_iter().chain([catalog]).collect()
}

/// Ranking read pages again keeps every hit, once, with a sound score, and what is named or quoted first.
fn check_rankings(library: &Opened, question: &Question) {
    // The index is one file, so nothing is missing.
    let (index, config) = (library.index(), &library.config);
    let sub_queries = decompose(question, index, config).expect("a sound index");
    let before = search(&sub_queries, index, config).expect("a sound index");
    let wanted = merge(&before, index, &config.of_reading()).expect("a sound index").wanted();
    let read = block_on(fetch(library, &wanted, Vec::new()));
    let after = rerank(&before, &sub_queries, &read, index, config).expect("a sound index");
    for (before, after) in before.items.iter().zip(&after.items) {
        let pages = |ranking: &Ranking| {
            let mut pages: Vec<u32> = ranking.hits.iter().map(|hit| hit.page.0).collect();
            pages.sort_unstable();
            pages
        };
        assert_eq!(pages(before), pages(after));
        assert!(after.lead.is_finite() && after.lead >= 0.0, "{}", after.lead);
        assert!(after.hits.iter().all(|hit| hit.score.is_finite() && hit.score >= 0.0), "{after:?}");
        let is_read = |hit: &&Hit| read.items.iter().any(|page| page.number == hit.page);
        let firsts: Vec<(bool, bool)> = after.hits.iter().filter(is_read).map(|hit| (hit.exact, hit.quoted)).collect();
        assert!(firsts.is_sorted_by(|a, b| a >= b), "{after:?}");
    }
}

/// What is quoted stands on a page that was read, and nothing is more than its caps allow.
fn check(answer: &Answer, manifest: &Manifest) {
    assert!(answer.sources.len() <= MOST_SOURCES && answer.sources.len() == manifest.pages.len());
    assert!(
        answer.context.chars().count() == answer.context_chars && answer.context_chars <= Tier::Micro.retrieval_chars()
    );
    for sentence in &answer.sentences {
        assert!(!sentence.text.trim().is_empty() && sentence.score.is_finite());
        assert!(sentence.sub_query < answer.sub_queries.len());
        let page = &manifest.pages[sentence.source - 1].page;
        let is_there = page.blocks().iter().any(|block| block.text.contains(&sentence.text));
        assert!(is_there, "{:?} is not on {page:?}", sentence.text);
    }
}
