//! A sentence encoder in this process: the files of a model of BERT's kind, such as all-MiniLM-L6-v2.

use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use seealso::EmbedError;
use seealso_model::Embedder as _;
use seealso_model::encoder::{BertEmbedder, EmbedderLoader, EmbedderOptions, Pooling};
use seealso_vectors::Space;
use sha2::{Digest as _, Sha256};

use crate::source::block_on;
use crate::unusable_model::UnusableModel;

/// Bytes of the weights that are read at once.
const PIECE: usize = 1 << 20;
/// The ending of the file of weights.
const WEIGHTS: &str = "safetensors";

/// The files of an encoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EncoderFiles {
    /// Its name for people.
    name: String,
    config: PathBuf,
    tokenizer: PathBuf,
    weights: PathBuf,
    pooling: Pooling,
}

/// An encoder that is loaded.
pub(crate) struct LocalEncoder {
    space: Space,
    /// The space's id.
    id: String,
    embedder: BertEmbedder,
}

impl EncoderFiles {
    /// Finds the files of the encoder at `path`: a folder with `config.json`, `tokenizer.json` and `model.safetensors`, or
    /// with the same names behind the encoder's own, such as `all-minilm-l6-v2.config.json` and
    /// `all-minilm-l6-v2.safetensors`; or the file of weights in such a folder.
    ///
    /// # Errors
    /// [`UnusableModel`], which says what is missing.
    pub(crate) fn find(path: &Path) -> Result<EncoderFiles, UnusableModel> {
        let unusable = |reason: String| UnusableModel::new(path, reason);
        let weights = match path.is_dir() {
            true => only_weights(path).map_err(unusable)?,
            false if path.is_file() => path.to_path_buf(),
            false => return Err(unusable("there is no such folder; give the folder of an encoder".to_owned())),
        };
        let folder = weights.parent().unwrap_or(Path::new("")).to_path_buf();
        let stem = weights.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_named_by_folder = stem == "model";
        let beside =
            |file: &str| if is_named_by_folder { folder.join(file) } else { folder.join(format!("{stem}.{file}")) };
        let [config, tokenizer] = ["config.json", "tokenizer.json"].map(beside);
        if let Some(missing) = [&config, &tokenizer].into_iter().find(|file| !file.is_file()) {
            let name = missing.file_name().unwrap_or_default().to_string_lossy();
            return Err(unusable(format!("there is no {name} beside its weights; an encoder has three files")));
        }
        let named = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let name =
            if is_named_by_folder { named.file_name().unwrap_or_default().to_string_lossy().into() } else { stem };
        Ok(EncoderFiles { name, config, tokenizer, weights, pooling: pooling_in(&folder) })
    }

    /// Loads the encoder.
    ///
    /// # Errors
    /// [`UnusableModel`]: a file that is damaged, or of a model of another kind.
    pub(crate) fn load(&self) -> Result<LocalEncoder, UnusableModel> {
        let unusable = |reason: String| UnusableModel::new(&self.weights, reason);
        let failed = |error: seealso_model::Error| unusable(error.to_string());
        let mut options = EmbedderOptions { pooling: self.pooling, ..EmbedderOptions::new("") };
        let scheme = scheme(self.pooling, options.max_tokens);
        options.space.clone_from(&scheme);
        let mut loader = EmbedderLoader::on_cpu(options);
        for path in [&self.config, &self.tokenizer] {
            let text = fs::read(path).map_err(|error| unusable(format!("reading {}: {error}", path.display())))?;
            loader.feed(&text).and_then(|()| loader.end_file()).map_err(failed)?;
        }
        let sha256 = self.feed_weights(&mut loader)?;
        loader.end_file().map_err(failed)?;
        let embedder = loader.finish().map_err(failed)?;
        let space = Space { model: self.name.clone(), sha256, scheme, dimensions: embedder.dimensions() };
        Ok(LocalEncoder { id: space.id(), space, embedder })
    }

    /// Feeds the weights, and gives their SHA-256.
    fn feed_weights(&self, loader: &mut EmbedderLoader) -> Result<[u8; 32], UnusableModel> {
        let unusable = |reason: String| UnusableModel::new(&self.weights, reason);
        let file = File::open(&self.weights).map_err(|error| unusable(format!("opening it: {error}")))?;
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
}

/// The only file of weights in a folder, or `model.safetensors`.
fn only_weights(folder: &Path) -> Result<PathBuf, String> {
    let usual = folder.join("model.safetensors");
    if usual.is_file() {
        return Ok(usual);
    }
    let listing = fs::read_dir(folder).map_err(|error| format!("listing it: {error}"))?;
    let paths = listing.filter_map(|entry| Some(entry.ok()?.path()));
    let found: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ending| ending == WEIGHTS)).collect();
    match found.as_slice() {
        [weights] => Ok(weights.clone()),
        [] => Err("there is no model.safetensors in it; give the folder of an encoder".to_owned()),
        _ => Err(format!("there are {} files of weights in it; give one of them", found.len())),
    }
}

/// How the encoder in a folder pools its states, which `1_Pooling/config.json` says; by their mean where it does not.
fn pooling_in(folder: &Path) -> Pooling {
    let text = fs::read(folder.join("1_Pooling/config.json")).unwrap_or_default();
    let config: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    if config["pooling_mode_cls_token"] == true { Pooling::First } else { Pooling::Mean }
}

/// How a text becomes a vector: what a vector of one scheme has in common with another.
fn scheme(pooling: Pooling, max_tokens: usize) -> String {
    let pooling = match pooling {
        Pooling::Mean => "mean",
        Pooling::First => "first",
    };
    format!("{pooling}-{max_tokens}")
}

impl LocalEncoder {
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_either_kind_of_name() {
        let root = std::env::temp_dir().join(format!("seealso-encoder-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let make = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for file in ["MiniLM/config.json", "MiniLM/tokenizer.json", "MiniLM/model.safetensors"] {
            make(file, "");
        }
        for file in ["models/bge.config.json", "models/bge.tokenizer.json", "models/bge.safetensors"] {
            make(file, "");
        }
        make("models/1_Pooling/config.json", r#"{"pooling_mode_cls_token": true}"#);
        make("half/model.safetensors", "");
        make("half/config.json", "");
        let find = |path: &str| EncoderFiles::find(&root.join(path));
        let refused = |path: &str| find(path).unwrap_err().to_string();
        let found = find("MiniLM").unwrap();
        assert_eq!((found.name.as_str(), found.pooling), ("MiniLM", Pooling::Mean));
        assert_eq!(found.tokenizer, root.join("MiniLM/tokenizer.json"));
        let found = find("models").unwrap();
        assert_eq!((found.name.as_str(), found.pooling), ("bge", Pooling::First));
        assert_eq!(found.config, root.join("models/bge.config.json"));
        assert_eq!(find("models/bge.safetensors").unwrap(), found);
        assert!(refused("half").contains("there is no tokenizer.json beside its weights"));
        assert!(refused("gone").contains("there is no such folder"));
        assert!(refused("models/1_Pooling").contains("there is no model.safetensors in it"));
        make("models/other.safetensors", "");
        assert!(refused("models").contains("there are 2 files of weights in it; give one of them"));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn schemes_say_pooling_and_length() {
        assert_eq!([Pooling::Mean, Pooling::First].map(|pooling| scheme(pooling, 256)), ["mean-256", "first-256"]);
    }
}
