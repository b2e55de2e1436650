//! Any bytes as an index file: opening them and asking them everything ends in answers or errors, soon.
//!
//! Bytes that begin as an index does are opened as they are. All others are a list of changes to a sound index, so
//! that what lies behind its checksums of structure is reached too; [`changed`] says how they are read.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use seealso_index::{Bm25, FIELDS, Idf, Index, NewPack, NewPage, PageNo, write};

fuzz_target!(|data: &[u8]| {
    let (bytes, query) = match data.starts_with(b"seealso\0") {
        true => (data.to_vec(), String::new()),
        false => changed(data),
    };
    if let Ok(index) = Index::open(bytes) {
        ask_everything(&index, &query);
    }
});

/// How many pages are asked for; the others are read by the same code.
const PAGES_ASKED: u32 = 40;

/// Asks all that a reader can ask, and checks what holds of an answer whatever the bytes.
fn ask_everything(index: &Index, query: &str) {
    for query in [query, "the who", "Was Nero a Roman emperor? Römische Kaiser page 7, 光合成"] {
        search(index, query);
        for name in index.names_in(query).unwrap_or_default() {
            assert!(!query[name.start..name.end].is_empty(), "a name has letters");
        }
        for (analysis, _) in index.analyses() {
            for token in analysis.all_tokens(query) {
                let postings = index.postings(*analysis, &token.term).unwrap_or_default();
                assert!(postings.is_sorted_by(|a, b| a.page < b.page));
                let rarity = index.rarity(*analysis, &token.term, &Bm25::default());
                assert!(rarity.is_ok_and(|(idf, _)| idf.is_finite()) || postings.is_empty());
            }
        }
    }
    if let Ok(Some(found)) = index.find_page("history/rome", "c/7.md") {
        assert_eq!(index.page(found).expect("it was just read").file, "c/7.md");
    }
    for number in 0..index.len().min(PAGES_ASKED) {
        let page = PageNo(number);
        let _ = index.page(page);
        assert!(index.links(page).unwrap_or_default().iter().all(|linked| linked.0 < index.len()));
    }
    assert!(index.page(PageNo(index.len())).is_err());
    let _ = (index.terms(), index.term_count(), index.part_sizes());
}

fn search(index: &Index, query: &str) {
    for bm25 in [Bm25::default(), Bm25 { idf: Idf::Fts5, weights: [0.0; FIELDS], ..Bm25::default() }] {
        let Ok(hits) = index.search(query, 8, &bm25) else { continue };
        assert!(hits.len() <= 8);
        for hit in &hits {
            assert!(hit.score.is_finite() && hit.score >= 0.0, "{hit:?}");
            assert!(hit.page.0 < index.len());
        }
        for hit in hits.iter().take(2) {
            let _ = index.explain(query, hit.page, &bm25);
        }
    }
}

/// A sound index with the changes that `data` lists, and what is left of `data` as a query.
///
/// A change is a byte that says what kind it is, and its operands: 0 to 8 replace the part of that place by a length
/// (two bytes) and so many bytes; 9 ends the list; all else changes a byte, at a place (two bytes) by a mask (one).
fn changed(mut data: &[u8]) -> (Vec<u8>, String) {
    let mut parts = sound_parts().clone();
    let mut edits = Vec::new();
    while let Some(kind) = take(&mut data, 1) {
        let operand = take(&mut data, 2).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])));
        match usize::from(kind[0]) {
            place @ 0..PARTS => parts[place] = take(&mut data, operand).unwrap_or_default().to_vec(),
            PARTS => break,
            _ => edits.push((operand, take(&mut data, 1).map_or(0, |mask| mask[0]))),
        }
    }
    let mut bytes = assemble(&parts);
    let length = bytes.len();
    edits.into_iter().for_each(|(at, mask)| bytes[at % length] ^= mask);
    (bytes, String::from_utf8_lossy(&data[..data.len().min(256)]).into_owned())
}

fn take<'a>(data: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = data.split_at_checked(count)?;
    *data = rest;
    Some(taken)
}

/// The parts of an index file, and where the table of them lies; see `format.rs`.
const PARTS: usize = 9;
const TABLE: usize = 12;
const ENTRY: usize = 20;

fn sound_parts() -> &'static Vec<Vec<u8>> {
    static SOUND: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SOUND.get_or_init(|| {
        let bytes = write(&packs()).expect("a few pages can be written");
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize;
        let entries = (0..PARTS).map(|place| TABLE + place * ENTRY);
        entries.map(|entry| bytes[number(entry + 4)..][..number(entry + 12)].to_vec()).collect()
    })
}

fn assemble(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"seealso\0\x01\0\x09\0".to_vec();
    let mut offset = TABLE + parts.len() * ENTRY;
    for (place, part) in parts.iter().enumerate() {
        bytes.extend((place as u32 + 1).to_le_bytes());
        bytes.extend((offset as u64).to_le_bytes());
        bytes.extend((part.len() as u64).to_le_bytes());
        offset += part.len();
    }
    parts.iter().for_each(|part| bytes.extend(part));
    bytes
}

/// Packs of two languages: several blocks of pages, names of several words, links, all fields.
fn packs() -> Vec<NewPack> {
    let page = |number: usize, title: String, summary: &str| NewPage {
        file: format!("c/{number}.md"),
        aliases: vec![format!("page {number}"), "the who".into()],
        title,
        summary: summary.into(),
        body: "Nero Hadrian Trajan".into(),
        hash: [number as u8; 8],
        links: vec![format!("c/{}.md", number + 1), "c/0.md".into()],
    };
    let rome = (0..20).map(|at| page(at, format!("Roman emperor {at}"), "The office of Nero, its powers and holders."));
    let kaiser = (0..20).map(|at| page(at, format!("Römische Kaiser 光合成 {at}"), "Die Kaiser und ihr Amt."));
    vec![
        NewPack { path: "history/rome".into(), language: "en".into(), pages: rome.collect(), ..NewPack::default() },
        NewPack { path: "de".into(), language: "de".into(), pages: kaiser.collect(), links_derived: true },
    ]
}
