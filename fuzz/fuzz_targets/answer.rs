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
    Answer, AskOptions, Config, FixedClock, Library, Manifest, MemorySource, Question, Ranking, Tier, Via, ask,
    decompose, fetch, merge, rerank, search,
};
use seealso_index::Hit;
use seealso_pack::{CATALOG_FILE, Pack, catalog_of};

/// Pack, its language, and its pages: file and text.
const WIKI: [(&str, &str, &[(&str, &str)]); 3] = [
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
    (
        "brot",
        "de",
        &[("brot.md", include_str!("../wiki/brot/brot.md")), ("hefe.md", include_str!("../wiki/brot/hefe.md"))],
    ),
];

/// Caps that bind with so few pages.
fn config() -> Config {
    Config {
        tier: Tier::Micro,
        sub_queries: 2,
        hits_per_sub_query: 4,
        pages_read: 5,
        pages_per_sub_query: 2,
        pages: 3,
        see_also_per_pack: 1,
        passages: 2,
        ..Config::default()
    }
}

fuzz_target!(|data: &[u8]| {
    let mut parts = data.split(|&byte| byte == 0);
    let Some((kind, question)) = parts.next().and_then(<[u8]>::split_first) else { return };
    let question = &*String::from_utf8_lossy(question);
    let comes: Vec<String> = parts.map(|text| String::from_utf8_lossy(text).into_owned()).collect();
    let library = open(&comes, kind % 2 == 1);
    let answered = block_on(ask(&library, question, AskOptions::default()));
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
    match block_on(Library::open(MemorySource::new(files), FixedClock, config())) {
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
    let built = catalog_of(&packs.collect::<Vec<_>>()).expect("a few pages can be indexed");
    let catalog = (CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
    built.files.into_iter().chain([catalog]).collect()
}

/// Ranking read pages again keeps every hit that is not lost, once: what was read by what is named or quoted and then by
/// sound scores, what was not read behind it.
fn check_rankings(library: &Opened, question: &Question) {
    // The index is one file, so nothing is missing.
    let (index, config) = (library.index(), &library.config);
    let sub_queries = decompose(question, index, config).expect("a sound index");
    let before = search(&sub_queries, index, config).expect("a sound index");
    let wanted = merge(&before, index, &config.of_reading()).expect("a sound index").wanted();
    assert!(sub_queries.items.len() <= config.sub_queries && wanted.len() <= config.pages_read);
    let read = block_on(fetch(library, &wanted, Vec::new()));
    let after = rerank(&before, &sub_queries, &read, index, config).expect("a sound index");
    assert_eq!(before.items.len(), after.items.len());
    for (before, after) in before.items.iter().zip(&after.items) {
        let is_read = |hit: &Hit| read.items.iter().any(|page| page.number == hit.page);
        let is_lost = |hit: &Hit| read.lost.iter().any(|page| page.number == Some(hit.page));
        let pages = |ranking: &Ranking| {
            let there = ranking.hits.iter().filter(|hit| !is_lost(hit));
            let mut pages: Vec<u32> = there.map(|hit| hit.page.0).collect();
            pages.sort_unstable();
            pages
        };
        assert_eq!(pages(before), pages(after));
        assert!(!after.hits.iter().any(is_lost) && after.hits.is_sorted_by_key(|hit| !is_read(hit)), "{after:?}");
        assert!((0.0..=1.0).contains(&after.lead), "{}", after.lead);
        let order = |hit: &Hit| (hit.exact, hit.quoted, hit.score);
        let read: Vec<(bool, bool, f64)> = after.hits.iter().filter(|hit| is_read(hit)).map(order).collect();
        assert!(read.is_sorted_by(|a, b| a >= b) && read.iter().all(|hit| hit.2 >= 0.0), "{after:?}");
    }
    let explained = after.explained();
    let told = explained.iter().zip(&after.items).all(|(told, ranking)| told.len() <= ranking.hits.len());
    assert!(told && explained.len() == after.items.len());
}

/// What is quoted stands on a page that was read, nothing is more than its caps allow, and what is lost is told.
fn check(answer: &Answer, manifest: &Manifest) {
    let (config, packs) = (config(), WIKI.len());
    let linked = answer.sources.iter().filter(|source| source.via == Via::SeeAlso).count();
    assert!(linked <= packs * config.see_also_per_pack && answer.sources.len() - linked <= config.pages);
    assert_eq!(answer.sources.len(), manifest.pages.len());
    for (place, source) in answer.sources.iter().enumerate() {
        assert!(answer.sources[..place].iter().all(|other| other.page != source.page), "{source:?} twice");
    }
    for sub_query in &answer.sub_queries {
        let is_there = |page: &String| answer.sources.iter().any(|source| source.page == *page);
        assert!(sub_query.pages.len() <= config.pages_per_sub_query && sub_query.pages.iter().all(is_there));
    }
    let chars = answer.context.chars().count();
    assert!(chars == answer.context_chars && chars <= config.tier.retrieval_chars());
    // A question that stays whole has all of them, a part of a split one fewer.
    assert!(answer.passages().count() <= config.sub_queries * config.passages);
    for sentence in &answer.sentences {
        assert!(!sentence.text.trim().is_empty() && sentence.score.is_finite());
        assert!(sentence.sub_query < answer.sub_queries.len());
        let page = &manifest.pages[sentence.source - 1].page;
        let is_there = page.blocks().iter().any(|block| block.text.contains(&sentence.text));
        assert!(is_there, "{:?} is not on {page:?}", sentence.text);
    }
    let told = answer.notices.iter().filter(|notice| notice.code == "page-lost").count();
    assert_eq!(told, manifest.lost, "{:?}", answer.notices);
    if answer.is_empty() {
        assert_eq!(answer.text().starts_with("No answer: pages"), manifest.lost > 0);
    }
}
