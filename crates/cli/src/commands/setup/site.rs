//! The packs that a setup is of, as the catalog lists them, and their chunks.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use seealso_chunks::{Chunk, ChunkKind, ChunkSizes, chunks};
use seealso_pack::{Catalog, CatalogPack, Pack, fingerprint};

use crate::chunk_library::read_catalog;
use crate::shell_quoting::quote_path;
use crate::source::listed_packs;

/// A folder of built packs.
pub(super) struct Site {
    /// The folder.
    pub(super) root: PathBuf,
    pub(super) catalog: Catalog,
    /// All packs, in the order of the catalog.
    pub(super) packs: Vec<CatalogPack>,
}

/// A pack with the chunks of its pages.
pub(super) struct PackChunks {
    pub(super) pack: Pack,
    /// The chunks of each page, in the order of the pack's pages.
    pub(super) of_pages: Vec<Vec<Chunk>>,
}

impl Site {
    /// Reads the catalog under `root`.
    pub(super) fn open(root: &Path) -> anyhow::Result<Site> {
        let catalog = read_catalog(root)?;
        let packs = listed_packs(root, &catalog)?.into_owned();
        Ok(Site { root: root.to_path_buf(), catalog, packs })
    }

    /// How many pages the catalog counts.
    pub(super) fn pages(&self) -> u32 {
        self.packs.iter().map(|pack| pack.pages).sum()
    }

    /// The packs whose files are not those that the index was built of, by path.
    pub(super) fn changed_packs(&self) -> anyhow::Result<Vec<&str>> {
        let mut changed = Vec::new();
        for pack in &self.packs {
            let dir = self.root.join(&pack.path);
            if !dir.is_dir() {
                bail!("{}: there is no such folder, so the pack has no pages to make chunks of", dir.display());
            }
            if fingerprint(&dir)? != pack.fingerprint {
                changed.push(pack.path.as_str());
            }
        }
        Ok(changed)
    }

    /// Refuses packs that changed since their index was built: their chunks would be stale at once.
    pub(super) fn ensure_index_is_current(&self) -> anyhow::Result<()> {
        match self.changed_packs()?.as_slice() {
            [] => Ok(()),
            changed => bail!(
                "{} changed since the index was built; run `seealso build` as before, then `seealso setup {}`",
                changed.join(", "),
                quote_path(&self.root)
            ),
        }
    }

    /// Reads the pages of a pack.
    pub(super) fn read_pack(&self, pack: &CatalogPack) -> anyhow::Result<Pack> {
        Pack::read(&self.root.join(&pack.path), &pack.path).with_context(|| pack.path.clone())
    }

    /// Reads the pages of a pack, and divides them.
    pub(super) fn read_chunks(&self, pack: &CatalogPack) -> anyhow::Result<PackChunks> {
        let pack = self.read_pack(pack)?;
        let sizes = ChunkSizes::default();
        let of_pages = pack.pages.iter().map(|page| chunks(page, &sizes)).collect();
        Ok(PackChunks { pack, of_pages })
    }
}

impl PackChunks {
    /// How many chunks of text there are: those that are searched.
    pub(super) fn texts(&self) -> usize {
        self.of_pages.iter().flatten().filter(|chunk| chunk.kind == ChunkKind::Text).count()
    }
}
