//! What stands for models where the command was built without them.

use std::path::Path;

use super::{Brief, NO_MODELS, Outcome, Show};
use crate::unusable::Unusable;

/// Says that there are no models.
pub(super) async fn run(_: &Brief<'_>, path: &Path, _: &Show) -> anyhow::Result<Outcome> {
    Err(Unusable::new(path, NO_MODELS).into())
}
