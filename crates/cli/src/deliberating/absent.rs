//! What stands for models where the command was built without them.

use std::path::Path;

use super::{Brief, Outcome, Show};
use crate::unusable::Unusable;

/// Says that there are no models.
pub(super) async fn run(_: &Brief<'_>, path: &Path, _: &Show) -> anyhow::Result<Outcome> {
    let reason = "this seealso was built without models; install it again without `--no-default-features`";
    Err(Unusable::new(path, reason).into())
}
