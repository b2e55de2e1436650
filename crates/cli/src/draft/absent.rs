//! What stands for models where the command was built without them.

use super::{Brief, Draft, Step, Unusable};

/// Says that there are no models.
pub(crate) async fn write(brief: &Brief<'_>, _: &mut dyn FnMut(Step<'_>)) -> anyhow::Result<Draft> {
    let reason = "this seealso was built without models; install it again without `--no-default-features`";
    Err(Unusable::new(brief.file, reason).into())
}
