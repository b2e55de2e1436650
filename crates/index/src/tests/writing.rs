//! What is written comes back, and the same pages give the same bytes.

use std::collections::BTreeMap;

use proptest::prelude::*;
use seealso_test_support::Random;

use super::random::RandomInput as _;
use super::support::{Remote, open, pack, page, sample, tiny};
use crate::{
    AnalysedPage, Bm25, Error, Hash, Index, Layout, NewPack, NewPage, PackNo, PageNo, PageTerms, Writer, write,
    write_packs,
};

#[test]
fn what_postings_tell_is_gathered_file_by_file() {
    let mut packs = sample();
    packs[0].pages[0].body = vec![("leaf".into(), 2), ("steam".into(), 1)];
    let remote = Remote::new(&packs, tiny());
    let index = remote.fresh();
    let mut fetched = 0;
    let mut gathered = index
        .forward_index(&Layout { buffered_postings: 1, ..Layout::default() }, &mut |index| {
            fetched += 1;
            remote.supply(index)
        })
        .unwrap();
    assert_eq!(gathered.of(PageNo(0)).unwrap().body, packs[0].pages[0].body);
    assert_eq!(gathered.of(PageNo(9_999)).unwrap(), PageTerms::default(), "no such page");
    assert!(fetched > 3, "file after file, in {fetched} rounds");
    assert_eq!(index.page(PageNo(0)), Err(Error::Missing), "what was read is let go");
    let gone = remote.fresh().forward_index(&Layout::default(), &mut |_| Err(Error::Missing)).err();
    assert_eq!(gone, Some(Error::Missing));
}

#[test]
fn a_writer_tells_how_many_terms_are_written() {
    let mut nowhere = |_: &Hash, _: &[u8]| Ok(());
    let mut writer = Writer::new(Layout::default(), &mut nowhere);
    let body = (0..12_000).map(|n| (format!("word{n:05}"), 1)).collect();
    let pages = vec![NewPage { file: "a.md".into(), body, ..NewPage::default() }];
    writer.whole_pack(&NewPack { pages, ..NewPack::default() }).unwrap();
    let mut reports = Vec::new();
    writer.finish_with_progress(&mut |done, of| reports.push((done, of))).unwrap();
    // The words, and the pack's path.
    assert_eq!(reports, [(0, 12_001), (10_000, 12_001)]);
}

#[test]
fn what_is_written_comes_back() {
    for index in [open(&sample()), everything(&Remote::new(&sample(), tiny()))] {
        assert_eq!((index.len(), index.pack_count()), (4, 2));
        assert_eq!((index.pages_of(PackNo(0)), index.pages_of(PackNo(1))), (0..3, 3..4));
        let (rome, german) = (index.pack(PackNo(0)).unwrap(), index.pack(PackNo(1)).unwrap());
        assert_eq!((rome.path.as_str(), rome.page_root.as_str(), rome.links_derived), ("history/rome", "wiki", false));
        assert_eq!((german.title.as_str(), german.links_derived), ("Kaiser", true));
        assert_eq!(rome.page_path("c/nero.md"), "history/rome/wiki/c/nero.md");
        let nero = index.page(PageNo(1)).unwrap();
        assert_eq!((nero.pack, nero.file.as_str(), nero.title.as_str()), (PackNo(0), "c/nero.md", "Nero"));
        assert_eq!(index.page(PageNo(0)).unwrap().aliases, ["emperors of Rome"]);
        assert_eq!(index.links(PageNo(0)).unwrap(), [PageNo(1)]);
        assert_eq!(index.find_page(PackNo(1), "kaiser.md").unwrap(), Some(PageNo(3)));
        assert_eq!(index.find_page(PackNo(0), "kaiser.md").unwrap(), None);
        assert_eq!(index.find_pack("de").unwrap(), Some(PackNo(1)));
        assert_eq!(index.find_pack("history").unwrap(), None);
        assert!(index.page(PageNo(4)).is_err() && index.pack(PackNo(2)).is_err());
    }
}

/// An index of many files, all there.
fn everything(remote: &Remote) -> Index {
    let index = remote.fresh();
    remote.resolve_in_rounds(&index, &|index| index.page_terms());
    index
}

#[test]
fn a_link_out_of_its_pack_is_refused() {
    let packs = [
        pack("a", "en", vec![page("a.md", "A", &[], "", &[1])]),
        pack("b", "en", vec![page("b.md", "B", &[], "", &[])]),
    ];
    let refused = open(&packs).links(PageNo(0)).unwrap_err();
    assert!(refused.to_string().contains("a link leaves its pack"), "{refused}");
}

#[test]
fn an_index_without_pages_is_sound() {
    for packs in [vec![], vec![pack("empty", "en", vec![])], vec![pack("a", "en", vec![]), pack("b", "de", vec![])]] {
        for index in [open(&packs), everything(&Remote::new(&packs, tiny()))] {
            assert!(index.is_empty());
            assert_eq!(index.searcher(&Bm25::default()).search("a b", 8).unwrap(), []);
            for (pack, number) in packs.iter().zip(0..) {
                assert_eq!(index.pack(PackNo(number)).unwrap().path, pack.info.path);
                assert_eq!(index.find_pack(&pack.info.path).unwrap(), Some(PackNo(number)));
            }
        }
    }
}

#[test]
fn tags_names_and_paths_may_come_twice() {
    let twice = NewPage {
        tags: vec!["Red".into(), "red".into(), "RED".into()],
        ..page("a.md", "Nero", &["Nero emperor", "NERO", "nero"], "", &[])
    };
    let packs = [pack("p", "en", vec![twice.clone(), twice.clone()]), pack("p", "en", vec![twice])];
    let index = open(&packs);
    assert_eq!(index.page_terms().unwrap()[0].tags, ["red"]);
    assert_eq!(index.find_pack("p").unwrap(), Some(PackNo(0)), "the first of that path");
    assert_eq!(index.searcher(&Bm25::default()).names_in("nero").unwrap()[0].pages, [PageNo(0), PageNo(1), PageNo(2)]);
}

/// All files of an index by their hashes, its root under none.
fn files(write: impl FnOnce(&mut crate::Sink<'_>) -> Result<crate::WrittenIndex, Error>) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut files = BTreeMap::new();
    let written = write(&mut |hash: &Hash, bytes: &[u8]| {
        files.insert(hash.to_vec(), bytes.to_vec());
        Ok(())
    });
    files.insert(Vec::new(), written.unwrap().root);
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_same_pages_give_the_same_bytes(seed in any::<u64>(), pages in 0usize..300, held in 1usize..400) {
        let mut random = Random::new(seed);
        let packs = random.packs(pages);
        let layout = Layout { buffered_postings: usize::MAX, ..random.layout() };
        let first = files(|sink| write_packs(&packs, layout.clone(), sink));
        prop_assert_eq!(&files(|sink| write_packs(&packs, layout.clone(), sink)), &first, "again");
        let spilling = Layout { buffered_postings: held, ..layout.clone() };
        prop_assert_eq!(&files(|sink| write_packs(&packs, spilling, sink)), &first, "spilling");
        let streamed = files(|sink| {
            let mut writer = Writer::new(layout, sink);
            for pack in &packs {
                writer.pack(&pack.info);
                for page in &pack.pages {
                    writer.analysed_page(page, AnalysedPage::of(page, writer.analysis()))?;
                }
                writer.pages_with(&pack.pages_with);
            }
            writer.finish()
        });
        prop_assert_eq!(&streamed, &first, "streamed");
        let names = first.iter().filter(|(hash, _)| !hash.is_empty());
        for (hash, bytes) in names {
            prop_assert_eq!(&hash[..], &<sha2::Sha256 as sha2::Digest>::digest(bytes)[..crate::HASH_BYTES]);
        }
    }

    #[test]
    fn any_pages_come_back(seed in any::<u64>(), pages in 0usize..200) {
        let mut random = Random::new(seed);
        let packs = random.packs(pages);
        let remote = Remote::new(&packs, random.layout());
        let index = everything(&remote);
        prop_assert_eq!(index.len() as usize, pages);
        let forward = index.page_terms().unwrap();
        for buffered_postings in [1, 50, 16 << 20] {
            let layout = Layout { buffered_postings, ..Layout::default() };
            let mut gathered = remote.fresh().forward_index(&layout, &mut |index| remote.supply(index)).unwrap();
            let gathered: Vec<PageTerms> = (0..index.len()).map(|page| gathered.of(PageNo(page)).unwrap()).collect();
            prop_assert_eq!(&gathered, &forward);
        }
        let mut number = 0;
        for (place, pack) in packs.iter().enumerate() {
            let entry = index.pack(PackNo(place)).unwrap();
            let info = &pack.info;
            prop_assert_eq!((&entry.path, &entry.page_root, &entry.title, entry.links_derived, &entry.site),
                (&info.path, &info.page_root, &info.title, info.links_derived, &info.site));
            prop_assert_eq!(index.find_pack(&info.path).unwrap(), Some(PackNo(place)));
            prop_assert_eq!(index.language_of(PackNo(place)), &info.language);
            let first = index.pages_of(PackNo(place)).start;
            for page in &pack.pages {
                let at = PageNo(number);
                let entry = index.page(at).unwrap();
                prop_assert_eq!((entry.pack, &entry.file, &entry.title, &entry.summary, &entry.aliases, entry.hash),
                    (PackNo(place), &page.file, &page.title, &page.summary, &page.aliases, page.hash));
                prop_assert_eq!(index.find_page(PackNo(place), &page.file).unwrap(), Some(at));
                let links: Vec<PageNo> = page.links.iter().map(|link| PageNo(first + link)).collect();
                prop_assert_eq!(index.links(at).unwrap(), links);
                prop_assert_eq!(&forward[number as usize].tags, &tags(page));
                prop_assert_eq!(&forward[number as usize].body, &body(page));
                number += 1;
            }
        }
    }

    #[test]
    fn any_text_comes_back(texts in proptest::collection::vec(("[a-c é猫.]{0,12}", ".{0,20}", ".{0,9}"), 0..40)) {
        let pages: Vec<NewPage> = texts.iter().enumerate().map(|(at, (title, summary, alias))| {
            page(&format!("{at}{title}.md"), title, &[alias], summary, &[])
        }).collect();
        let index = everything(&Remote::new(&[pack("p", "fr", pages.clone())], tiny()));
        for (page, at) in pages.iter().zip(0..) {
            let entry = index.page(PageNo(at)).unwrap();
            prop_assert_eq!((&entry.file, &entry.title, &entry.summary, &entry.aliases),
                (&page.file, &page.title, &page.summary, &page.aliases));
            if !index.analysis_of(PackNo(0)).all_tokens(&page.title).is_empty() {
                prop_assert!(index.searcher(&Bm25::default()).pages_named(&page.title).unwrap().contains(&PageNo(at)));
            }
        }
    }
}

fn tags(page: &NewPage) -> Vec<String> {
    let mut tags: Vec<String> = page.tags.iter().map(|tag| crate::fold(tag)).collect();
    tags.sort();
    tags.dedup();
    tags
}

fn body(page: &NewPage) -> Vec<(String, u32)> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    page.body.iter().for_each(|(term, count)| *counts.entry(term.clone()).or_default() += count);
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

#[test]
fn the_dictionary_tells_its_terms() {
    let packs = [pack("p", "xx", vec![page("a.md", "one two", &[], "", &[]), page("b.md", "two", &[], "", &[])])];
    let terms: Vec<(String, u32)> = open(&packs).terms().unwrap().into_iter().map(|(_, term, n)| (term, n)).collect();
    assert_eq!(terms, [("one".to_owned(), 1), ("two".to_owned(), 2)]);
}

#[test]
fn what_can_t_be_written_is_an_error() {
    let mut nowhere = |_: &Hash, _: &[u8]| Err(std::io::Error::other("the disk is full"));
    let full = write_packs(&sample(), tiny(), &mut nowhere).unwrap_err();
    assert!(full.to_string().contains("the disk is full"), "{full}");
    let mut sink = |_: &Hash, _: &[u8]| Ok(());
    let mut writer = Writer::new(Layout::default(), &mut sink);
    assert!(writer.page(&NewPage::default()).is_err(), "a page before any pack");
    let scratch = Layout { buffered_postings: 1, scratch: Some("/nowhere/at/all".into()), ..Layout::default() };
    let failed = write_packs(&sample(), scratch, &mut |_, _| Ok(())).unwrap_err();
    assert!(failed.to_string().contains("a scratch file fails"), "{failed}");
    assert!(write(&[NewPack::default()]).is_ok());
}
