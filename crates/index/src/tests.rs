//! Whole-index tests: what is written comes back, ranks as it should, and no bytes make the reader panic.

use proptest::prelude::*;

use crate::{Bm25, Error, Index, NewPack, NewPage, PackNo, PageNo, write};

fn page(file: &str, title: &str, aliases: &[&str], summary: &str, links: &[&str]) -> NewPage {
    NewPage {
        file: file.into(),
        title: title.into(),
        aliases: aliases.iter().map(|alias| alias.to_string()).collect(),
        summary: summary.into(),
        links: links.iter().map(|link| link.to_string()).collect(),
        ..NewPage::default()
    }
}

fn sample() -> Vec<NewPack> {
    let emperors = NewPack {
        path: "history/rome".into(),
        language: "en".into(),
        pages: vec![
            page(
                "c/emperor.md",
                "Roman emperor",
                &["emperors of Rome"],
                "The office, its powers and its holders.",
                &["c/nero.md", "c/none.md"],
            ),
            page("c/nero.md", "Nero", &[], "Emperor from 54 to 68, the last of his dynasty.", &["c/emperor.md"]),
            page("c/the-who.md", "The Who", &[], "A band that does not belong here.", &[]),
        ],
        ..NewPack::default()
    };
    let german = NewPack {
        path: "de".into(),
        language: "de".into(),
        pages: vec![page("kaiser.md", "Römische Kaiser", &[], "Die Kaiser und ihr Amt.", &[])],
        links_derived: true,
    };
    vec![emperors, german]
}

fn open(packs: &[NewPack]) -> Index {
    Index::open(write(packs).unwrap()).unwrap()
}

fn titles(index: &Index, query: &str) -> Vec<String> {
    let hits = index.search(query, 8, &Bm25::default()).unwrap();
    hits.iter().map(|hit| index.page(hit.page).unwrap().title).collect()
}

#[test]
fn what_is_written_comes_back() {
    let index = open(&sample());
    assert_eq!(index.len(), 4);
    assert_eq!(index.packs()[1].pages, 3..4);
    assert!(index.packs()[1].links_derived);
    let nero = index.page(PageNo(1)).unwrap();
    assert_eq!((nero.pack, nero.file.as_str(), nero.title.as_str()), (PackNo(0), "c/nero.md", "Nero"));
    assert_eq!(index.page(PageNo(0)).unwrap().aliases, ["emperors of Rome"]);
    assert_eq!(index.links(PageNo(0)).unwrap(), [PageNo(1)], "a link to no page is dropped");
    assert_eq!(index.find_page("de", "kaiser.md").unwrap(), Some(PageNo(3)));
    assert!(index.page(PageNo(4)).is_err());
}

#[test]
fn the_same_pages_give_the_same_bytes() {
    assert_eq!(write(&sample()).unwrap(), write(&sample()).unwrap());
}

#[test]
fn an_exact_name_comes_first_whatever_its_score() {
    let index = open(&sample());
    assert_eq!(titles(&index, "emperors of Rome")[0], "Roman emperor");
    assert_eq!(titles(&index, "What is a Roman emperor?"), ["Roman emperor", "Nero"]);
    assert_eq!(titles(&index, "the who"), ["The Who"], "a name of stop words is found by name alone");
    assert!(titles(&index, "quantum chromodynamics").is_empty());
    assert!(titles(&index, "").is_empty());
}

#[test]
fn each_pack_is_searched_with_its_own_analysis() {
    let index = open(&sample());
    assert_eq!(titles(&index, "römische Kaiser"), ["Römische Kaiser"]);
    assert_eq!(titles(&index, "ROMISCHE kaiser"), ["Römische Kaiser"]);
}

#[test]
fn names_in_a_question_are_found_longest_first() {
    let index = open(&sample());
    let found = index.names_in("Was Nero a Roman emperor of note?").unwrap();
    let spans: Vec<(usize, usize, &[PageNo])> =
        found.iter().map(|name| (name.start, name.end, name.pages.as_slice())).collect();
    assert_eq!(spans, [(4, 8, &[PageNo(1)][..]), (11, 24, &[PageNo(0)][..])]);
}

#[test]
fn an_explanation_adds_up_to_the_score() {
    let index = open(&sample());
    let bm25 = Bm25::default();
    for hit in index.search("last emperor of the dynasty", 8, &bm25).unwrap() {
        let why = index.explain("last emperor of the dynasty", hit.page, &bm25).unwrap();
        assert!((why.score - hit.score).abs() < 1e-12);
        assert!(!why.terms.is_empty());
    }
}

#[test]
fn a_page_that_says_a_word_oftener_is_above() {
    let packs = [NewPack {
        path: "p".into(),
        language: "en".into(),
        pages: vec![page("a.md", "One", &[], "cat dog dog", &[]), page("b.md", "Two", &[], "cat cat dog", &[])],
        ..NewPack::default()
    }];
    assert_eq!(titles(&open(&packs), "cat"), ["Two", "One"]);
    assert_eq!(titles(&open(&packs), "cat cat dog"), ["One", "Two"], "a repeated word counts once; ties by number");
}

#[test]
fn errors_say_what_to_do() {
    let good = write(&sample()).unwrap();
    let message = |bytes: Vec<u8>| Index::open(bytes).unwrap_err().to_string();
    assert!(message(b"<!DOCTYPE html><html>".to_vec()).contains("not a seealso index"));
    assert!(message(Vec::new()).contains("not a seealso index"));
    assert!(message(good[..good.len() - 1].to_vec()).contains("cut short"));
    let mut newer = good;
    newer[8] = 9;
    assert_eq!(Index::open(newer.clone()).unwrap_err(), Error::Version { found: 9 });
    assert!(message(newer).contains("rebuild it with `seealso build`"));
}

#[test]
fn an_analysis_that_is_there_twice_is_refused() {
    // A postings list would be read once for each: a small file could keep a search busy for hours.
    let mut bytes = write(&[]).unwrap();
    let meta = bytes.len();
    bytes.extend([2, b'e', 0, 0, 0, 0, 0, b'e', 0, 0, 0, 0, 0, 0]);
    // The first entry of the header's table: a kind, then offset and length.
    bytes[16..24].copy_from_slice(&(meta as u64).to_le_bytes());
    bytes[24..32].copy_from_slice(&14u64.to_le_bytes());
    let message = Index::open(bytes).unwrap_err().to_string();
    assert!(message.contains("an analysis is there twice"), "{message}");
}

/// Asks an opened index everything it can be asked.
fn use_all(index: &Index) {
    for query in ["nero", "roman emperor", "the who", "römische kaiser", "a b c"] {
        let _ = index.search(query, 8, &Bm25::default());
        let _ = index.names_in(query);
    }
    for number in 0..index.len().min(64) {
        let _ = index.page(PageNo(number));
        let _ = index.links(PageNo(number));
        let _ = index.explain("roman emperor nero", PageNo(number), &Bm25::default());
    }
    let _ = index.find_page("de", "kaiser.md");
    let _ = index.terms();
}

#[test]
fn no_cut_and_no_changed_byte_makes_the_reader_panic() {
    let good = write(&sample()).unwrap();
    for at in 0..good.len() {
        assert!(Index::open(good[..at].to_vec()).is_err(), "cut at {at}");
        for flip in [0x01, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= flip;
            if let Ok(index) = Index::open(bad) {
                use_all(&index);
            }
        }
    }
}

fn any_page() -> impl Strategy<Value = NewPage> {
    let text = "[a-c é猫]{0,12}";
    (text, proptest::collection::vec(text, 0..3), text, any::<[u8; 8]>(), 0..8usize).prop_map(
        |(title, aliases, summary, hash, link)| NewPage {
            file: String::new(),
            title,
            aliases,
            summary,
            body: String::new(),
            hash,
            links: vec![format!("{link}.md")],
        },
    )
}

proptest! {
    #[test]
    fn any_pages_come_back(mut pages in proptest::collection::vec(any_page(), 0..40), english in any::<bool>()) {
        for (at, page) in pages.iter_mut().enumerate() {
            page.file = format!("{at}.md");
        }
        let language = if english { "en" } else { "fr" }.to_owned();
        let packs = [NewPack { path: "p".into(), language, links_derived: false, pages: pages.clone() }];
        let index = open(&packs);
        prop_assert_eq!(index.len() as usize, pages.len());
        for (at, page) in pages.iter().enumerate() {
            let entry = index.page(PageNo(at as u32)).unwrap();
            prop_assert_eq!((&entry.file, &entry.title, &entry.summary, &entry.aliases, entry.hash),
                (&page.file, &page.title, &page.summary, &page.aliases, page.hash));
            prop_assert_eq!(index.find_page("p", &page.file).unwrap(), Some(PageNo(at as u32)));
            for hit in index.search(page.title.as_str(), 100, &Bm25::default()).unwrap() {
                prop_assert!(hit.score >= 0.0);
            }
            if !index.packs()[0].analysis.all_tokens(&page.title).is_empty() {
                prop_assert!(index.named(&page.title).unwrap().contains(&PageNo(at as u32)));
            }
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut framed = b"seealso\0\x01\0\x09\0".to_vec();
        framed.extend(bytes);
        if let Ok(index) = Index::open(framed) {
            use_all(&index);
        }
    }
}
