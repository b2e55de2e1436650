//! `EntryStage`: the entries of a site, opened: one file, of which every request compares all vectors.

use seealso_pack::{
    CatalogPack, ENTRIES_MAX_BYTES, ENTRIES_STAGE, ENTRIES_VERSION, EntriesFile, KnowledgeEntry, PackEntries, Pattern,
    StageRecord, WithVector,
};
use seealso_vectors::{Int8Table, Space};

use super::fault::EntryFault;
use crate::answer::Notice;
use crate::library::{Library, page_id};
use crate::stages::model_space::space_of;
use crate::stages::stage_files::{fetch_ref, packs_of, read_stages_file};
use crate::world::{Clock, PackSource};

/// The entries of a site. No function of it changes an entry.
#[derive(Debug)]
pub struct EntryStage {
    /// The space of the vectors; none where there are none.
    space: Option<Space>,
    threshold: Option<f64>,
    pub(super) entries: Vec<Placed<KnowledgeEntry>>,
    pub(super) patterns: Vec<Placed<Pattern>>,
    vectors: Int8Table,
    notices: Vec<Notice>,
}

/// An entry or a pattern, and where its page and its vector are.
#[derive(Debug)]
pub(super) struct Placed<T> {
    pub(super) of: T,
    /// The path of its pack.
    pub(super) pack: String,
    /// The id of its page.
    pub(super) page: String,
    /// The path of its page's file, under the packs root.
    pub(super) path: String,
    /// The number of its vector; none in a pack whose language the encoder does not know.
    vector: Option<usize>,
}

impl EntryStage {
    /// Opens the entries of `library`. Those of a pack that changed since are left out: they may be private or superseded today.
    /// So are those of archived packs.
    ///
    /// # Errors
    /// [`EntryFault::NotProvided`] and [`EntryFault::Unreadable`].
    pub async fn open<S: PackSource, C: Clock>(library: &Library<S, C>) -> Result<EntryStage, EntryFault> {
        let unreadable = |reason: String| EntryFault::Unreadable { reason };
        let file = library.catalog().stages_file.as_ref().ok_or(EntryFault::NotProvided)?;
        let stages = read_stages_file(library, file).await.map_err(unreadable)?;
        let record = stages.stage(ENTRIES_STAGE).ok_or(EntryFault::NotProvided)?;
        record.check_version(ENTRIES_VERSION).map_err(|error| unreadable(error.to_string()))?;
        let bytes = fetch_ref(library, &record.root, ENTRIES_MAX_BYTES).await.map_err(unreadable)?;
        let file = EntriesFile::parse(&bytes).map_err(|error| unreadable(error.to_string()))?;
        let packs = packs_of(library).await.map_err(unreadable)?;
        let mut stage = EntryStage::empty(record)?;
        let (outdated, archived) = (record.outdated_packs(&packs), &library.catalog().archived);
        let mut left_out = Vec::new();
        for of_pack in file.packs.into_iter().filter(|of_pack| !archived.contains(&of_pack.path)) {
            match packs.iter().find(|pack| pack.path == of_pack.path) {
                Some(pack) if !outdated.contains(&pack.path.as_str()) => stage.add(pack, of_pack, &record.root.path)?,
                _ => left_out.push(of_pack.path),
            }
        }
        stage.note_flaws(&left_out);
        Ok(stage)
    }

    fn empty(record: &StageRecord) -> Result<EntryStage, EntryFault> {
        let no_hash = || EntryFault::Unreadable { reason: "the hash of the stage's encoder is none".to_owned() };
        let space = record.model.as_ref().map(|model| space_of(model).ok_or_else(no_hash)).transpose()?;
        let dimensions = space.as_ref().map_or(0, |space| space.dimensions);
        Ok(EntryStage {
            space,
            threshold: record.threshold,
            entries: Vec::new(),
            patterns: Vec::new(),
            vectors: Int8Table::new(dimensions),
            notices: Vec::new(),
        })
    }

    fn add(&mut self, pack: &CatalogPack, of_pack: PackEntries, file: &str) -> Result<(), EntryFault> {
        for entry in of_pack.entries {
            let placed = self.place(pack, entry, |entry| &entry.file, file)?;
            self.entries.push(placed);
        }
        for pattern in of_pack.patterns {
            let placed = self.place(pack, pattern, |pattern| &pattern.file, file)?;
            self.patterns.push(placed);
        }
        Ok(())
    }

    fn place<T>(
        &mut self,
        pack: &CatalogPack,
        WithVector { of, vector }: WithVector<T>,
        file_of: fn(&T) -> &String,
        stage_file: &str,
    ) -> Result<Placed<T>, EntryFault> {
        let vector = match vector.filter(|_| self.space.is_some()) {
            None => None,
            Some(bytes) => {
                let added = self.vectors.push_bytes(&bytes, stage_file);
                added.map_err(|error| EntryFault::Unreadable { reason: error.to_string() })?;
                Some(self.vectors.len() - 1)
            }
        };
        let page = page_id(&pack.path, file_of(&of));
        let root = if pack.page_root.is_empty() { String::new() } else { format!("{}/", pack.page_root) };
        let path = format!("{}/{root}{}", pack.path, file_of(&of));
        Ok(Placed { of, pack: pack.path.clone(), page, path, vector })
    }

    /// Notes which entries no request can find.
    fn note_flaws(&mut self, left_out: &[String]) {
        if !left_out.is_empty() {
            let message = format!(
                "The entries of {} were left out, since these packs changed after them; `seealso setup` brings them up to date.",
                left_out.join(", ")
            );
            self.notices.push(Notice { code: "entries-stale", message });
        }
        let without = self.entries.iter().filter(|entry| entry.vector.is_none()).count();
        if self.space.is_some() && without > 0 {
            let message = format!(
                "{without} of {} entries have no vectors, since the encoder does not know their language, and are not found.",
                self.entries.len()
            );
            self.notices.push(Notice { code: "entries-without-vectors", message });
        }
    }

    /// The space that a question must be encoded in; none where the entries have no vectors.
    pub fn space(&self) -> Option<&Space> {
        self.space.as_ref()
    }

    /// The least relevance of a strong match, as it was measured for the encoder.
    pub fn threshold(&self) -> Option<f64> {
        self.threshold
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The ids of their pages, in the order of the stage.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|placed| placed.page.as_str())
    }

    /// The ids of the pages of entries and patterns.
    pub fn all_pages(&self) -> impl Iterator<Item = &str> {
        self.pages().chain(self.patterns.iter().map(|placed| placed.page.as_str()))
    }

    /// Keeps the entries and patterns of the pages with these ids alone.
    pub fn keep_pages(&mut self, pages: &[String]) {
        self.entries.retain(|placed| pages.contains(&placed.page));
        self.patterns.retain(|placed| pages.contains(&placed.page));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What every response says of the stage.
    pub(super) fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The product of the vector of an entry or a pattern with that of a question; none where it has no vector.
    pub(super) fn cosine<T>(&self, placed: &Placed<T>, question: &[f32]) -> Option<f32> {
        Some(self.vectors.get(placed.vector?)?.dot_floats(question))
    }
}
