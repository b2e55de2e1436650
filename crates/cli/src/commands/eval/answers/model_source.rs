//! The model of an evaluation: a file, which is loaded at the first prompt that the cache does not have, or a node.

use std::ops::ControlFlow;
use std::path::Path;
#[cfg(feature = "model")]
use std::path::PathBuf;

use seealso::{Abilities, Generation, GenerationEvent, GenerationRequest, Model as _, ModelError, Prompt};

use super::super::claim_file::hash;
use crate::node_client::NativeNode;

/// A model that is named, but may not be loaded yet.
pub(crate) enum ModelSource {
    /// A file.
    #[cfg(feature = "model")]
    File(Box<FileModel>),
    /// A node.
    Node(Box<NativeNode>),
    /// A script, in tests.
    #[cfg(test)]
    Scripted(seealso::ScriptedModel),
}

/// A model's file, and the model once it is loaded.
#[cfg(feature = "model")]
pub(crate) struct FileModel {
    path: PathBuf,
    bytes: u64,
    threads: usize,
    abilities: Abilities,
    /// The probe that it judges by; by likelihoods where there is none.
    probe: Option<seealso_model::Probe>,
    loaded: std::cell::OnceCell<crate::local_model::LocalModel>,
}

impl ModelSource {
    /// The model in the file at `path`, for prompts and answers of `context` tokens together. A model that `has_bounds` judges by
    /// likelihoods, which the bounds are of, and not by the probe of the catalog beside it.
    ///
    /// # Errors
    /// [`crate::unusable_model::UnusableModel`].
    #[cfg(feature = "model")]
    pub(crate) fn of_file(
        path: &Path,
        threads: Option<u16>,
        context: usize,
        has_bounds: bool,
    ) -> anyhow::Result<ModelSource> {
        use crate::judge_record::JudgeRecord;
        use crate::local_model::ModelFile;
        let file = ModelFile::open(path)?;
        let (name, context) = (file.name(), file.context().min(context));
        let (judge, probe) = JudgeRecord::of_file(path, Some(file.config()))
            .filter(|_| !has_bounds)
            .map(|record| (record.judge, record.probe))
            .unzip();
        Ok(ModelSource::File(Box::new(FileModel {
            path: path.to_path_buf(),
            bytes: std::fs::metadata(path)?.len(),
            threads: crate::model_file::thread_count(threads),
            abilities: Abilities { name, context, judge, tools: true },
            probe: probe.flatten(),
            loaded: std::cell::OnceCell::new(),
        })))
    }

    /// Refuses the file, since this build has no models.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "model"))]
    pub(crate) fn of_file(path: &Path, _: Option<u16>, _: usize, _: bool) -> anyhow::Result<ModelSource> {
        Err(crate::unusable_model::UnusableModel::without_models(path).into())
    }

    pub(crate) fn abilities(&self) -> Abilities {
        match self {
            #[cfg(feature = "model")]
            ModelSource::File(file) => file.abilities.clone(),
            ModelSource::Node(node) => node.abilities().clone(),
            #[cfg(test)]
            ModelSource::Scripted(model) => model.abilities().clone(),
        }
    }

    /// The name of the cache's file, which no other model has.
    pub(crate) fn file_name(&self) -> String {
        match self {
            #[cfg(feature = "model")]
            ModelSource::File(file) => {
                format!("{}-{}", file.path.file_name().unwrap_or_default().to_string_lossy(), file.bytes)
            }
            ModelSource::Node(node) => {
                let sign = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
                let name = &node.abilities().name;
                // Two nodes may have different models of one name.
                let origin_hash = hash(format!("{} {name}", node.origin()).as_bytes());
                format!("node-{}-{origin_hash:016x}", name.chars().map(sign).collect::<String>())
            }
            #[cfg(test)]
            ModelSource::Scripted(model) => model.abilities().name.clone(),
        }
    }

    pub(crate) async fn write(
        &self,
        writing: &GenerationRequest,
        on_event: &mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Generation, ModelError> {
        match self {
            #[cfg(feature = "model")]
            ModelSource::File(file) => file.model()?.write(writing, on_event).await,
            ModelSource::Node(node) => node.write(writing, on_event).await,
            #[cfg(test)]
            ModelSource::Scripted(model) => model.write(writing, on_event).await,
        }
    }

    pub(crate) async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        match self {
            #[cfg(feature = "model")]
            ModelSource::File(file) => file.model()?.score(prompt, continuations).await,
            ModelSource::Node(node) => node.score(prompt, continuations).await,
            #[cfg(test)]
            ModelSource::Scripted(model) => model.score(prompt, continuations).await,
        }
    }

    pub(crate) async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        match self {
            #[cfg(feature = "model")]
            ModelSource::File(file) => file.model()?.judge(prompt, answers).await,
            ModelSource::Node(node) => node.judge(prompt, answers).await,
            #[cfg(test)]
            ModelSource::Scripted(model) => model.judge(prompt, answers).await,
        }
    }

    /// What tells the probe from others in a cache; none where the model judges by likelihoods.
    pub(crate) fn probe_key(&self) -> Option<String> {
        match self {
            #[cfg(feature = "model")]
            ModelSource::File(file) => file.probe.as_ref().map(|probe| format!("{probe:?}")),
            ModelSource::Node(_) => None,
            #[cfg(test)]
            ModelSource::Scripted(_) => None,
        }
    }
}

#[cfg(feature = "model")]
impl FileModel {
    /// The model, loaded.
    fn model(&self) -> Result<&crate::local_model::LocalModel, ModelError> {
        use crate::local_model::ModelFile;
        if let Some(model) = self.loaded.get() {
            return Ok(model);
        }
        let on_progress = &mut |_, _| ControlFlow::Continue(());
        let file = ModelFile::open(&self.path);
        let loaded =
            file.and_then(|file| file.load(self.abilities.context, self.threads, self.abilities.clone(), on_progress));
        let loaded = loaded.map_err(|error| ModelError::Failed(error.to_string()))?;
        let model = loaded.expect("nothing stopped it").with_probe(self.probe.clone());
        Ok(self.loaded.get_or_init(|| model))
    }
}
