//! What stands for models where the command was built without them.

use super::{Brief, Outcome, Show};
use crate::unusable::Unusable;

/// Says that there are no models.
pub(super) async fn run(brief: &Brief<'_>, _: &Show) -> anyhow::Result<Outcome> {
    let reason = "this seealso was built without models; install it again without `--no-default-features`";
    Err(Unusable::new(brief.file, reason).into())
}
