//! Bytes that no writer made: each ends in an answer or an error, never in a panic.

use proptest::prelude::*;

use super::support::{Remote, pack, page, sample, tiny};
use crate::format::root::Bounds;
use crate::{Bm25, Error, File, Filter, Form, Index, Layout, PackNo, PageNo, Query, root_form, write};

#[test]
fn errors_say_what_to_do() {
    let good = write(&sample()).unwrap();
    let message = |bytes: &[u8]| Index::open(bytes).unwrap_err().to_string();
    assert!(message(b"<!DOCTYPE html><html>").contains("not a seealso index"));
    assert!(message(b"").contains("not a seealso index"));
    let mut newer = good;
    newer[8] = 9;
    assert_eq!(Index::open(&newer).unwrap_err(), Error::Version { found: 9 });
    assert!(message(&newer).contains("rebuild it with `seealso build`"));
}

#[test]
fn an_index_of_an_older_version_is_refused() {
    for version in [1, 2, 3, 4] {
        let formats = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/formats");
        let refused = Index::open(&std::fs::read(format!("{formats}/v{version}/index.idx")).unwrap()).unwrap_err();
        assert!(refused.is_version());
        assert_eq!(
            refused.to_string(),
            format!(
                "the index has format version {version}, this reader knows version 5; rebuild it with `seealso build`"
            )
        );
    }
}

#[test]
fn a_list_of_packs_that_are_not_there_is_refused() {
    let mut packs = sample();
    packs[0].info.title = "Nero".into();
    let remote = Remote::new(&packs, tiny());
    let mut refused = 0;
    for (file, bytes) in remote.unpacked() {
        let File::Terms(_) = file else { continue };
        for at in 0..bytes.len() {
            // One of these bytes is the number of the pack that has "nero".
            let mut changed = bytes.clone();
            changed[at] = 9;
            let index = remote.fresh();
            for (other, sound) in remote.unpacked() {
                let _ = index.supply(other, if other == file { changed.clone() } else { sound });
            }
            let found = index.searcher(&Bm25::default()).search("nero", 3);
            refused +=
                usize::from(found.is_err_and(|error| error.to_string().contains("a pack's number is too large")));
        }
    }
    assert!(refused > 0, "no byte stood for the pack");
}

/// A root's unpacked bytes.
fn raw(packs: &[crate::NewPack]) -> Vec<u8> {
    root_form(&write(packs).unwrap()).and_then(Form::unpack).unwrap()
}

#[test]
fn roots_that_contradict_themselves_are_refused() {
    let cut = |raw: &[u8]| Index::open_unpacked(&raw[..raw.len() - 1]).unwrap_err().to_string();
    assert!(cut(&raw(&sample())).contains("cut short"));
    let empty = raw(&[]);
    let (bounds, rest) = empty.split_at(size_of::<Bounds>());
    assert_eq!(rest[..4], [0, 0, 0, 0], "no analyses, languages, packs, profiles");
    let code = &rest[4..4 + 256];
    let with = |parts: &[&[u8]]| Index::open_unpacked(&[&[bounds], parts].concat().concat());
    let tail = [0, 1, 0, 0];
    assert!(with(&[&[0, 0, 0, 0], code, &tail]).is_ok());
    let twice = [2, b'e', 0, 0, 0, 0, 0, b'e', 0, 0, 0, 0, 0];
    let many_profiles = [&[0, 0, 0, 128, 2][..], &[0; 512]].concat();
    // The first key has 200 bytes; each of 600 more has as many of it.
    let mut keys = [&[0, 0, 0, 0][..], code, &[0, 1, 0xd9, 4, 0, 200, 1], &[b'k'; 200], &[0]].concat();
    keys.extend([200, 1, 1, b'k', 0].repeat(600));
    keys.push(0);
    let far = [&[0, 0, 0, 0][..], code, &[0, 0, 1, 0, 0, 0], &[b'h'; 6]].concat();
    for (parts, message) in [
        (vec![&twice[..], &[0; 300]], "an analysis is there twice"),
        (vec![&[1, 7, 0, 0, 0, 0, 0], &[0; 300]], "an analysis is unknown"),
        (vec![&[0, 0, 1, 5, 0], &[0; 300]], "a pack's language is not listed"),
        (vec![&[0, 1, 2, b'e', b'n', 2, 1, 0, 255, 255, 255, 255, 15, 0], &[0; 300]], "too many pages"),
        (vec![&many_profiles, &[0; 300]], "too many common profiles"),
        (vec![&[0, 0, 0, 0], &[1; 256], &tail], "the profiles' code is no code"),
        (vec![&[0, 1, 2, b'e', b'n', 1, 5, 0, 0], code, &tail], "hold other pages than the packs"),
        (vec![&[0, 1, 2, b'e', b'n', 1, 5, 0, 0], code, &[1, 9, 1, 0, 1, 5, 0]], "lengths of other pages"),
        (vec![&keys], "out of order"),
        (vec![&far], "a count is larger than what follows"),
    ] {
        let refused = with(&parts).unwrap_err().to_string();
        assert!(refused.contains(message), "{refused}, expected {message}");
    }
}

#[test]
fn keys_that_share_too_much_are_refused() {
    let empty = raw(&[]);
    let mut bytes = empty[..size_of::<Bounds>() + 4 + 256].to_vec();
    // A key of 60,000 bytes, and 2,000 that begin with it: five bytes each, and 120 MB together.
    bytes.extend([0, 1, 0xd1, 15, 0, 0xe0, 0xd4, 3]);
    bytes.extend([b'k'; 60_000]);
    bytes.push(0);
    bytes.extend([0xe0, 0xd4, 3, 0, 0].repeat(2000));
    bytes.push(0);
    let refused = Index::open_unpacked(&bytes).unwrap_err().to_string();
    assert!(refused.contains("first keys are absurd"), "{refused}");
}

/// Calls everything that an index offers, without further files.
fn use_all(index: &Index) {
    let filter = Filter { tags: vec!["rome".into()], packs: vec!["de".into()], ..Filter::default() };
    for text in ["nero emperro", "the who", "römische kaiser"] {
        let _ = index.searcher(&Bm25::default()).search(text, 8);
        let query = Query { prefix: true, filter: Some(&filter), ..Query::from(text) };
        let _ = index.searcher(&Bm25 { k1: 2.0, ..Bm25::default() }).search(query, 8);
        let _ = index.searcher(&Bm25::default()).names_in(text);
    }
    for number in 0..index.len().min(3) {
        let _ = index.page(PageNo(number));
        let _ = index.links(PageNo(number));
        let _ = index.searcher(&Bm25::default()).explain("roman emperor nero", PageNo(number));
    }
    let _ = (index.find_page(PackNo(1), "kaiser.md"), index.find_pack("de"), index.pack(PackNo(1)));
    let _ = (index.terms(), index.page_terms());
}

#[test]
fn no_cut_and_no_changed_byte_of_a_root_makes_the_reader_panic() {
    let good = raw(&sample());
    for at in 0..good.len() {
        assert!(Index::open_unpacked(&good[..at]).is_err(), "cut at {at}");
        for flip in [0x01, 0x80] {
            let mut bad = good.clone();
            bad[at] ^= flip;
            if let Ok(index) = Index::open_unpacked(&bad) {
                use_all(&index);
            }
        }
    }
}

/// An index of 300 pages, with lists in blocks.
fn many() -> Remote {
    let pages = (0..300).map(|at| page(&format!("{at}.md"), &format!("Nero {}", at % 40), &[], "roman emperor", &[]));
    let layout = Layout { block_postings: 128, term_bytes: 4000, text_bytes: 9000, ..tiny() };
    Remote::new(&[pack("de", "en", pages.collect())], layout)
}

#[test]
fn no_changed_byte_of_a_file_makes_the_reader_panic() {
    let remote = many();
    let sound: Vec<(File, Vec<u8>)> = remote.unpacked();
    for (place, (file, raw)) in sound.iter().enumerate() {
        for at in (0..raw.len()).step_by(raw.len() / 3 + 1) {
            for flip in [0x01, 0x80, 0xff] {
                let index = remote.fresh();
                let mut bad = raw.clone();
                bad[at] ^= flip;
                let others = sound.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, file)| file);
                let fits = index.supply(*file, bad);
                others.for_each(|(file, raw)| index.supply(*file, raw.clone()).unwrap());
                if fits.is_ok() {
                    use_all(&index);
                }
            }
        }
    }
}

#[test]
fn a_file_of_other_postings_than_its_term_says_is_refused() {
    let remote = many();
    let index = remote.fresh();
    let mut refused = None;
    for _ in 0..9 {
        match index.searcher(&Bm25::default()).search("nero 7", 300) {
            Ok(_) => break,
            Err(Error::Missing) => {}
            Err(error) => refused = Some(error.to_string()),
        }
        for wanted in index.wanted() {
            // Pages next to each other, which "7" is not on.
            let zeros = matches!(wanted.file, File::Postings(_)).then(|| vec![0; 200]);
            let sound = || Form::of(&remote.files[&wanted.hash]).unwrap().unpack().unwrap();
            index.supply(wanted.file, zeros.unwrap_or_else(sound)).unwrap();
        }
    }
    let refused = refused.unwrap();
    assert!(refused.contains("damaged in its postings"), "{refused}");
}

/// The errors of `ask` over all roots with one changed bit.
fn refusals(packs: &[crate::NewPack], ask: impl Fn(&Index) -> Option<Error>) -> Vec<String> {
    let good = raw(packs);
    let changed = (0..8 * good.len()).filter_map(|bit| {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        Index::open_unpacked(&bad).ok()
    });
    changed.filter_map(|index| ask(&index)).map(|error| error.to_string()).collect()
}

#[test]
fn lists_out_of_order_are_refused() {
    // Lists of several pages follow each other. A changed offset puts one before the lists of earlier terms.
    let pages = ["emperor nero rome", "emperor nero rome"].map(|text| page("a.md", text, &[], "", &[]));
    let said = refusals(&[pack("de", "en", pages.into())], |index| index.page_terms().err());
    assert!(said.iter().any(|said| said.contains("not in the order of their terms")), "{said:?}");
}

#[test]
fn a_path_of_several_packs_is_refused() {
    let packs = ["de/a", "de/b"].map(|path| pack(path, "en", vec![page("a.md", "Nero", &[], "", &[])]));
    let filter = Filter { packs: vec!["de".into()], ..Filter::default() };
    let ask = |index: &Index| {
        index.searcher(&Bm25::default()).search(Query { filter: Some(&filter), ..Query::from("nero") }, 8).err()
    };
    let said = refusals(&packs, ask);
    assert!(said.iter().any(|said| said.contains("a path leads to several packs")), "{said:?}");
}

#[test]
fn texts_of_fewer_pages_than_announced_are_refused() {
    let index = many().fresh();
    assert!(index.supply(File::Texts(0), vec![0, 0]).is_err());
    assert!(index.supply(File::Texts(0), vec![0, 200, 1]).is_err(), "more packs than bytes");
    assert!(index.supply(File::Texts(7_000_000), vec![0, 0]).is_ok(), "a block that nobody asks for");
    assert!(index.supply(File::Terms(0), vec![200; 40]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_bytes_in_the_place_of_a_file_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        // Behind a root's own first bytes, so that something reads the others.
        let file = [&b"seealso\0\x05\0\0"[..], &raw(&[])[..size_of::<Bounds>()], &bytes].concat();
        let _ = root_form(&file).and_then(Form::unpack).unwrap();
        if let Ok(index) = Index::open(&file) {
            use_all(&index);
        }
        // Of an index in files any of which may be another.
        let remote = Remote::new(&sample(), tiny());
        for bad in remote.unpacked().into_iter().map(|(file, _)| file) {
            let index = remote.fresh();
            for (file, sound) in remote.unpacked() {
                let _ = index.supply(file, if file == bad { bytes.clone() } else { sound });
            }
            use_all(&index);
        }
    }
}
