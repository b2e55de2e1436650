//! The vectors of a folder of packs: the similarities of chunks to a question.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use seealso::{Expected, Request};
use seealso_pack::{FileRef, StageRecord, StagesFile};
use seealso_vectors::{ChunkName, ChunkNo, Error, Vectors, WantedFile};

/// The name of the stage.
pub(crate) const VECTORS_STAGE: &str = "vectors";
/// The most rounds of reading for a call; only hostile files need more.
const MOST_ROUNDS: usize = 16;

/// The vectors of a folder of packs.
pub(crate) struct VectorLibrary {
    /// The folder of the root file.
    folder: PathBuf,
    vectors: Vectors,
    record: StageRecord,
}

/// A chunk as the index of chunks knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ChunkPlace {
    /// Its pack's path.
    pub(crate) pack: String,
    /// Its number among the chunks of its pack.
    pub(crate) place: u32,
    /// Its page's file, and its number there.
    pub(crate) name: ChunkName,
}

impl VectorLibrary {
    /// Opens the vectors of the packs under `root`; none where `stages` has none.
    ///
    /// # Errors
    /// A root that is missing or damaged, or of another version.
    pub(crate) fn open(root: &Path, stages: &StagesFile) -> anyhow::Result<Option<VectorLibrary>> {
        let Some(record) = stages.stage(VECTORS_STAGE) else { return Ok(None) };
        let known = u32::from(seealso_vectors::VERSION);
        if record.version != known {
            bail!("the vectors have version {}, this program knows {known}; run `seealso setup` again", record.version);
        }
        let bytes = read_root(root, &record.root)?;
        let vectors = Vectors::open(&bytes).with_context(|| record.root.path.clone())?;
        let path = root.join(&record.root.path);
        let folder = path.parent().unwrap_or(root).to_path_buf();
        Ok(Some(VectorLibrary { folder, vectors, record: record.clone() }))
    }

    /// The vectors.
    pub(crate) fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// What the stages file says of the vectors.
    pub(crate) fn record(&self) -> &StageRecord {
        &self.record
    }

    /// The similarity of each of these chunks to the question whose vector `query` is.
    ///
    /// # Errors
    /// A file that is missing or damaged; vectors of other chunks. One chunk without a similarity fails the call.
    pub(crate) fn similarities(&self, query: &[f32], chunks: &[ChunkPlace]) -> anyhow::Result<Vec<f32>> {
        let numbers = chunks.iter().map(|chunk| self.number_of(chunk)).collect::<anyhow::Result<Vec<ChunkNo>>>()?;
        let similarities = self.resolve(|vectors| vectors.similarities(query, &numbers))?;
        for (chunk, number) in chunks.iter().zip(&numbers) {
            let stored = self.resolve(|vectors| vectors.name(*number))?;
            ensure!(
                stored == chunk.name,
                "{}: the vectors are of other chunks ({} {} in place of {} {}); run `seealso setup` again",
                chunk.pack,
                stored.file,
                stored.number,
                chunk.name.file,
                chunk.name.number
            );
        }
        Ok(similarities)
    }

    fn number_of(&self, chunk: &ChunkPlace) -> anyhow::Result<ChunkNo> {
        let pack = self.vectors.packs().find(|pack| pack.path == chunk.pack);
        let number = pack.and_then(|pack| {
            let number = pack.chunks.start.checked_add(chunk.place)?;
            pack.chunks.contains(&number).then_some(ChunkNo(number))
        });
        number.with_context(|| format!("{}: a chunk has no vector; run `seealso setup` again", chunk.pack))
    }

    /// Calls until no file is missing.
    fn resolve<T>(&self, call: impl Fn(&Vectors) -> Result<T, Error>) -> anyhow::Result<T> {
        for _ in 0..MOST_ROUNDS {
            match call(&self.vectors) {
                Err(Error::Missing) => {}
                other => return Ok(other?),
            }
            for file in self.vectors.wanted() {
                self.vectors.supply(file, &self.read(file)?)?;
            }
        }
        bail!("the vectors ask for files in more than {MOST_ROUNDS} rounds; run `seealso setup` again")
    }

    fn read(&self, file: WantedFile) -> anyhow::Result<Vec<u8>> {
        let path = self.folder.join(file.name());
        read_checked(&path, file.bytes as usize, Expected::HashStart(file.hash.to_vec()))
    }
}

fn read_root(root: &Path, file: &FileRef) -> anyhow::Result<Vec<u8>> {
    let bytes = usize::try_from(file.bytes).unwrap_or(usize::MAX);
    read_checked(&root.join(&file.path), bytes, Expected::Sha256(file.sha256.clone()))
}

/// The bytes of a file, which are what its name and the stages file say.
fn read_checked(path: &Path, max_bytes: usize, expected: Expected) -> anyhow::Result<Vec<u8>> {
    let shown = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("reading {shown}; run `seealso setup` again"))?;
    let request = Request { path: shown, max_bytes, expected, allows_cached_copy: false };
    let checked = request.check(bytes);
    let damaged = |error: seealso::SourceError| anyhow::anyhow!("{}: damaged; run `seealso setup` again", error.path);
    Ok(checked.map_err(damaged)?.bytes)
}
