//! What an earlier build left, and the fingerprints that tell whether a pack is still the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use seealso_index::{Index, NewPack, NewPage};
use sha2::{Digest, Sha256};

use super::hex;
use crate::Error;
use crate::catalog::{CATALOG_FILE, Catalog, CatalogPack};

/// The catalog and index that lie at the packs root already, where they can be used.
pub(super) struct LastBuild(Option<(Catalog, Index)>);

impl LastBuild {
    pub(super) fn open(out: &Path) -> LastBuild {
        let read = || {
            let catalog = Catalog::parse(&fs::read(out.join(CATALOG_FILE)).ok()?).ok()?;
            let bytes = fs::read(out.join(&catalog.index.first()?.path)).ok()?;
            let same = hex(&Sha256::digest(&bytes)) == catalog.index.first()?.sha256;
            let same_generator = catalog.generator == Catalog::new(Vec::new(), Vec::new()).generator;
            let index = (same && same_generator).then(|| Index::open(bytes).ok()).flatten()?;
            // Words of bodies can't be read back, so a pack that was taken over would lose them.
            (!index.has_bodies()).then_some((catalog, index))
        };
        LastBuild(read())
    }

    /// The pack as it was indexed, where its files are still the same.
    pub(super) fn unchanged(&self, path: &str, fingerprint: &str) -> Option<(CatalogPack, NewPack)> {
        let (catalog, index) = self.0.as_ref()?;
        let entry = catalog.packs.iter().find(|pack| pack.path == path && pack.fingerprint == fingerprint)?;
        let known = index.packs().iter().find(|pack| pack.path == path)?;
        let mut pages = Vec::new();
        for number in known.pages.clone().map(seealso_index::PageNo) {
            let page = index.page(number).ok()?;
            let links = index.links(number).ok()?;
            let links: Option<Vec<String>> = links.into_iter().map(|to| Some(index.page(to).ok()?.file)).collect();
            pages.push(NewPage {
                file: page.file,
                title: page.title,
                aliases: page.aliases,
                summary: page.summary,
                // No page has one: `open` saw to that.
                body: String::new(),
                hash: page.hash,
                links: links?,
            });
        }
        let pack = NewPack {
            path: path.to_owned(),
            language: entry.language.clone(),
            links_derived: known.links_derived,
            pages,
        };
        Some((entry.clone(), pack))
    }
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
    use super::super::{catalog_of, index_of, new_pack, write::write_index};
    use super::*;
    use crate::Pack;

    #[test]
    fn an_index_with_bodies_is_not_taken_over() {
        let pack = Pack::of_pages("tea", &[("concepts/green.md", "# Green tea\n")]);
        let entries = catalog_of(std::slice::from_ref(&pack)).unwrap().0.packs;
        let root = std::env::temp_dir().join(format!("seealso-last-{}", std::process::id()));
        for (body, expected) in [("", true), ("leaves", false)] {
            let mut new = new_pack(&pack);
            new.pages[0].body = body.into();
            let (catalog, bytes) = index_of(entries.clone(), &[new]).unwrap();
            write_index(&root, &catalog, &bytes, None).unwrap();
            assert_eq!(LastBuild::open(&root).unchanged("tea", "").is_some(), expected, "{body:?}");
        }
        fs::remove_dir_all(root).unwrap();
    }
}
