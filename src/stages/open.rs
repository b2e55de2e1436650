//! `Stages`: the opened data of a site's stages. What cannot be opened is a fault that answers tell, and never an error.

use std::rc::Rc;

use seealso_chunks::CHUNKS_VERSION;
use seealso_index::Index;
use seealso_pack::{Catalog, CatalogPack, FileRef, IndexRef, STAGES_MAX_BYTES, StageModel, StageRecord, StagesFile};
use seealso_vectors::{Vectors, WantedFile};

use super::fault::StageFault;
use super::options::StageOptions;
use crate::library::{IndexFault, Library};
use crate::world::{BoxFuture, Clock, Expected, PackSource, Request, SourceError, fetch_with_retries, join_all};

/// The most rounds of fetching for a search of vectors; only hostile files need more.
const MOST_ROUNDS: usize = 16;

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

/// The vectors of chunks.
#[derive(Debug)]
pub(super) struct VectorStage {
    pub(super) vectors: Vectors,
    /// The least similarity of a page that has to do with a question.
    pub(super) threshold: Option<f64>,
    root: FileRef,
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
        let version = if stage == "chunks" { CHUNKS_VERSION } else { u32::from(seealso_vectors::VERSION) };
        if record.version != version {
            let reason = format!("they have format version {}, this program reads version {version}", record.version);
            return Err(unreadable(reason));
        }
        let outdated: Vec<String> = record.outdated_packs(packs).into_iter().map(str::to_owned).collect();
        match stage {
            "chunks" => {
                let stage = open_chunks(library, record, outdated.clone()).await.map_err(unreadable)?;
                self.chunks = Some(stage);
            }
            _ => {
                let stage = open_vectors(library, record, outdated.clone()).await.map_err(unreadable)?;
                self.vectors = Some(stage);
            }
        }
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

    /// The id of the space that a question must be encoded in, where there are vectors.
    pub fn space(&self) -> Option<String> {
        self.vectors.as_ref().map(|stage| stage.vectors.space().id())
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

impl VectorStage {
    /// Runs `query` on the vectors until it has a result, fetching the files that it needs after each run.
    ///
    /// # Errors
    /// What failed, and where.
    pub(super) async fn resolve<S: PackSource, C: Clock, T>(
        &self,
        library: &Library<S, C>,
        mut query: impl FnMut(&Vectors) -> Result<T, seealso_vectors::Error>,
    ) -> Result<T, String> {
        for _ in 0..MOST_ROUNDS {
            match query(&self.vectors) {
                Err(seealso_vectors::Error::Missing) => {
                    let wanted = self.vectors.wanted();
                    let work = |want: &WantedFile| -> BoxFuture<'_, Result<(), String>> {
                        let want = *want;
                        Box::pin(async move { self.fetch(library, want).await })
                    };
                    let came = join_all(wanted.iter().map(work).collect()).await;
                    came.into_iter().collect::<Result<Vec<()>, String>>()?;
                }
                other => return other.map_err(|error| error.to_string()),
            }
        }
        Err(format!("{}: its files are asked for in more than {MOST_ROUNDS} rounds", self.root.path))
    }

    async fn fetch<S: PackSource, C: Clock>(&self, library: &Library<S, C>, want: WantedFile) -> Result<(), String> {
        let folder = self.root.path.rfind('/').map_or("", |slash| &self.root.path[..=slash]);
        let path = format!("{folder}{}", want.name());
        let bytes = fetch_file(library, path, Expected::HashStart(want.hash.to_vec()), want.bytes as usize).await;
        self.vectors.supply(want, &bytes.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
    }
}

async fn fetch_file<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    path: String,
    expected: Expected,
    max_bytes: usize,
) -> Result<Vec<u8>, SourceError> {
    let request = Request { path, max_bytes, expected, allows_cached_copy: true };
    let timeout_ms = library.config.index_timeout_ms;
    Ok(fetch_with_retries(&library.source, &library.clock, &request, timeout_ms).await?.bytes)
}

/// A file that the catalog or the stages file names.
async fn fetch_ref<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    file: &FileRef,
    max_bytes: usize,
) -> Result<Vec<u8>, String> {
    let fetched = fetch_file(library, file.path.clone(), Expected::Sha256(file.sha256.clone()), max_bytes).await;
    fetched.map_err(|error| error.to_string())
}

async fn read_stages_file<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    file: &FileRef,
) -> Result<StagesFile, String> {
    let bytes = fetch_ref(library, file, STAGES_MAX_BYTES).await?;
    StagesFile::parse(&bytes).map_err(|error| error.to_string())
}

/// The packs that the catalog lists, or the file that it names for them.
async fn packs_of<S: PackSource, C: Clock>(library: &Library<S, C>) -> Result<Vec<CatalogPack>, String> {
    let catalog = library.catalog();
    let Some(file) = &catalog.packs_file else { return Ok(catalog.packs.clone()) };
    let bytes = fetch_ref(library, file, library.config.index_max_bytes).await?;
    Catalog::parse_packs(&bytes).map_err(|error| error.to_string())
}

async fn open_chunks<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    record: &StageRecord,
    outdated: Vec<String>,
) -> Result<ChunkStage, String> {
    let files = IndexRef { root: record.root.clone(), files: 0, total_bytes: 0, body_terms: 0, inline: None };
    let mut index = library.open_index(&files).await.map_err(|error| error.to_string())?;
    index.archive(library.catalog().archived.clone());
    Ok(ChunkStage { index: Rc::new(index), files, outdated })
}

async fn open_vectors<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    record: &StageRecord,
    outdated: Vec<String>,
) -> Result<VectorStage, String> {
    let bytes = fetch_ref(library, &record.root, library.config.index_max_bytes).await?;
    let vectors = Vectors::open(&bytes).map_err(|error| error.to_string())?;
    Ok(VectorStage { vectors, threshold: record.threshold, root: record.root.clone(), outdated })
}
