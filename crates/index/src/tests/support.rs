//! Small packs, and an index whose files are fetched in rounds, as a browser does.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Bm25, Error, File, Form, Hash, Index, Layout, NewPack, NewPage, PackInfo, WrittenIndex, write, write_packs,
};

/// A page with a name, other names and a summary.
pub(super) fn page(file: &str, title: &str, aliases: &[&str], summary: &str, links: &[u32]) -> NewPage {
    NewPage {
        file: file.into(),
        title: title.into(),
        aliases: aliases.iter().map(|alias| alias.to_string()).collect(),
        summary: summary.into(),
        links: links.to_vec(),
        ..NewPage::default()
    }
}

/// A pack of pages in a language.
pub(super) fn pack(path: &str, language: &str, pages: Vec<NewPage>) -> NewPack {
    NewPack {
        info: PackInfo { path: path.into(), language: language.into(), ..PackInfo::default() },
        pages,
        ..NewPack::default()
    }
}

/// A plain pack of these titles.
pub(super) fn words(titles: &[&str]) -> Vec<NewPack> {
    let pages = titles.iter().enumerate().map(|(at, title)| page(&format!("{at}.md"), title, &[], "", &[]));
    vec![pack("p", "xx", pages.collect())]
}

/// Two packs of two languages.
pub(super) fn sample() -> Vec<NewPack> {
    let office = page("c/emperor.md", "Roman emperor", &["emperors of Rome"], "The office and its holders.", &[1]);
    let nero = page("c/nero.md", "Nero", &[], "Emperor from 54 to 68, the last of his dynasty.", &[0]);
    let band = page("c/the-who.md", "The Who", &[], "A band that does not belong here.", &[]);
    let tagged =
        |page: NewPage, tags: &[&str]| NewPage { tags: tags.iter().map(|tag| tag.to_string()).collect(), ..page };
    let emperors = vec![tagged(office, &["Office", "Rome"]), tagged(nero, &["rome", "Rome", "Person"]), band];
    let mut german = pack("de", "de", vec![page("kaiser.md", "Römische Kaiser", &[], "Die Kaiser und ihr Amt.", &[])]);
    german.info.links_derived = true;
    german.info.title = "Kaiser".into();
    let mut rome = pack("history/rome", "en", emperors);
    rome.info.page_root = "wiki".into();
    vec![rome, german]
}

/// `packs` in one file, opened.
pub(super) fn open(packs: &[NewPack]) -> Index {
    Index::open(&write(packs).unwrap()).unwrap()
}

/// A layout with very small files.
pub(super) fn tiny() -> Layout {
    Layout {
        single_file_bytes: 0,
        term_bytes: 64,
        text_bytes: 100,
        inline_postings: 2,
        block_postings: 3,
        lengths_in_root_up_to: 0,
        ..Layout::default()
    }
}

/// An index in files, some of which were supplied.
pub(super) struct Remote {
    pub(super) index: Index,
    pub(super) files: BTreeMap<Hash, Vec<u8>>,
    pub(super) written: WrittenIndex,
}

/// More rounds than any call needs that is supplied with all files it misses.
const MOST_ROUNDS: usize = 200;

impl Remote {
    /// Writes `packs` by `layout` and opens the root alone.
    pub(super) fn new(packs: &[NewPack], layout: Layout) -> Remote {
        let mut files = BTreeMap::new();
        let written = write_packs(packs, layout, &mut |hash, bytes| {
            files.insert(*hash, bytes.to_vec());
            Ok(())
        });
        let written = written.unwrap();
        Remote { index: Index::open(&written.root).unwrap(), files, written }
    }

    /// The same index, without any file.
    pub(super) fn fresh(&self) -> Index {
        Index::open(&self.written.root).unwrap()
    }

    /// Every file with its unpacked bytes.
    pub(super) fn unpacked(&self) -> Vec<(File, Vec<u8>)> {
        let (index, mut all) = (self.fresh(), Vec::new());
        while index.page_terms().is_err() {
            for wanted in index.wanted() {
                let raw = Form::of(&self.files[&wanted.hash]).unwrap().unpack().unwrap();
                index.supply(wanted.file, raw.clone()).unwrap();
                all.push((wanted.file, raw));
            }
        }
        all
    }

    /// Supplies `index` with the files that it misses.
    pub(super) fn supply(&self, index: &Index) -> Result<(), Error> {
        for wanted in index.wanted() {
            index.supply(wanted.file, Form::of(&self.files[&wanted.hash]).unwrap().unpack().unwrap())?;
        }
        Ok(())
    }

    /// Repeats `ask` until it misses no file.
    pub(super) fn resolve<T>(&self, ask: impl Fn(&Index) -> Result<T, Error>) -> T {
        self.resolve_in_rounds(&self.index, &ask).0
    }

    /// The answer of `ask`, and how many rounds of fetching it took.
    pub(super) fn resolve_in_rounds<T>(&self, index: &Index, ask: &dyn Fn(&Index) -> Result<T, Error>) -> (T, usize) {
        let (answer, rounds, _) = self.resolve_counted(index, ask);
        (answer, rounds)
    }

    /// The answer of `ask`, how many rounds of fetching it took, and how many files were fetched.
    pub(super) fn resolve_counted<T>(
        &self,
        index: &Index,
        ask: &dyn Fn(&Index) -> Result<T, Error>,
    ) -> (T, usize, usize) {
        let mut came = BTreeSet::new();
        for round in 0..MOST_ROUNDS {
            match ask(index) {
                Err(Error::Missing) => {}
                other => return (other.unwrap(), round, came.len()),
            }
            let wanted = index.wanted();
            assert!(!wanted.is_empty(), "it misses something and doesn't say what");
            for file in wanted {
                assert!(came.insert((file.file, file.hash)), "{file:?} is asked for again");
                index.supply(file.file, Form::of(&self.files[&file.hash]).unwrap().unpack().unwrap()).unwrap();
            }
        }
        panic!("it misses files in every round");
    }
}

/// Titles of the hits for a query, best first.
pub(super) fn titles(index: &Index, query: &str) -> Vec<String> {
    let hits = index.searcher(&Bm25::default()).search(query, 8).unwrap();
    hits.iter().map(|hit| index.page(hit.page).unwrap().title).collect()
}
