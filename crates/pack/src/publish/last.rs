//! What an earlier build left, and the fingerprints that tell whether a pack is still the same.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use seealso_index::{Error as IndexError, Form, Forward, Index, NewPack, NewPage, PackInfo, PackNo, PageNo};
use sha2::{Digest, Sha256};

use super::{hex, read_words, words_path};
use crate::Error;
use crate::catalog::{CATALOG_FILE, Catalog, CatalogPack, GENERATOR};

/// The catalog and index that lie at the packs root already, where they can be used.
pub(super) struct LastBuild(Option<Last>);

struct Last {
    out: PathBuf,
    catalog: Catalog,
    index: Index,
    /// What only postings tell of the pages: read when the first pack is taken over, since it takes the whole index.
    forward: OnceCell<Option<Vec<Forward>>>,
}

impl LastBuild {
    pub(super) fn open(out: &Path, body_terms: usize) -> LastBuild {
        let read = || {
            let catalog = Catalog::parse(&fs::read(out.join(CATALOG_FILE)).ok()?).ok()?;
            let root = fs::read(out.join(&catalog.index.root.path)).ok()?;
            let same = hex(&Sha256::digest(&root)) == catalog.index.root.sha256;
            let same_generator = catalog.generator == GENERATOR && catalog.index.body_terms == body_terms as u64;
            let index = (same && same_generator).then(|| Index::open(&root).ok()).flatten()?;
            let mut last = Last { out: out.to_path_buf(), catalog, index, forward: OnceCell::new() };
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
    pub(super) fn unchanged(&self, path: &str, fingerprint: &str) -> Option<(CatalogPack, NewPack)> {
        let last = self.0.as_ref()?;
        let entry = last.catalog.packs.iter().find(|pack| pack.path == path && pack.fingerprint == fingerprint)?;
        let forward = last.forward.get_or_init(|| last.read(Index::forward)).as_ref()?;
        let mut pack = last.read(|index| last_pack(index, forward, entry))??;
        pack.pages_with = read_words(&fs::read_to_string(last.out.join(words_path(fingerprint))).ok()?)?;
        // Builds that counted no words left an empty list.
        if pack.pages_with.is_empty() && !pack.pages.is_empty() {
            return None;
        }
        Some((entry.clone(), pack))
    }
}

impl Last {
    /// Asks the index, reading the files that it misses; none where one is damaged.
    fn read<T>(&self, ask: impl Fn(&Index) -> Result<T, IndexError>) -> Option<T> {
        loop {
            match ask(&self.index) {
                Err(IndexError::Missing) => {
                    for want in self.index.wanted() {
                        let file = fs::read(self.out.join(self.catalog.index.path_of(&want.name()))).ok()?;
                        let sound = Sha256::digest(&file).starts_with(&want.hash);
                        let raw = sound.then(|| Form::of(&file).and_then(Form::unpack).ok()).flatten()?;
                        self.index.supply(want.file, raw).ok()?;
                    }
                }
                other => return other.ok(),
            }
        }
    }
}

/// A pack as an index has it; none where the index doesn't know it.
fn last_pack(index: &Index, forward: &[Forward], entry: &CatalogPack) -> Result<Option<NewPack>, IndexError> {
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
            body: forward[page.0 as usize].body.clone(),
            tags: forward[page.0 as usize].tags.clone(),
            hash: known.hash,
            links: index.links(page)?.into_iter().map(|linked| linked.0 - numbers.start).collect(),
        });
    }
    Ok(Some(NewPack { info: info(index, number, entry)?, pages, ..NewPack::default() }))
}

fn info(index: &Index, number: PackNo, entry: &CatalogPack) -> Result<PackInfo, IndexError> {
    Ok(PackInfo {
        path: entry.path.clone(),
        page_root: entry.page_root.clone(),
        title: entry.title.clone(),
        summary: entry.summary.clone(),
        language: entry.language.clone(),
        links_derived: index.pack(number)?.links_derived,
    })
}

/// SHA-256, in hex, over the names and bytes of a pack's files.
pub(super) fn fingerprint(dir: &Path) -> Result<String, Error> {
    let mut hash = Sha256::new();
    for (name, path) in files_below(dir)? {
        let bytes = fs::read(&path).map_err(|e| Error::io(&path, "reading", e))?;
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    Ok(hex(&hash.finalize()))
}

/// Every file below `dir` by its `/`-separated name, hidden ones aside.
pub(super) fn files_below(dir: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![(dir.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, "reading", e))? {
            let entry = entry.map_err(|e| Error::io(&folder, "reading", e))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_err(|e| Error::io(&entry.path(), "reading", e))?;
            if name.starts_with('.') {
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
    use super::super::{catalog_of, index_in, new_pack, write::write_index};
    use super::*;
    use crate::Pack;
    use seealso_index::Layout;

    /// Writes the pack by `layout`, and reads it back.
    fn check(name: &str, layout: Layout, files: bool) {
        let front = "---\ntitle: Green tea\ntags: [hot, leaf]\n---\n\n## See Also\n\n- [[black]]\n";
        let pages = [("concepts/green.md", front), ("concepts/black.md", "# Black tea\n"), ("concepts/x.md", "# X\n")];
        let pack = Pack::of_pages("tea", &pages);
        let mut entries = catalog_of(std::slice::from_ref(&pack)).unwrap().catalog.packs;
        entries[0].fingerprint = "0123".into();
        let root = std::env::temp_dir().join(format!("seealso-last-{name}-{}", std::process::id()));
        let mut new = new_pack(&pack);
        new.pages[0].body = vec![("leaf".into(), 2), ("steam".into(), 1)];
        new.pages[2].body = vec![("steam".into(), 3)];
        new.pages_with = [("leaf".to_owned(), 7), ("steam".to_owned(), 2)].into();
        let built = index_in(entries, &[new.clone()], 2, layout).unwrap();
        assert_eq!(built.catalog.index.files > 0, files, "{name}");
        write_index(&root, &built, None).unwrap();
        let (_, last) = LastBuild::open(&root, 2).unchanged("tea", "0123").unwrap();
        assert_eq!(last, new);
        assert!(LastBuild::open(&root, 2).unchanged("tea", "other").is_none());
        assert!(LastBuild::open(&root, 3).unchanged("tea", "0123").is_none());
        // A build is made anew where a file of the last one is damaged.
        let index =
            built.files.iter().map(|(path, _)| root.join(path)).find(|path| path.extension() == Some("idx".as_ref()));
        fs::write(index.unwrap(), "no index").unwrap();
        assert!(LastBuild::open(&root, 2).unchanged("tea", "0123").is_none());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_pack_comes_back_as_it_was() {
        check("single", Layout::default(), false);
        let small = Layout { single_file_bytes: 0, term_bytes: 40, text_bytes: 40, ..Layout::default() };
        check("sharded", Layout { inline_postings: 1, chunk_postings: 1, ..small }, true);
    }
}
