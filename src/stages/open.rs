//! `Stages`: the opened data of a site's stages. What cannot be opened is a fault that answers tell, and never an error.

use std::rc::Rc;

use seealso_chunks::CHUNKS_VERSION;
use seealso_index::Index;
use seealso_pack::{CatalogPack, IndexRef, StageModel, StageRecord};

use super::fault::StageFault;
use super::options::StageOptions;
use super::stage_files::{packs_of, read_stages_file};
use super::vector_stage::VectorStage;
use crate::library::{IndexFault, Library};
use crate::world::{Clock, PackSource};

/// The stages of a library, with the files that have been fetched so far.
#[derive(Debug, Default)]
pub struct Stages {
    pub(super) chunks: Option<ChunkStage>,
    pub(super) vectors: Option<VectorStage>,
    faults: Vec<StageFault>,
}

/// The index of chunks.
#[derive(Debug)]
pub(super) struct ChunkStage {
    index: Rc<Index>,
    files: IndexRef,
    /// The paths of packs whose pages are newer.
    pub(super) outdated: Vec<String>,
}

impl Stages {
    /// Opens those stages of `library` that `options` switch on. A site without stages costs no request.
    pub async fn open<S: PackSource, C: Clock>(library: &Library<S, C>, options: &StageOptions) -> Stages {
        let mut stages = Stages::default();
        if !options.chunks && !options.vectors {
            return stages;
        }
        let wanted = [("chunks", options.chunks), ("vectors", options.vectors || options.rerank)];
        let catalog = library.catalog();
        let file = match &catalog.stages_file {
            None => None,
            Some(file) => match read_stages_file(library, file).await {
                Ok(read) => Some(read),
                Err(reason) => {
                    stages.faults.push(StageFault::Unreadable { stage: "stages", reason });
                    return stages;
                }
            },
        };
        let packs = match packs_of(library).await {
            Ok(packs) => packs,
            Err(reason) => {
                stages.faults.push(StageFault::Unreadable { stage: "stages", reason });
                return stages;
            }
        };
        for (stage, _) in wanted.into_iter().filter(|(_, on)| *on) {
            let record = file.as_ref().and_then(|file| file.stage(stage));
            if record.is_none() && stage == "vectors" && !options.vectors {
                // Chunks are ranked by them where they are there; nobody asked for them.
                continue;
            }
            if let Err(fault) = stages.open_stage(library, stage, record, &packs).await {
                stages.faults.push(fault);
            }
        }
        stages
    }

    async fn open_stage<S: PackSource, C: Clock>(
        &mut self,
        library: &Library<S, C>,
        stage: &'static str,
        record: Option<&StageRecord>,
        packs: &[CatalogPack],
    ) -> Result<(), StageFault> {
        let record = record.ok_or(StageFault::NotProvided { stage })?;
        let unreadable = |reason: String| StageFault::Unreadable { stage, reason };
        let outdated = match stage {
            "chunks" => {
                let stage = open_chunks(library, record, packs).await.map_err(unreadable)?;
                self.chunks.insert(stage).outdated.clone()
            }
            _ => {
                let opened = VectorStage::open(library, record, packs).await;
                let stage = opened.map_err(|fault| unreadable(fault.to_string()))?;
                self.vectors.insert(stage).outdated().to_vec()
            }
        };
        match outdated.is_empty() {
            true => Ok(()),
            false => Err(StageFault::Stale { stage, packs: outdated }),
        }
    }

    /// What could not be opened, or only in part.
    pub fn faults(&self) -> &[StageFault] {
        &self.faults
    }

    /// Whether none could be opened.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_none() && self.vectors.is_none()
    }

    /// The names of those with data of their own, in the order of [`STAGES`](super::options::STAGES).
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let opened = [("chunks", self.chunks.is_some()), ("vectors", self.vectors.is_some())];
        opened.into_iter().filter(|(_, is_opened)| *is_opened).map(|(name, _)| name)
    }

    /// The id of the space that a question must be encoded in, where there are vectors.
    pub fn space(&self) -> Option<String> {
        self.vectors.as_ref().map(|stage| stage.vectors().space().id())
    }
}

/// The encoder of the vectors of `library`, as its stages file has it; none where there are no vectors. Nothing but that file is
/// fetched.
///
/// # Errors
/// [`StageFault::Unreadable`].
pub async fn stage_model<S: PackSource, C: Clock>(library: &Library<S, C>) -> Result<Option<StageModel>, StageFault> {
    let Some(file) = &library.catalog().stages_file else { return Ok(None) };
    let read = read_stages_file(library, file).await;
    let file = read.map_err(|reason| StageFault::Unreadable { stage: "stages", reason })?;
    Ok(file.stage("vectors").and_then(|record| record.model.clone()))
}

impl ChunkStage {
    /// Runs `query` on the index of chunks, fetching the files that it needs.
    ///
    /// # Errors
    /// [`IndexFault`].
    pub(super) async fn resolve<S: PackSource, C: Clock, T>(
        &self,
        library: &Library<S, C>,
        query: impl FnMut(&Index) -> Result<T, seealso_index::Error>,
    ) -> Result<T, IndexFault> {
        library.beside(&self.index, self.files.clone()).resolve(query).await
    }
}

async fn open_chunks<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    record: &StageRecord,
    packs: &[CatalogPack],
) -> Result<ChunkStage, String> {
    record.check_version(CHUNKS_VERSION).map_err(|error| error.to_string())?;
    let files = record.index();
    let mut index = library.open_index(&files).await.map_err(|error| error.to_string())?;
    index.archive(library.catalog().archived.clone());
    let outdated = record.outdated_packs(packs).into_iter().map(str::to_owned).collect();
    Ok(ChunkStage { index: Rc::new(index), files, outdated })
}
