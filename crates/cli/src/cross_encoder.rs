//! A cross-encoder in this process: the files of a model of BERT's kind with a head of one output, such as those that are
//! published for ranking passages.

use std::fs::{self, File};
use std::path::Path;

use seealso::{PairScoreError, PairScorer};
use seealso_model::encoder::CrossEncoder;

use crate::unusable_model::UnusableModel;

/// A cross-encoder that is loaded.
pub(crate) struct LocalCrossEncoder {
    name: String,
    model: CrossEncoder,
}

impl LocalCrossEncoder {
    /// Loads the cross-encoder in a folder with `config.json`, `tokenizer.json` and `model.safetensors`.
    ///
    /// # Errors
    /// [`UnusableModel`]: a file that is missing or damaged, or of a model of another kind.
    pub(crate) fn load(folder: &Path) -> Result<LocalCrossEncoder, UnusableModel> {
        let unusable = |reason: String| UnusableModel::new(folder, reason);
        let read =
            |name: &str| fs::read(folder.join(name)).map_err(|error| unusable(format!("reading {name}: {error}")));
        let (config, tokenizer) = (read("config.json")?, read("tokenizer.json")?);
        let weights = File::open(folder.join("model.safetensors"));
        let weights = weights.map_err(|error| unusable(format!("opening model.safetensors: {error}")))?;
        let model = CrossEncoder::load_on_cpu(&config, &tokenizer, weights);
        let model = model.map_err(|error| unusable(error.to_string()))?;
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        Ok(LocalCrossEncoder { name, model })
    }
}

impl PairScorer for LocalCrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    async fn score(&self, query: &str, texts: &[&str]) -> Result<Vec<f64>, PairScoreError> {
        let scored = self.model.score(query, texts).await;
        let failed = |error: seealso_model::Error| PairScoreError { reason: error.to_string() };
        Ok(scored.map_err(failed)?.into_iter().map(f64::from).collect())
    }
}
