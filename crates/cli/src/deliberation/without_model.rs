//! What stands for models where the command was built without them.

use std::path::Path;

use seealso::{Answer, AskError, Filter, Hear, Manifest, Progress, Tier};

use super::{Brief, ModelArguments, NO_MODELS, Outcome, Show};
use crate::source::FolderLibrary;
use crate::stop_flag::Stop;
use crate::unusable_model::Unusable;

/// There is none.
pub(crate) enum Loaded {}

impl Loaded {
    pub(super) async fn ask(
        &self,
        _: &FolderLibrary,
        _: &str,
        _: Filter,
        _: &mut dyn FnMut(Progress),
        _: Hear<'_>,
    ) -> Result<(Answer, Manifest), AskError> {
        match *self {}
    }
}

/// Says that there are no models.
pub(super) fn load(path: &Path, _: &ModelArguments, _: Tier, _: &Stop, _: &Show) -> anyhow::Result<Option<Loaded>> {
    Err(Unusable::new(path, NO_MODELS).into())
}

/// Says the same.
pub(super) async fn run(
    brief: &Brief<'_>,
    path: &Path,
    ready: Option<anyhow::Result<Option<Loaded>>>,
    show: &Show,
) -> anyhow::Result<Outcome> {
    ready.unwrap_or_else(|| load(path, brief.arguments, brief.tier, brief.stop, show))?;
    Ok(Outcome::stopped())
}
