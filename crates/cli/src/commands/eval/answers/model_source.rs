//! Where the words of an evaluation come from: a model's file, which is loaded when something is asked that nobody
//! remembers, or a node.

use std::ops::ControlFlow;
use std::path::Path;
#[cfg(feature = "model")]
use std::path::PathBuf;

use seealso::{Abilities, Model as _, ModelError, Prompt, Writing, Written, Wrote};

use super::super::claim_file::hash;
use crate::node_client::NativeNode;

/// Where they come from.
pub(crate) enum Source {
    /// A file.
    #[cfg(feature = "model")]
    File(Box<FileSource>),
    /// A node.
    Node(Box<NativeNode>),
    /// A script, in tests.
    #[cfg(test)]
    Scripted(seealso::ScriptedModel),
}

/// A model's file, and the model once it is loaded.
#[cfg(feature = "model")]
pub(crate) struct FileSource {
    path: PathBuf,
    bytes: u64,
    threads: usize,
    abilities: Abilities,
    /// How it judges, where not by likelihoods.
    reading: Option<seealso_model::Reading>,
    loaded: std::cell::OnceCell<crate::local_model::LocalModel>,
}

impl Source {
    /// The model in the file at `path`, for prompts and answers of `context` tokens together. Where it is `bounded`, it
    /// judges by likelihoods, which the bounds are of, whatever the catalog beside it says.
    ///
    /// # Errors
    /// [`crate::unusable_model::Unusable`].
    #[cfg(feature = "model")]
    pub(crate) fn of_file(path: &Path, threads: Option<u16>, context: usize, bounded: bool) -> anyhow::Result<Source> {
        use crate::judge_record::Record;
        use crate::local_model::ModelFile;
        let file = ModelFile::look(path)?;
        let (name, context) = (file.name(), file.context().min(context));
        let (judge, reading) = Record::of_file(path, Some(file.config()))
            .filter(|_| !bounded)
            .map(|record| (record.judge, record.reading))
            .unzip();
        Ok(Source::File(Box::new(FileSource {
            path: path.to_path_buf(),
            bytes: std::fs::metadata(path)?.len(),
            threads: crate::model_file::threads(threads),
            abilities: Abilities { name, context, judge, tools: true },
            reading: reading.flatten(),
            loaded: std::cell::OnceCell::new(),
        })))
    }

    /// There are no models in this build.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "model"))]
    pub(crate) fn of_file(path: &Path, _: Option<u16>, _: usize, _: bool) -> anyhow::Result<Source> {
        Err(crate::unusable_model::Unusable::new(path, crate::deliberation::NO_MODELS).into())
    }

    pub(crate) fn abilities(&self) -> Abilities {
        match self {
            #[cfg(feature = "model")]
            Source::File(file) => file.abilities.clone(),
            Source::Node(node) => node.abilities().clone(),
            #[cfg(test)]
            Source::Scripted(model) => model.abilities().clone(),
        }
    }

    /// A name for the memory's file, that no other model has.
    pub(crate) fn file_name(&self) -> String {
        match self {
            #[cfg(feature = "model")]
            Source::File(file) => {
                format!("{}-{}", file.path.file_name().unwrap_or_default().to_string_lossy(), file.bytes)
            }
            Source::Node(node) => {
                let sign = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
                let name = &node.abilities().name;
                // Two nodes may call different models alike.
                let whose = hash(format!("{} {name}", node.origin()).as_bytes());
                format!("node-{}-{whose:016x}", name.chars().map(sign).collect::<String>())
            }
            #[cfg(test)]
            Source::Scripted(model) => model.abilities().name.clone(),
        }
    }

    pub(crate) async fn write(
        &self,
        writing: &Writing,
        watch: &mut dyn FnMut(Wrote<'_>) -> ControlFlow<()>,
    ) -> Result<Written, ModelError> {
        match self {
            #[cfg(feature = "model")]
            Source::File(file) => file.model()?.write(writing, watch).await,
            Source::Node(node) => node.write(writing, watch).await,
            #[cfg(test)]
            Source::Scripted(model) => model.write(writing, watch).await,
        }
    }

    pub(crate) async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        match self {
            #[cfg(feature = "model")]
            Source::File(file) => file.model()?.score(prompt, continuations).await,
            Source::Node(node) => node.score(prompt, continuations).await,
            #[cfg(test)]
            Source::Scripted(model) => model.score(prompt, continuations).await,
        }
    }

    pub(crate) async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        match self {
            #[cfg(feature = "model")]
            Source::File(file) => file.model()?.judge(prompt, answers).await,
            Source::Node(node) => node.judge(prompt, answers).await,
            #[cfg(test)]
            Source::Scripted(model) => model.judge(prompt, answers).await,
        }
    }

    /// What it judges by, for a memory: another reading says other things. None where likelihoods count.
    pub(crate) fn judges_by(&self) -> Option<String> {
        match self {
            #[cfg(feature = "model")]
            Source::File(file) => file.reading.as_ref().map(|reading| format!("{reading:?}")),
            Source::Node(_) => None,
            #[cfg(test)]
            Source::Scripted(_) => None,
        }
    }
}

#[cfg(feature = "model")]
impl FileSource {
    /// The model, loaded.
    fn model(&self) -> Result<&crate::local_model::LocalModel, ModelError> {
        use crate::local_model::ModelFile;
        if let Some(model) = self.loaded.get() {
            return Ok(model);
        }
        let going_on = &mut |_, _| ControlFlow::Continue(());
        let file = ModelFile::look(&self.path);
        let loaded =
            file.and_then(|file| file.load(self.abilities.context, self.threads, self.abilities.clone(), going_on));
        let loaded = loaded.map_err(|error| ModelError::Failed(error.to_string()))?;
        let model = loaded.expect("nothing stopped it").reading(self.reading.clone());
        Ok(self.loaded.get_or_init(|| model))
    }
}
