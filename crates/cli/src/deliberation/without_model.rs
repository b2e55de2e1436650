//! Stands in for models in a build without them: every attempt to load one is refused.

use std::path::Path;

use seealso::{Answer, AskError, Manifest, Tier};

use super::{AskRequest, Decomposer, ModelArguments, ModelResult, ModelTask, TerminalView};
use crate::stop_flag::StopFlag;
use crate::unusable_model::UnusableModel;

/// No model can be loaded.
pub(crate) enum LoadedModel {}

impl LoadedModel {
    pub(super) async fn ask(&self, _: AskRequest<'_>, _: Decomposer) -> Result<(Answer, Manifest), AskError> {
        match *self {}
    }
}

/// Refuses the model.
pub(super) fn load(
    path: &Path,
    _: &ModelArguments,
    _: Tier,
    _: &StopFlag,
    _: &TerminalView,
) -> anyhow::Result<Option<LoadedModel>> {
    Err(UnusableModel::without_models(path).into())
}

/// Refuses the model.
pub(super) async fn run(
    task: &ModelTask<'_>,
    path: &Path,
    loaded: Option<anyhow::Result<Option<LoadedModel>>>,
    view: &TerminalView,
) -> anyhow::Result<ModelResult> {
    loaded.unwrap_or_else(|| load(path, task.arguments, task.tier, task.stop, view))?;
    Ok(ModelResult::stopped())
}
