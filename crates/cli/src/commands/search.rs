//! Placeholder.

use clap::Args;

/// Placeholder.
#[derive(Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments) -> crate::exit::Outcome {
    anyhow::bail!("not there yet")
}
