//! The vectors of a pack's texts on disk, so that a text that was encoded before is not encoded again.
//!
//! Each vector is appended as soon as it is there: a run that is interrupted keeps what it has done. What is damaged, or of
//! another model, is encoded again.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use seealso_vectors::{EmbeddingCache, Int8Ref, Space, TextHash, quantise};

/// The vectors of a pack's texts, and their file.
pub(crate) struct EmbeddingFile {
    path: PathBuf,
    cache: EmbeddingCache,
    /// Open from the first vector that is added.
    file: Option<File>,
}

impl EmbeddingFile {
    /// Reads the file at `path`. Where there is none, or it is of another space, it has no vectors.
    ///
    /// # Errors
    /// A file that is there and can't be read.
    pub(crate) fn open(path: &Path, space: Space) -> anyhow::Result<EmbeddingFile> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            other => other.with_context(|| format!("reading {}", path.display()))?,
        };
        Ok(EmbeddingFile { path: path.to_path_buf(), cache: EmbeddingCache::read(&bytes, space), file: None })
    }

    /// The vector of a text.
    pub(crate) fn get(&self, text: &TextHash) -> Option<Int8Ref<'_>> {
        self.cache.get(text)
    }

    /// Adds the vector of a text, and appends it to the file.
    ///
    /// # Errors
    /// A vector without direction, a full disk, a folder that can't be written.
    pub(crate) fn insert(&mut self, text: TextHash, vector: &[f32]) -> anyhow::Result<()> {
        let record = self.cache.insert(text, quantise(vector)?.view())?;
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.open_behind_sound_bytes()?,
        };
        file.write_all(&record).with_context(|| format!("writing {}", self.path.display()))?;
        self.file = Some(file);
        Ok(())
    }

    /// The file, cut behind its last sound record, at its end.
    fn open_behind_sound_bytes(&self) -> anyhow::Result<File> {
        let writing = || format!("writing {}", self.path.display());
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).with_context(writing)?;
        }
        let options = OpenOptions::new().write(true).create(true).truncate(false).open(&self.path);
        let mut file = options.with_context(writing)?;
        let sound = self.cache.sound_bytes() as u64;
        file.set_len(sound).and_then(|()| file.seek(SeekFrom::Start(sound))).with_context(writing)?;
        if sound == 0 {
            file.write_all(&self.cache.head()).with_context(writing)?;
        }
        Ok(file)
    }

    /// Drops the vectors of other texts than these where they are more than half of all.
    ///
    /// # Errors
    /// A full disk, a folder that can't be written.
    pub(crate) fn drop_all_but(&mut self, texts: &BTreeSet<TextHash>) -> anyhow::Result<()> {
        let kept: Vec<&TextHash> = texts.iter().filter(|text| self.cache.get(text).is_some()).collect();
        if self.cache.len() <= 2 * kept.len() {
            return Ok(());
        }
        let mut cache = EmbeddingCache::new(self.cache.space().clone());
        let mut bytes = cache.head();
        for text in kept {
            let vector = self.cache.get(text).context("it was just found")?;
            bytes.extend(cache.insert(*text, vector)?);
        }
        let staged = self.path.with_extension("emb.new");
        self.file = None;
        fs::write(&staged, &bytes).with_context(|| format!("writing {}", staged.display()))?;
        fs::rename(&staged, &self.path).with_context(|| format!("writing {}", self.path.display()))?;
        self.cache = EmbeddingCache::read(&bytes, cache.space().clone());
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn space() -> Space {
        Space { model: "m".into(), sha256: [1; 32], scheme: "s".into(), dimensions: 2 }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("seealso-embeddings-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    /// Which of the texts 0 to 4 have a vector.
    fn known(file: &EmbeddingFile) -> Vec<u8> {
        (0..5).filter(|&text| file.get(&[text; 32]).is_some()).collect()
    }

    #[test]
    fn what_was_encoded_is_there_in_the_next_run() {
        let folder = folder("kept");
        let path = folder.join("history/rome.emb");
        let open = || EmbeddingFile::open(&path, space()).unwrap();
        let mut file = open();
        assert!(known(&file).is_empty());
        file.insert([0; 32], &[1.0, 0.0]).unwrap();
        file.insert([1; 32], &[0.6, 0.8]).unwrap();
        assert_eq!(known(&open()), [0, 1]);
        // The last record is cut short, as by a run that was killed.
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let mut cut = open();
        assert_eq!(known(&cut), [0]);
        cut.insert([2; 32], &[0.0, 1.0]).unwrap();
        assert_eq!(known(&open()), [0, 2]);
        assert_eq!(open().get(&[2; 32]).unwrap().values, [0, 127]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_damaged_file_and_one_of_another_model_are_redone() {
        let folder = folder("redone");
        let path = folder.join("p.emb");
        let mut file = EmbeddingFile::open(&path, space()).unwrap();
        file.insert([0; 32], &[1.0, 0.0]).unwrap();
        let other = || Space { sha256: [2; 32], ..space() };
        let mut file = EmbeddingFile::open(&path, other()).unwrap();
        assert!(known(&file).is_empty());
        file.insert([3; 32], &[1.0, 0.0]).unwrap();
        assert_eq!(known(&EmbeddingFile::open(&path, other()).unwrap()), [3]);
        assert!(known(&EmbeddingFile::open(&path, space()).unwrap()).is_empty());
        fs::write(&path, "<html>").unwrap();
        let mut file = EmbeddingFile::open(&path, space()).unwrap();
        file.insert([4; 32], &[1.0, 0.0]).unwrap();
        assert_eq!(known(&EmbeddingFile::open(&path, space()).unwrap()), [4]);
        assert!(file.insert([1; 32], &[0.0, 0.0]).unwrap_err().to_string().contains("all zeros"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn vectors_of_texts_that_are_gone_are_dropped_when_they_are_most() {
        let folder = folder("dropped");
        let path = folder.join("p.emb");
        let mut file = EmbeddingFile::open(&path, space()).unwrap();
        (0..5).for_each(|text| file.insert([text; 32], &[1.0, f32::from(text)]).unwrap());
        let texts = |texts: &[u8]| texts.iter().map(|&text| [text; 32]).collect::<BTreeSet<TextHash>>();
        file.drop_all_but(&texts(&[0, 2, 4])).unwrap();
        assert_eq!(known(&file), [0, 1, 2, 3, 4]);
        file.drop_all_but(&texts(&[2, 4, 9])).unwrap();
        assert_eq!(known(&file), [2, 4]);
        file.insert([3; 32], &[1.0, 0.0]).unwrap();
        assert_eq!(known(&EmbeddingFile::open(&path, space()).unwrap()), [2, 3, 4]);
        fs::remove_dir_all(folder).unwrap();
    }
}
