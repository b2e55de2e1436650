//! The previous build: the packs that can be reused from it, and the fingerprints that tell whether a pack is
//! unchanged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use seealso_index::{
    Analysis, Error as IndexError, Form, ForwardIndex, Index, Layout, NewPack, NewPage, PackInfo, PackNo, PageNo,
};
use sha2::{Digest, Sha256};

use super::litter::is_litter;
use super::{INDEX_FOLDER, hex, read_words, words_name};
use crate::Error;
use crate::catalog::{CATALOG_FILE, Catalog, CatalogPack, GENERATOR};
use crate::read::{is_private_file, page_root_of};

/// The build at the packs root, where it can be reused.
pub(super) struct PreviousBuild(Option<PreviousIndex>);

/// The catalog and the index of the previous build.
struct PreviousIndex {
    out: PathBuf,
    catalog: Catalog,
    index: Index,
    /// The terms of the pages that are stored in postings alone. They are read when the first pack is reused, since
    /// that takes the whole index.
    forward: Option<Result<ForwardIndex, IndexError>>,
    /// The layout, which bounds the memory for reading it.
    layout: Layout,
}

impl PreviousBuild {
    pub(super) fn open(out: &Path, body_terms: usize, layout: Layout) -> PreviousBuild {
        let read = || {
            let catalog = Catalog::parse(&fs::read(out.join(CATALOG_FILE)).ok()?).ok()?;
            let root = fs::read(out.join(&catalog.index.root.path)).ok()?;
            let same = hex(&Sha256::digest(&root)) == catalog.index.root.sha256;
            let same_generator = catalog.generator == GENERATOR && catalog.index.body_terms == body_terms as u64;
            let index = (same && same_generator).then(|| Index::open(&root).ok()).flatten()?;
            let mut previous = PreviousIndex { out: out.to_path_buf(), catalog, index, forward: None, layout };
            if let Some(file) = &previous.catalog.packs_file {
                let list = fs::read(out.join(&file.path)).ok()?;
                let same = hex(&Sha256::digest(&list)) == file.sha256;
                previous.catalog.packs = same.then(|| Catalog::parse_packs(&list).ok()).flatten()?;
            }
            Some(previous)
        };
        PreviousBuild(read())
    }

    /// The pack as it was indexed, if its files are unchanged.
    pub(super) fn unchanged(&mut self, path: &str, fingerprint: &str) -> Option<(CatalogPack, NewPack)> {
        let previous = self.0.as_mut()?;
        let same = |pack: &&CatalogPack| pack.path == path && pack.fingerprint == fingerprint;
        let mut entry = previous.catalog.packs.iter().find(same)?.clone();
        entry.archived = previous.catalog.archived.contains(&entry.path);
        let words = fs::read_to_string(previous.out.join(INDEX_FOLDER).join(words_name(fingerprint))).ok()?;
        let pages_with = read_words(&words)?;
        let (first, pack) = previous.resolve(|index| previous_pack(index, &entry)).ok()??;
        // A language may have got a stemmer since.
        let is_analysed_so = |analysis| previous.index.analyses().iter().any(|(known, _)| *known == analysis);
        if !pack.pages.is_empty() && !is_analysed_so(Analysis::of_language(&pack.info.language)) {
            return None;
        }
        previous.index.clear_cache();
        // Older builds counted no words, and left an empty list.
        if pages_with.is_empty() && !pack.pages.is_empty() {
            return None;
        }
        Some((entry, NewPack { pages_with, ..previous.with_bodies(pack, first)? }))
    }
}

impl PreviousIndex {
    /// Repeats `call` on the index until it misses no file.
    fn resolve<T>(&self, call: impl Fn(&Index) -> Result<T, IndexError>) -> Result<T, IndexError> {
        loop {
            match call(&self.index) {
                Err(IndexError::Missing) => self.fetch(&self.index)?,
                other => return other,
            }
        }
    }

    /// Supplies the files that the index misses. A file that is damaged is missing.
    fn fetch(&self, index: &Index) -> Result<(), IndexError> {
        for want in index.wanted() {
            let file = fs::read(self.out.join(self.catalog.index.path_of(&want.name())));
            let sound = file.ok().filter(|file| Sha256::digest(file).starts_with(&want.hash));
            let raw = sound.and_then(|file| Form::of(&file).and_then(Form::unpack).ok());
            index.supply(want.file, raw.ok_or(IndexError::Missing)?)?;
        }
        Ok(())
    }

    /// Adds to the pages their terms that are stored in postings alone. `first` is the number of the first page.
    fn with_bodies(&mut self, mut pack: NewPack, first: u32) -> Option<NewPack> {
        if self.forward.is_none() {
            self.forward = Some(self.index.forward_index(&self.layout, &mut |index| self.fetch(index)));
        }
        let forward = self.forward.as_mut()?.as_mut().ok()?;
        for (page, number) in pack.pages.iter_mut().zip(first..) {
            let terms = forward.of(PageNo(number)).ok()?;
            (page.body, page.tags) = (terms.body, terms.tags);
        }
        Some(pack)
    }
}

/// The number of a pack's first page, and the pack as an index has it, without the terms that are stored in postings
/// alone; none where the index has no such pack.
fn previous_pack(index: &Index, entry: &CatalogPack) -> Result<Option<(u32, NewPack)>, IndexError> {
    let Some(number) = index.find_pack(&entry.path)? else { return Ok(None) };
    let numbers = index.pages_of(number);
    index.prefetch_pages(numbers.clone().map(PageNo))?;
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

/// Raised with each change in how words and links are read, so that no pack is reused that was read otherwise.
const READING_REVISION: u32 = 3;

/// SHA-256, in hex, over the names and bytes of the files of the pack in the folder `dir`, as a catalog has it.
///
/// # Errors
/// An [`Error`] that names the file that can't be read.
pub fn fingerprint(dir: &Path) -> Result<String, Error> {
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

/// Every file below `dir` by its `/`-separated name, without hidden files, litter, and pages that are private.
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
    let page_root = page_root_of(dir);
    found.retain(|name, path| !name.strip_prefix(page_root).is_some_and(|file| is_private_file(file, path)));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::build::stage;
    use super::super::write::write_rest;
    use super::super::{Plan, entry, new_pack};
    use super::*;
    use crate::Pack;

    /// Writes the pack by `layout`, and reads it back.
    fn check(name: &str, layout: Layout, files: bool) {
        let front = "---\ntitle: Green tea\ntags: [hot, leaf]\n---\n\n## See Also\n\n- [[black]]\n";
        let pages = [("concepts/green.md", front), ("concepts/black.md", "# Black tea\n"), ("concepts/x.md", "# X\n")];
        let pack = Pack::of_pages("tea", &pages);
        let root = std::env::temp_dir().join(format!("seealso-previous-{name}-{}", std::process::id()));
        let mut new = new_pack(&pack);
        new.pages[0].body = vec![("leaf".into(), 2), ("steam".into(), 1)];
        new.pages[2].body = vec![("steam".into(), 3)];
        new.pages_with = [("leaf".to_owned(), 7), ("steam".to_owned(), 2)].into();
        let plan = Plan { packs: Vec::new(), out: root.clone(), in_place: true, tsv: false, body_terms: 2 };
        let put = |build: &mut super::super::build::Build<'_, '_>| build.put(entry(&pack, "0123".into()), &new);
        let staged = stage(&plan, layout.clone(), &root, &mut |_| {}, |build, _| put(build)).unwrap();
        assert_eq!(staged.output.catalog.index.files > 0, files, "{name}");
        write_rest(&root, &staged, &[]).unwrap();
        let open = |body_terms| PreviousBuild::open(&root, body_terms, layout.clone());
        let (_, previous) = open(2).unchanged("tea", "0123").unwrap();
        assert_eq!(previous, new);
        assert!(open(2).unchanged("tea", "other").is_none());
        assert!(open(3).unchanged("tea", "0123").is_none());
        // A pack is read anew where a file of the previous build is damaged.
        let damaged = staged.names().find(|name| name.ends_with(".idx")).unwrap();
        fs::write(root.join(INDEX_FOLDER).join(damaged), "no index").unwrap();
        assert!(open(2).unchanged("tea", "0123").is_none());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_pack_comes_back_as_it_was() {
        check("single", Layout::default(), false);
        let small = Layout { single_file_bytes: 0, term_bytes: 40, text_bytes: 40, ..Layout::default() };
        check("sharded", Layout { inline_postings: 1, block_postings: 1, ..small.clone() }, true);
        check("spilled", Layout { buffered_postings: 1, ..small }, true);
    }
}
