//! A sentence encoder in this process, on burn: it makes the vectors of chunks and of questions.

use std::fs::{self, File};
use std::io::{BufReader, Read as _};

use seealso::EmbedError;
use seealso_model::Embedder as _;
use seealso_model::encoder::{BertEmbedder, EmbedderLoader, EmbedderOptions, Pooling};
use seealso_vectors::Space;
use sha2::{Digest as _, Sha256};

use crate::encoder::{EncoderFiles, EncoderPooling};
use crate::source::block_on;
use crate::unusable_model::UnusableModel;

/// Bytes of the weights that are read at once.
const PIECE: usize = 1 << 20;

/// An encoder that is loaded.
pub(crate) struct LocalEncoder {
    space: Space,
    /// The space's id.
    id: String,
    embedder: BertEmbedder,
}

impl LocalEncoder {
    /// Loads an encoder.
    ///
    /// # Errors
    /// [`UnusableModel`]: a file that is damaged, or of a model of another kind.
    pub(crate) fn load(files: &EncoderFiles) -> Result<LocalEncoder, UnusableModel> {
        let unusable = |reason: String| UnusableModel::new(&files.weights, reason);
        let failed = |error: seealso_model::Error| unusable(error.to_string());
        let pooling = match files.pooling {
            EncoderPooling::Mean => Pooling::Mean,
            EncoderPooling::First => Pooling::First,
        };
        let options = EmbedderOptions { pooling, ..EmbedderOptions::new(files.name.as_str()) };
        let scheme = options.scheme();
        let mut loader = EmbedderLoader::on_cpu(options);
        for path in [&files.config, &files.tokenizer] {
            let text = fs::read(path).map_err(|error| unusable(format!("reading {}: {error}", path.display())))?;
            loader.feed(&text).and_then(|()| loader.end_file()).map_err(failed)?;
        }
        let sha256 = feed_weights(files, &mut loader)?;
        loader.end_file().map_err(failed)?;
        let embedder = loader.finish().map_err(failed)?;
        let space = Space { model: files.name.clone(), sha256, scheme, dimensions: embedder.dimensions() };
        Ok(LocalEncoder { id: space.id(), space, embedder })
    }

    /// The space of its vectors.
    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    /// The vectors of texts, in their order.
    ///
    /// # Errors
    /// Where the device fails.
    pub(crate) fn embed(&self, texts: &[&str]) -> anyhow::Result<Vec<Vec<f32>>> {
        Ok(block_on(self.embedder.embed(texts))??)
    }
}

impl seealso::Embedder for LocalEncoder {
    fn space(&self) -> &str {
        &self.id
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.embedder.embed(texts).await.map_err(|error| EmbedError { reason: error.to_string() })
    }
}

/// Feeds the weights, and gives their SHA-256.
fn feed_weights(files: &EncoderFiles, loader: &mut EmbedderLoader) -> Result<[u8; 32], UnusableModel> {
    let unusable = |reason: String| UnusableModel::new(&files.weights, reason);
    let file = File::open(&files.weights).map_err(|error| unusable(format!("opening it: {error}")))?;
    let (mut reader, mut hash, mut piece) = (BufReader::new(file), Sha256::new(), vec![0; PIECE]);
    loop {
        let count = reader.read(&mut piece).map_err(|error| unusable(format!("reading it: {error}")))?;
        if count == 0 {
            return Ok(hash.finalize().into());
        }
        hash.update(&piece[..count]);
        loader.feed(&piece[..count]).map_err(|error| unusable(error.to_string()))?;
    }
}
