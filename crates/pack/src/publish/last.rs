//! What an earlier build left, and the fingerprints that tell whether a pack is still the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use seealso_index::{
    Analysis, Error as IndexError, Form, Forwards, Index, Layout, NewPack, NewPage, PackInfo, PackNo, PageNo,
};
use sha2::{Digest, Sha256};

use super::litter::is_litter;
use super::{INDEX_FOLDER, hex, read_words, words_name};
use crate::Error;
use crate::catalog::{CATALOG_FILE, Catalog, CatalogPack, GENERATOR};

/// The catalog and index that lie at the packs root already, where they can be used.
pub(super) struct LastBuild(Option<Last>);

struct Last {
    out: PathBuf,
    catalog: Catalog,
    index: Index,
    /// What only postings tell of the pages: gathered when the first pack is taken over, since it takes the whole index.
    forwards: Option<Result<Forwards, IndexError>>,
    /// What bounds the memory for that.
    layout: Layout,
}

impl LastBuild {
    pub(super) fn open(out: &Path, body_terms: usize, layout: Layout) -> LastBuild {
        let read = || {
            let catalog = Catalog::parse(&fs::read(out.join(CATALOG_FILE)).ok()?).ok()?;
            let root = fs::read(out.join(&catalog.index.root.path)).ok()?;
            let same = hex(&Sha256::digest(&root)) == catalog.index.root.sha256;
            let same_generator = catalog.generator == GENERATOR && catalog.index.body_terms == body_terms as u64;
            let index = (same && same_generator).then(|| Index::open(&root).ok()).flatten()?;
            let mut last = Last { out: out.to_path_buf(), catalog, index, forwards: None, layout };
            if let Some(file) = &last.catalog.packs_file {
                let list = fs::read(out.join(&file.path)).ok()?;
                let same = hex(&Sha256::digest(&list)) == file.sha256;
                last.catalog.packs = same.then(|| Catalog::parse_packs(&list).ok()).flatten()?;
            }
            Some(last)
        };
        LastBuild(read())
    }

    /// The pack as it was indexed, where its files are still the same.
    pub(super) fn unchanged(&mut self, path: &str, fingerprint: &str) -> Option<(CatalogPack, NewPack)> {
        let last = self.0.as_mut()?;
        let same = |pack: &&CatalogPack| pack.path == path && pack.fingerprint == fingerprint;
        let entry = last.catalog.packs.iter().find(same)?.clone();
        let words = fs::read_to_string(last.out.join(INDEX_FOLDER).join(words_name(fingerprint))).ok()?;
        let pages_with = read_words(&words)?;
        let (first, pack) = last.read(|index| last_pack(index, &entry)).ok()??;
        // A language may have got a stemmer since.
        let was_read_so = |analysis| last.index.analyses().iter().any(|(known, _)| *known == analysis);
        if !pack.pages.is_empty() && !was_read_so(Analysis::of_language(&pack.info.language)) {
            return None;
        }
        last.index.forget();
        // Builds that counted no words left an empty list.
        if pages_with.is_empty() && !pack.pages.is_empty() {
            return None;
        }
        Some((entry, NewPack { pages_with, ..last.with_bodies(pack, first)? }))
    }
}

impl Last {
    /// Asks the index, reading the files that it misses.
    fn read<T>(&self, ask: impl Fn(&Index) -> Result<T, IndexError>) -> Result<T, IndexError> {
        loop {
            match ask(&self.index) {
                Err(IndexError::Missing) => self.fetch(&self.index)?,
                other => return other,
            }
        }
    }

    /// Reads the files that the index misses; what is missing stays so where one is damaged.
    fn fetch(&self, index: &Index) -> Result<(), IndexError> {
        for want in index.wanted() {
            let file = fs::read(self.out.join(self.catalog.index.path_of(&want.name())));
            let sound = file.ok().filter(|file| Sha256::digest(file).starts_with(&want.hash));
            let raw = sound.and_then(|file| Form::of(&file).and_then(Form::unpack).ok());
            index.supply(want.file, raw.ok_or(IndexError::Missing)?)?;
        }
        Ok(())
    }

    /// Adds to the pages what only postings tell of them; `first` is the number of the first.
    fn with_bodies(&mut self, mut pack: NewPack, first: u32) -> Option<NewPack> {
        if self.forwards.is_none() {
            self.forwards = Some(self.index.forwards(&self.layout, &mut |index| self.fetch(index)));
        }
        let forwards = self.forwards.as_mut()?.as_mut().ok()?;
        for (page, number) in pack.pages.iter_mut().zip(first..) {
            let forward = forwards.of(PageNo(number)).ok()?;
            (page.body, page.tags) = (forward.body, forward.tags);
        }
        Some(pack)
    }
}

/// A pack as an index has it, without what only postings tell of its pages, and its first page; none where the index
/// doesn't know it.
fn last_pack(index: &Index, entry: &CatalogPack) -> Result<Option<(u32, NewPack)>, IndexError> {
    let Some(number) = index.find_pack(&entry.path)? else { return Ok(None) };
    let numbers = index.pages_of(number);
    index.foresee_pages(numbers.clone().map(PageNo))?;
    let mut pages = Vec::new();
    for page in numbers.clone().map(PageNo) {
        let known = index.page(page)?;
        pages.push(NewPage {
            file: known.file,
            title: known.title,
            aliases: known.aliases,
            summary: known.summary,
            hash: known.hash,
            links: index.links(page)?.into_iter().map(|linked| linked.0 - numbers.start).collect(),
            ..NewPage::default()
        });
    }
    Ok(Some((numbers.start, NewPack { info: info(index, number, entry)?, pages, ..NewPack::default() })))
}

fn info(index: &Index, number: PackNo, entry: &CatalogPack) -> Result<PackInfo, IndexError> {
    let known = index.pack(number)?;
    Ok(PackInfo {
        path: entry.path.clone(),
        page_root: entry.page_root.clone(),
        title: entry.title.clone(),
        summary: entry.summary.clone(),
        language: entry.language.clone(),
        links_derived: known.links_derived,
        site: known.site,
    })
}

/// Raised with each change of what words and links become, so that no pack is taken over that was read otherwise.
const READING_REVISION: u32 = 3;

/// SHA-256, in hex, over the names and bytes of a pack's files.
pub(super) fn fingerprint(dir: &Path) -> Result<String, Error> {
    let mut hash = Sha256::new();
    hash.update(READING_REVISION.to_le_bytes());
    for (name, path) in files_below(dir)? {
        let bytes = fs::read(&path).map_err(|e| Error::io(&path, "reading", e))?;
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    Ok(hex(&hash.finalize()))
}

/// Every file below `dir` by its `/`-separated name, hidden ones and litter aside.
pub(super) fn files_below(dir: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![(dir.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, "reading", e))? {
            let entry = entry.map_err(|e| Error::io(&folder, "reading", e))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_err(|e| Error::io(&entry.path(), "reading", e))?;
            if name.starts_with('.') || is_litter(&name, kind.is_dir()) {
                continue;
            }
            match kind.is_dir() {
                true => waiting.push((entry.path(), format!("{prefix}{name}/"))),
                false => drop(kind.is_file().then(|| found.insert(format!("{prefix}{name}"), entry.path()))),
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::build::lay;
    use super::super::write::write_rest;
    use super::super::{Plan, entry, new_pack};
    use super::*;
    use crate::Pack;

    /// Writes the pack by `layout`, and reads it back.
    fn check(name: &str, layout: Layout, files: bool) {
        let front = "---\ntitle: Green tea\ntags: [hot, leaf]\n---\n\n## See Also\n\n- [[black]]\n";
        let pages = [("concepts/green.md", front), ("concepts/black.md", "# Black tea\n"), ("concepts/x.md", "# X\n")];
        let pack = Pack::of_pages("tea", &pages);
        let root = std::env::temp_dir().join(format!("seealso-last-{name}-{}", std::process::id()));
        let mut new = new_pack(&pack);
        new.pages[0].body = vec![("leaf".into(), 2), ("steam".into(), 1)];
        new.pages[2].body = vec![("steam".into(), 3)];
        new.pages_with = [("leaf".to_owned(), 7), ("steam".to_owned(), 2)].into();
        let plan = Plan { packs: Vec::new(), out: root.clone(), in_place: true, tsv: false, body_terms: 2 };
        let put = |build: &mut super::super::build::Build<'_, '_>| build.put(entry(&pack, "0123".into()), &new);
        let laid = lay(&plan, layout.clone(), &root, &mut |_| {}, |build, _| put(build)).unwrap();
        assert_eq!(laid.built.catalog.index.files > 0, files, "{name}");
        write_rest(&root, &laid, &[]).unwrap();
        let open = |body_terms| LastBuild::open(&root, body_terms, layout.clone());
        let (_, last) = open(2).unchanged("tea", "0123").unwrap();
        assert_eq!(last, new);
        assert!(open(2).unchanged("tea", "other").is_none());
        assert!(open(3).unchanged("tea", "0123").is_none());
        // A build is made anew where a file of the last one is damaged.
        let damaged = laid.names().find(|name| name.ends_with(".idx")).unwrap();
        fs::write(root.join(INDEX_FOLDER).join(damaged), "no index").unwrap();
        assert!(open(2).unchanged("tea", "0123").is_none());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_pack_comes_back_as_it_was() {
        check("single", Layout::default(), false);
        let small = Layout { single_file_bytes: 0, term_bytes: 40, text_bytes: 40, ..Layout::default() };
        check("sharded", Layout { inline_postings: 1, chunk_postings: 1, ..small.clone() }, true);
        check("spilled", Layout { held_postings: 1, ..small }, true);
    }
}
