//! A model in this process, which splits questions, deliberates and answers.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use seealso::{Abilities, Answer, AskError, Manifest, ModelError, Tier};

use super::{AskRequest, Decomposer, ModelArguments, ModelResult, ModelTask, TerminalView, context_tokens, work_with};
use crate::judge_record::JudgeRecord;
use crate::local_model::{LocalModel, ModelFile};
use crate::model_file::thread_count;
use crate::stop_flag::StopFlag;
use crate::unusable_model::UnusableModel;

/// A model that is loaded, with its name and the cost of loading.
pub(crate) struct LoadedModel {
    model: LocalModel,
    name: String,
    threads: usize,
    seconds: f64,
}

/// Loads the model at `path`; none where Ctrl-C stopped it.
///
/// # Errors
/// [`UnusableModel`].
pub(super) fn load(
    path: &Path,
    arguments: &ModelArguments,
    tier: Tier,
    stop: &StopFlag,
    view: &TerminalView,
) -> anyhow::Result<Option<LoadedModel>> {
    let begun = Instant::now();
    let file = ModelFile::open(path)?;
    let (name, threads) = (file.name(), thread_count(arguments.threads));
    let context = context_tokens(&arguments.config(tier));
    let (judge, probe) =
        JudgeRecord::of_file(path, Some(file.config())).map(|record| (record.judge, record.probe)).unzip();
    let abilities = Abilities { name: name.clone(), judge, tools: true, ..Abilities::default() };
    let mut on_progress = |done, total| {
        view.loading(done, total);
        if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let loaded = file.load(context, threads, abilities, &mut on_progress)?;
    let loaded = loaded.map(|model| model.with_probe(probe.flatten()));
    Ok(loaded.map(|model| LoadedModel { model, name, threads, seconds: begun.elapsed().as_secs_f64() }))
}

impl LoadedModel {
    /// Answers a question with the help of this model.
    ///
    /// # Errors
    /// Those of [`seealso::ask`].
    pub(super) async fn ask(
        &self,
        request: AskRequest<'_>,
        decomposer: Decomposer,
    ) -> Result<(Answer, Manifest), AskError> {
        request.answer_by(&self.model, decomposer).await
    }
}

/// Has the model at `path` work: the one that is `loaded` already, or else loads it.
pub(super) async fn run(
    task: &ModelTask<'_>,
    path: &Path,
    loaded: Option<anyhow::Result<Option<LoadedModel>>>,
    view: &TerminalView,
) -> anyhow::Result<ModelResult> {
    let loaded = loaded.unwrap_or_else(|| load(path, task.arguments, task.tier, task.stop, view));
    let Some(LoadedModel { model, name, threads, seconds }) = loaded? else { return Ok(ModelResult::stopped()) };
    let outcome = |done, failed| ModelResult { model: name, done, failed, threads, load_seconds: seconds };
    match work_with(&model, task, view).await {
        Ok(done) => Ok(outcome(Some(done), None)),
        Err(ModelError::Stopped) => Ok(outcome(None, None)),
        Err(error @ ModelError::TooLong { .. }) => {
            let advice = "give a smaller number of --tokens, or a model with a longer context";
            Err(UnusableModel::new(path, format!("{error}; {advice}")).into())
        }
        Err(error) => Ok(outcome(None, Some(error.to_string()))),
    }
}
