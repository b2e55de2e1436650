//! `VectorStage`: the vectors of a site's chunks, with the files of them that have been fetched so far.

use std::fmt;

use seealso_pack::{CatalogPack, FileRef, StageRecord};
use seealso_vectors::{ChunkName, ChunkNo, Error, Vectors, WantedFile};

use super::stage_files::{fetch_file, fetch_ref};
use crate::library::Library;
use crate::world::{BoxFuture, Clock, Expected, PackSource, join_all};

/// The most rounds of fetching for a search of vectors; only hostile files need more.
const MOST_ROUNDS: usize = 16;

/// The vectors of chunks.
#[derive(Debug)]
pub struct VectorStage {
    vectors: Vectors,
    root: FileRef,
    threshold: Option<f64>,
    outdated: Vec<String>,
}

/// A chunk as the index of chunks knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChunkPlace {
    /// The path of its pack.
    pub pack: String,
    /// Its number among all chunks of its pack, from 0.
    pub place: u32,
    /// Its page's file, and its number there.
    pub name: ChunkName,
}

/// Why vectors give no similarities.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum VectorFault {
    /// Files are missing, damaged, or of another version.
    Unreadable {
        /// What failed, and where.
        reason: String,
    },
    /// A chunk has no vector, or that of another chunk stands in its place.
    OtherChunks,
}

impl fmt::Display for VectorFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VectorFault::Unreadable { reason } => f.write_str(reason),
            VectorFault::OtherChunks => f.write_str("the vectors are of other chunks; run `seealso setup` again"),
        }
    }
}

impl std::error::Error for VectorFault {}

impl VectorStage {
    /// Opens the vectors that `record` names. `packs` are those that the catalog lists.
    ///
    /// # Errors
    /// [`VectorFault::Unreadable`].
    pub async fn open<S: PackSource, C: Clock>(
        library: &Library<S, C>,
        record: &StageRecord,
        packs: &[CatalogPack],
    ) -> Result<VectorStage, VectorFault> {
        let unreadable = |reason: String| VectorFault::Unreadable { reason };
        record.check_version(seealso_vectors::VERSION.into()).map_err(|error| unreadable(error.to_string()))?;
        let bytes = fetch_ref(library, &record.root, library.config.index_max_bytes).await.map_err(unreadable)?;
        let vectors = Vectors::open(&bytes).map_err(|error| unreadable(error.to_string()))?;
        let outdated = record.outdated_packs(packs).into_iter().map(str::to_owned).collect();
        Ok(VectorStage { vectors, root: record.root.clone(), threshold: record.threshold, outdated })
    }

    /// The vectors, with the files that have been fetched so far.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// The least similarity of a page that has to do with a question.
    pub fn threshold(&self) -> Option<f64> {
        self.threshold
    }

    /// The paths of packs whose pages are newer.
    pub fn outdated(&self) -> &[String] {
        &self.outdated
    }

    /// The similarity of each of these chunks to the question whose vector is `query`: a cosine, 0 where it is negative. A chunk
    /// of a pack without vectors, whose language the encoder does not know, has none, and neither has one of a pack whose pages
    /// are newer.
    ///
    /// # Errors
    /// [`VectorFault`], also where one chunk of the others has no vector.
    pub async fn similarities<S: PackSource, C: Clock>(
        &self,
        library: &Library<S, C>,
        query: &[f32],
        chunks: &[ChunkPlace],
    ) -> Result<Vec<Option<f32>>, VectorFault> {
        let measuring = self.resolve(library, |vectors| {
            let Some(numbers) = chunk_numbers(vectors, chunks, &self.outdated)? else { return Ok(None) };
            let known: Vec<ChunkNo> = numbers.iter().flatten().copied().collect();
            let mut measured = vectors.similarities(query, &known)?.into_iter();
            Ok(Some(numbers.into_iter().map(|number| number.and_then(|_| measured.next())).collect()))
        });
        let measured = measuring.await.map_err(|reason| VectorFault::Unreadable { reason })?;
        measured.ok_or(VectorFault::OtherChunks)
    }

    /// Runs `query` on the vectors until it has a result, fetching the files that it needs after each run.
    ///
    /// # Errors
    /// What failed, and where.
    pub(super) async fn resolve<S: PackSource, C: Clock, T>(
        &self,
        library: &Library<S, C>,
        mut query: impl FnMut(&Vectors) -> Result<T, Error>,
    ) -> Result<T, String> {
        for _ in 0..MOST_ROUNDS {
            match query(&self.vectors) {
                Err(Error::Missing) => {
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
        let max_bytes = library.config.index_max_bytes.min(want.bytes as usize);
        let bytes = fetch_file(library, path, Expected::HashStart(want.hash.to_vec()), max_bytes).await;
        self.vectors.supply(want, &bytes.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
    }
}

/// The numbers of the chunks among the vectors, none for a chunk of a pack without vectors or of an `outdated` one; `None` where
/// one of them is another chunk there.
fn chunk_numbers(
    vectors: &Vectors,
    chunks: &[ChunkPlace],
    outdated: &[String],
) -> Result<Option<Vec<Option<ChunkNo>>>, Error> {
    let mut numbers = Vec::new();
    for chunk in chunks {
        if outdated.contains(&chunk.pack) {
            numbers.push(None);
            continue;
        }
        let Some(pack) = vectors.packs().find(|pack| pack.path == chunk.pack) else { return Ok(None) };
        let number = pack.chunks.start.checked_add(chunk.place).filter(|number| pack.chunks.contains(number));
        if number.is_none() && !pack.chunks.is_empty() {
            return Ok(None);
        }
        numbers.push(number.map(ChunkNo));
    }
    vectors.prefetch(&numbers.iter().flatten().copied().collect::<Vec<_>>())?;
    for (number, chunk) in numbers.iter().zip(chunks) {
        let Some(number) = *number else { continue };
        if vectors.name(number)? != chunk.name {
            return Ok(None);
        }
    }
    Ok(Some(numbers))
}
